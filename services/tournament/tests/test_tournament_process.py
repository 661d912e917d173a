"""Two processes of the service as they are run, over real NATS and PostgreSQL."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import grpc.aio
import pytest
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.errors import Code
from laelo_common.ids import new_id
from laelo_common.log import JetStreamLog, NatsSettings, connect, ensure_streams
from laelo_common.status import error_of
from laelo_common.stream import CLIENT_OPTIONS
from laelo_common.testing.nats import NatsServer
from laelo_tournament.domain.commands import Start

from .conftest import Server
from .house import House, a_start
from .story import check_story
from .table_server import serving

pytestmark = pytest.mark.integration

T = TypeVar("T")

START_SECONDS = 30
AROUND_SECONDS = 90
Stub: TypeAlias = "tournament_pb2_grpc.TournamentServiceAsyncStub"


class Process:
    """A replica as a process of its own."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self._ready = folder / f"{new_id()}.json"
        own = {f"LAELO_TOURNAMENT_{key}": value for key, value in settings.items()}
        own["LAELO_TOURNAMENT_READY_FILE"] = str(self._ready)
        self.output = folder / f"{new_id()}.log"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "laelo_tournament.main"],
                env={**os.environ, **own},
                stderr=output,
            )

    async def stub(self, stack: AsyncExitStack) -> Stub:
        """A way to ask it, once it is ready."""
        async with asyncio.timeout(START_SECONDS):
            while not self._ready.exists():
                assert self.process.poll() is None, self.output.read_text()
                await asyncio.sleep(0.02)
        address = f"127.0.0.1:{json.loads(self._ready.read_text())['port']}"
        channel = grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS)
        await stack.enter_async_context(channel)
        return tournament_pb2_grpc.TournamentServiceStub(channel)

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """End it in an orderly way; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(15)


class Run:
    """What the processes need, and they."""

    def __init__(self, house: House, settings: dict[str, str], folder: Path) -> None:
        self.house = house
        self.settings = settings
        self.folder = folder
        self.processes: list[Process] = []

    def replica(self) -> Process:
        """One more process."""
        process = Process(self.folder, **self.settings)
        self.processes.append(process)
        return process


@pytest.fixture
async def run(stopped_server: Server, nats: NatsServer, tmp_path: Path) -> AsyncIterator[Run]:
    async with AsyncExitStack() as stack:
        connection = await connect(NatsSettings((nats.url,)))
        stack.push_async_callback(connection.close)
        await ensure_streams(connection)
        house = House(log=JetStreamLog(connection))
        stack.push_async_callback(house.tables.close)
        addresses = [(await stack.enter_async_context(serving(house.tables)))[0] for _ in "ab"]
        settings = {
            "NATS_URL": nats.url,
            "TABLE_ADDRESSES": ",".join(addresses),
            "PG_DSN": stopped_server.dsn,
            "CLOCK_SCALE": "0.1",
            "LOCAL": "true",
            "LOG_FORMAT": "json",
        }
        made = Run(house, settings, tmp_path)
        try:
            yield made
        finally:
            for process in made.processes:
                if process.process.poll() is None:
                    process.kill()


@asynccontextmanager
async def following(stub: Stub) -> AsyncIterator[dict[str, tournament_pb2.FollowResponse]]:
    """The newest that was told of each championship."""
    told: dict[str, tournament_pb2.FollowResponse] = {}

    async def follow() -> None:
        async for one in stub.Follow(tournament_pb2.FollowRequest()):
            told[one.championship.id] = one

    task = asyncio.create_task(follow())
    try:
        yield told
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def start_at(stub: Stub, start: Start) -> tournament_pb2.StartResponse:
    request = tournament_pb2.StartRequest(
        championship=start.championship, tier=start.tier, players=start.players
    )
    return await stub.Start(request)


async def until_ended(stub: Stub, championship: str) -> tournament_pb2.Championship:
    request = tournament_pb2.GetRequest(championship=championship)
    async with asyncio.timeout(AROUND_SECONDS):
        while True:
            shown = (await stub.Get(request)).championship
            if shown.stage != tournament_pb2.STAGE_RUNNING:
                return shown
            await asyncio.sleep(0.05)


async def until_ranked(stub: Stub, rows: int) -> tournament_pb2.RankResponse:
    async with asyncio.timeout(AROUND_SECONDS):
        while True:
            ranking = await unless_later(stub.Rank(tournament_pb2.RankRequest()))
            if ranking is not None and len(ranking.rows) == rows:
                return ranking
            await asyncio.sleep(0.05)


async def unless_later(call: Awaitable[T]) -> T | None:
    """An answer; None if it is to be asked again later."""
    try:
        return await call
    except grpc.aio.AioRpcError as error:
        if error_of(error).code is not Code.TRY_LATER:
            raise
        return None


async def code_of(call: Awaitable[Any]) -> Code:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    return error_of(refused.value).code


async def test_championships_outlive_processes_and_the_database(
    run: Run, stopped_server: Server
) -> None:
    house = run.house
    async with AsyncExitStack() as stack:
        one, two = run.replica(), run.replica()
        first, second = await one.stub(stack), await two.stub(stack)
        told = await stack.enter_async_context(following(second))
        starts = [a_start() for _ in range(3)]
        for start in starts:
            await start_at(first, start)
            await start_at(second, start)
        assert await code_of(first.Rank(tournament_pb2.RankRequest())) is Code.TRY_LATER
        one.kill()
        for start in starts:
            shown = await until_ended(second, start.championship)
            assert shown.champion
        await stopped_server.start()
        ranking = await until_ranked(second, 24)
        assert [row.points for row in ranking.rows[:6]] == [8] * 6
        for start in starts:
            state = await check_story(house, start.championship)
            called = state.called["W1-1"].starts_ms - state.started_ms
            assert called == 1500  # the pause at a tenth of its length
            assert told[state.id].championship.champion == state.bracket.champion
        late = await run.replica().stub(stack)
        newest = await late.List(tournament_pb2.ListRequest(limit=2))
        assert [one.id for one in newest.championships] == [s.championship for s in starts[:0:-1]]
        wanted = tournament_pb2.GetRequest(championship=starts[0].championship)
        assert (await late.Get(wanted)) == (await second.Get(wanted))
        assert await rebuilt(run) == 0
        assert await until_ranked(late, 24) == ranking
    assert two.stop() == 0
    check_logs(run, starts)


async def rebuilt(run: Run) -> int:
    """Make the records anew as an operator does; the exit status."""
    own = {f"LAELO_TOURNAMENT_{key}": value for key, value in run.settings.items()}
    command = (sys.executable, "-m", "laelo_tournament.rebuild")
    process = await asyncio.create_subprocess_exec(*command, env={**os.environ, **own})
    return await process.wait()


def check_logs(run: Run, starts: list[Start]) -> None:
    """What is logged names championships, and nobody who plays in them (R40)."""
    logged = "".join(process.output.read_text() for process in run.processes)
    assert all(start.championship in logged for start in starts)
    for start in starts:
        assert not any(player in logged for player in start.players)


async def test_a_championship_is_cancelled_by_an_operator(run: Run) -> None:
    house = run.house
    house.tables.holds = True
    async with AsyncExitStack() as stack:
        stub = await run.replica().stub(stack)
        start = a_start()
        await start_at(stub, start)
        cancel = tournament_pb2.CancelRequest(
            championship=start.championship, reason="no light", operator="ops"
        )
        await stub.Cancel(cancel)
        await stub.Cancel(cancel)
        shown = await until_ended(stub, start.championship)
        assert (shown.reason, shown.stage) == ("no light", tournament_pb2.STAGE_CANCELLED)
        assert list(shown.players) == list(start.players)
        cancel.championship = new_id()
        assert await code_of(stub.Cancel(cancel)) is Code.UNKNOWN_CHAMPIONSHIP
        wanted = tournament_pb2.GetRequest(championship="nonsense")
        assert await code_of(stub.Get(wanted)) is Code.BAD_REQUEST
        request = tournament_pb2.StartRequest(championship=new_id(), tier=start.tier)
        assert await code_of(stub.Start(request)) is Code.BAD_REQUEST


async def test_it_goes_on_after_the_log_was_away(run: Run, nats: NatsServer) -> None:
    async with AsyncExitStack() as stack:
        stub = await run.replica().stub(stack)
        start = a_start()
        await start_at(stub, start)
        nats.restart(kill=True)
        again = a_start()
        async with asyncio.timeout(AROUND_SECONDS):
            while await unless_later(start_at(stub, again)) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        for one in (start, again):
            await until_ended(stub, one.championship)
            await check_story(run.house, one.championship)


@pytest.mark.parametrize(
    ("name", "value"),
    [("CLOCK_SCALE", "0.5"), ("MATCH_PAUSE_SECONDS", "-1"), ("TABLE_ADDRESSES", "nowhere")],
)
async def test_a_wrong_setting_is_named(run: Run, name: str, value: str) -> None:
    run.settings |= {"LOCAL": "false", "CLOCK_SCALE": "1", name: value}
    process = run.replica()
    status = await asyncio.to_thread(process.process.wait, START_SECONDS)
    assert status in (1, 2)
    assert f"LAELO_TOURNAMENT_{name}" in process.output.read_text()
