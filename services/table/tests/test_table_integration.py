"""Two table processes, rules and bots, over a real nats-server."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from laelo.table.v1 import events_pb2, table_pb2, table_pb2_grpc
from laelo_common.ids import new_id
from laelo_common.log import Aggregate, JetStreamLog, Kind, NatsSettings, connect, ensure_streams
from laelo_common.log.commit import verify_chain
from laelo_common.stream import CoalescedClient, Hooks
from laelo_common.testing.nats import NatsServer
from laelo_common.wire.server import EventFrame
from laelo_table.domain.evolve import evolve
from laelo_table.domain.state import NO_TABLE, Phase, Table, phase_of

from .house import Listener, legal_command
from .kit import PEOPLE

pytestmark = pytest.mark.integration

START_SECONDS = 30


class Process:
    """A service as a process of its own."""

    def __init__(self, name: str, folder: Path, **settings: str) -> None:
        self._ready = folder / f"{name}-{new_id()}.json"
        prefix = f"LAELO_{name.upper()}_"
        own = {f"{prefix}{key}": value for key, value in settings.items()}
        own[f"{prefix}READY_FILE"] = str(self._ready)
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"laelo_{name}.main"], env={**os.environ, **own}
        )

    async def address(self) -> str:
        """Where it listens, once it is ready."""
        async with asyncio.timeout(START_SECONDS):
            while not self._ready.exists():
                assert self._process.poll() is None
                await asyncio.sleep(0.02)
        return f"127.0.0.1:{json.loads(self._ready.read_text())['port']}"

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """End it in an orderly way; its exit status."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self._process.wait(15)


@contextmanager
def nats() -> Iterator[NatsServer]:
    with NatsServer() as server:
        yield server


class Gateway:
    """A stream to one table process."""

    def __init__(self, address: str) -> None:
        self.heard = Listener()
        self.client: CoalescedClient[table_pb2.Command, table_pb2.Update] = CoalescedClient(
            address,
            lambda channel: table_pb2_grpc.TableServiceStub(channel).Connect,
            table_pb2.ConnectRequest,
            hooks=Hooks(on_push=self.heard.send),
        )

    async def ask(self, table: str, kind: Any, player: str, **fields: Any) -> table_pb2.Update:
        """Send a command; its answer is heard among the rest."""
        values: dict[str, Any] = {"command": new_id(), "name": player.title(), "seat": -1}
        command = table_pb2.Command(table=table, kind=kind, player=player, **(values | fields))
        update = await self.client.request(command, timeout=20)
        self.heard.send(update)
        assert not update.code, update
        return update


class Platform:
    """The processes of one test."""

    def __init__(self, server: NatsServer, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.rules = Process("rules", folder)
        self.bots = Process("bots", folder)
        self.tables: list[Process] = []

    async def table(self, **settings: str) -> tuple[Process, str]:
        """Start a table process."""
        values = {
            "NATS_URL": self.server.url,
            "RULES_ADDRESSES": await self.rules.address(),
            "BOTS_ADDRESSES": await self.bots.address(),
            "BOT_DELAY_MS": "0",
            "PAUSE_MS": "0",
        }
        process = Process("table", self.folder, **(values | settings))
        self.tables.append(process)
        return process, await process.address()

    def stop(self) -> list[int]:
        """Stop everything; the exit statuses."""
        return [process.stop() for process in (*self.tables, self.bots, self.rules)]


@asynccontextmanager
async def platform(folder: Path) -> AsyncIterator[tuple[Platform, JetStreamLog]]:
    with nats() as server:
        connection = await connect(NatsSettings(servers=(server.url,)))
        await ensure_streams(connection)
        running = Platform(server, folder)
        try:
            yield running, JetStreamLog(connection)
        finally:
            running.stop()
            await connection.close()


async def folded(log: JetStreamLog, table: str) -> Table:
    """The table as the log alone tells it."""
    state = NO_TABLE
    for recorded in await log.tail(Aggregate(Kind.TABLE, table), 0):
        state = evolve(state, events_pb2.Commit.FromString(recorded.data))
    return state


async def open_table(gateway: Gateway, table: str, people: int) -> None:
    options = table_pb2.Options(spectators=True)
    await gateway.ask(table, table_pb2.KIND_OPEN, PEOPLE[0], options=options)
    for player in PEOPLE[1:people]:
        await gateway.ask(table, table_pb2.KIND_SIT, player)
    await gateway.ask(table, table_pb2.KIND_WATCH, PEOPLE[0])
    await gateway.ask(table, table_pb2.KIND_START, PEOPLE[0])


async def play(gateway: Gateway, log: JetStreamLog, table: str, moves: int = 1000) -> Table:
    """The people at the table move until the match is over, or so many times."""
    state = await folded(log, table)
    while moves and phase_of(state) is not Phase.MATCH_OVER:
        if state.begun is not None and state.seats[state.begun.seat].player:
            await gateway.ask(table, **legal_command(state))
            moves -= 1
        else:
            await gateway.heard.until_seq(state.version + 1)
        state = await folded(log, table)
    return state


@pytest.mark.parametrize("rpc", ["stream", "unary"])
async def test_a_match_with_bots_over_real_servers(tmp_path: Path, rpc: str) -> None:
    async with platform(tmp_path) as (running, log):
        _, address = await running.table(RPC=rpc)
        gateway, table = Gateway(address), new_id()
        async with gateway.client:
            await open_table(gateway, table, 1)
            state = await play(gateway, log, table)
            await gateway.heard.until_seq(state.version)
        assert state.match_end is not None
        assert verify_chain(await log.tail(Aggregate(Kind.TABLE, table), 0)) is None
        kept = (await log.load(Aggregate(Kind.TABLE, table))).snapshot
        assert kept is not None
        events = [f for f in gateway.heard.frames(0) if isinstance(f, EventFrame)]
        assert {frame.seq for frame in events} == set(range(2, state.version + 1))
        assert running.stop() == [0, 0, 0]


async def test_another_replica_takes_over_in_mid_hand(tmp_path: Path) -> None:
    async with platform(tmp_path) as (running, log):
        first, address = await running.table()
        table = new_id()
        one = Gateway(address)
        async with one.client:
            await open_table(one, table, 4)
            moved = await play(one, log, table, moves=5)
        first.kill()
        _, address = await running.table()
        two = Gateway(address)
        async with two.client:
            seen = await two.ask(table, table_pb2.KIND_WATCH, "bia", seq=moved.version - 2)
            assert [view.seq for view in seen.views] == [moved.version - 1, moved.version]
            state = await play(two, log, table)
        assert state.match_end is not None
        assert verify_chain(await log.tail(Aggregate(Kind.TABLE, table), 0)) is None


async def test_the_durable_clock_wakes_a_table_that_nobody_asks_for(tmp_path: Path) -> None:
    async with platform(tmp_path) as (running, log):
        first, address = await running.table(BOT_DELAY_MS="1000")
        table = new_id()
        gateway = Gateway(address)
        async with gateway.client:
            await open_table(gateway, table, 1)
            async with asyncio.timeout(20):
                while (state := await folded(log, table)).begun is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            if not state.begun.seat:
                await gateway.ask(table, **legal_command(state))
        first.kill()
        waiting = await folded(log, table)
        assert waiting.deadline_ms
        await running.table()
        async with asyncio.timeout(20):
            while (await folded(log, table)).version == waiting.version:  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_submit_and_watch_for_tools(tmp_path: Path) -> None:
    async with platform(tmp_path) as (running, _):
        _, address = await running.table()
        table = new_id()
        async with grpc.aio.insecure_channel(address) as channel:
            stub = table_pb2_grpc.TableServiceStub(channel)
            command = table_pb2.Command(
                table=table, command="open", kind=table_pb2.KIND_OPEN, player="ana", name="Ana"
            )
            opened = await stub.Submit(table_pb2.SubmitRequest(command=command))
            assert (opened.update.seq, opened.update.seat) == (1, 0)
            refused = await stub.Submit(
                table_pb2.SubmitRequest(
                    command=table_pb2.Command(
                        table=table, command="s", kind=table_pb2.KIND_START, player="bia"
                    )
                )
            )
            assert refused.update.code == "NOT_SEATED"
            frames: Any = stub.Watch(table_pb2.WatchRequest(table=table, player="ana"))
            first = await frames.read()
            assert first.view.frame.startswith(b'{"t":"snapshot"')
            await stub.Submit(
                table_pb2.SubmitRequest(
                    command=table_pb2.Command(
                        table=table, command="go", kind=table_pb2.KIND_START, player="ana"
                    )
                )
            )
            counted = await frames.read()
            assert counted.view.frame.startswith(b'{"t":"watching"')
            begun = await frames.read()
            assert b'"match_started"' in begun.view.frame
            second = await frames.read()
            assert second.view.frame.startswith(b'{"t":"event"')
            assert b'"tiles"' in second.view.frame
            frames.cancel()
            unknown: Any = stub.Watch(table_pb2.WatchRequest(table=new_id()))
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await unknown.read()
            assert failed.value.code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"BOT_DELAY_MS": "soon"}, "LAELO_TABLE_BOT_DELAY_MS"),
        ({"RULES_ADDRESSES": "nowhere"}, "LAELO_TABLE_RULES_ADDRESSES"),
        ({"NATS_URL": "nats://127.0.0.1:9", "START_SECONDS": "1"}, "LAELO_TABLE_NATS_URL"),
    ],
)
def test_wrong_settings_are_said_in_one_sentence(settings: dict[str, str], said: str) -> None:
    with nats() as server:
        right = {
            "NATS_URL": server.url,
            "RULES_ADDRESSES": "127.0.0.1:9",
            "BOTS_ADDRESSES": "127.0.0.1:9",
        }
        done = run(right | settings)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def run(settings: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    own = {f"LAELO_TABLE_{name}": value for name, value in settings.items()}
    return subprocess.run(
        [sys.executable, "-m", "laelo_table.main"],
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
