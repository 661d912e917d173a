"""Processes of the matchmaking service over a real nats-server."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from laelo.matchmaking.v1 import events_pb2, matchmaking_pb2, matchmaking_pb2_grpc
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_common.ids import is_id, new_id
from laelo_common.log import JetStreamLog, NatsSettings, connect, ensure_streams
from laelo_common.log.commit import verify_chain
from laelo_common.testing.nats import NatsServer
from laelo_common.testing.waiting import until
from laelo_matchmaking.domain.evolve import evolve
from laelo_matchmaking.domain.state import EMPTY, Queue

from .kit import people
from .town import QUEUE, Cups

pytestmark = pytest.mark.integration

START_SECONDS = 30


class Process:
    """The service as a process of its own."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self._ready = folder / f"{new_id()}.json"
        own = {f"LAELO_MATCHMAKING_{key}": value for key, value in settings.items()}
        own["LAELO_MATCHMAKING_READY_FILE"] = str(self._ready)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "laelo_matchmaking.main"], env={**os.environ, **own}
        )

    async def ports(self) -> dict[str, int]:
        """Where it listens, once it is ready."""
        async with asyncio.timeout(START_SECONDS):
            while not self._ready.exists():
                assert self._process.poll() is None
                await asyncio.sleep(0.02)
        ports: dict[str, int] = json.loads(self._ready.read_text())
        return ports

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """End it in an orderly way; its exit status."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        return self._process.wait(15)


class CupServer(tournament_pb2_grpc.TournamentServiceServicer):
    """A tournament service behind a port."""

    def __init__(self, cups: Cups) -> None:
        self._cups = cups

    async def Start(  # noqa: N802
        self, request: tournament_pb2.StartRequest, _context: Any
    ) -> tournament_pb2.StartResponse:
        await self._cups.start(request)
        return tournament_pb2.StartResponse()


class Platform:
    """What one test runs: a log, a tournament service, and replicas of the queue."""

    def __init__(self, server: NatsServer, log: JetStreamLog, folder: Path) -> None:
        self.server = server
        self.log = log
        self.folder = folder
        self.cups = Cups(log)
        self.cups_port = 0
        self.processes: list[Process] = []

    async def replica(self, **settings: str) -> tuple[Process, Any]:
        """Start one; the process and a stub."""
        values = {
            "NATS_URL": self.server.url,
            "TOURNAMENT_ADDRESSES": f"127.0.0.1:{self.cups_port}",
            "QUEUE_WAIT_SECONDS": "600",
        }
        process = Process(self.folder, **(values | settings))
        self.processes.append(process)
        port = (await process.ports())["port"]
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")
        return process, matchmaking_pb2_grpc.MatchmakingServiceStub(channel)

    async def state(self) -> Queue:
        """The queue as the log tells it, whose chain has to be whole."""
        recorded = await self.log.tail(QUEUE, 0)
        assert verify_chain(recorded) is None
        state = EMPTY
        for each in recorded:
            state = evolve(state, events_pb2.Commit.FromString(each.data))
        return state

    async def handed_over(self, count: int) -> None:
        """Wait until so many championships are begun and nothing is pending."""
        await until(lambda: len(self.cups.begun) == count)
        async with asyncio.timeout(20):
            while (await self.state()).pending:  # noqa: ASYNC110 - the log tells nobody
                await asyncio.sleep(0.01)


@asynccontextmanager
async def platform(folder: Path) -> AsyncIterator[Platform]:
    with NatsServer() as server:
        connection = await connect(NatsSettings(servers=(server.url,)))
        await ensure_streams(connection)
        running = Platform(server, JetStreamLog(connection), folder)
        cups = grpc.aio.server()
        servicer = CupServer(running.cups)  # type: ignore[abstract]  # only Start is asked
        tournament_pb2_grpc.add_TournamentServiceServicer_to_server(servicer, cups)
        running.cups_port = cups.add_insecure_port("127.0.0.1:0")
        await cups.start()
        try:
            yield running
        finally:
            ends = [process.stop() for process in running.processes]
            await cups.stop(None)
            await connection.close()
        assert {end for end in ends if end != -signal.SIGKILL} <= {0}


async def join(stub: Any, player: str, command: str = "join") -> matchmaking_pb2.Queue:
    request = matchmaking_pb2.JoinRequest(player=player, command=command)
    queue: matchmaking_pb2.Queue = (await stub.Join(request, timeout=10)).queue
    return queue


async def test_two_replicas_take_a_burst_and_call_each_championship_once(tmp_path: Path) -> None:
    async with platform(tmp_path) as running:
        (_, one), (_, two) = await running.replica(), await running.replica()
        crowd = people(32 * 3 + 4)
        await asyncio.gather(*(join((one, two)[at % 2], player) for at, player in enumerate(crowd)))
        await running.handed_over(3)
        state = await running.state()
        playing = Counter(player for cup in running.cups.begun.values() for player in cup)
        assert sorted([*playing, *(place.player for place in state.line)]) == crowd
        assert set(playing.values()) == {1}
        assert all(is_id(championship) for championship in running.cups.begun)
        cup, players = next(iter(running.cups.begun.items()))
        await running.cups.put_out(cup, 1)
        await running.cups.cancel(cup)
        async with asyncio.timeout(20):
            while len((await running.state()).busy) != 64:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        queue = await join(two, players[5], "again")
        assert queue.places[0].player == players[5]


async def test_a_killed_replica_is_made_up_for_by_the_next(tmp_path: Path) -> None:
    async with platform(tmp_path) as running:
        running.cups.away = True
        first, stub = await running.replica(QUEUE_WAIT_SECONDS="0")
        for player in people(9):
            await join(stub, player)
        await until(lambda: bool(running.cups.asked))
        first.kill()
        running.cups.away = False
        process, stub = await running.replica(QUEUE_WAIT_SECONDS="0")
        await running.handed_over(1)
        shown = await stub.Show(matchmaking_pb2.ShowRequest())
        assert [place.player for place in shown.queue.places] == ["p009"]
        assert (shown.busy, list(shown.pending)) == (8, [])
        assert process.stop() == 0


async def test_an_outage_of_the_log_ends_well(tmp_path: Path) -> None:
    async with platform(tmp_path) as running:
        _, stub = await running.replica(QUEUE_WAIT_SECONDS="1")
        for player in people(8):
            await join(stub, player)
        running.server.restart(kill=True)
        await running.handed_over(1)
        assert list(running.cups.begun.values()) == [people(8)]


async def test_a_gateway_attends_and_its_end_is_seen(tmp_path: Path) -> None:
    async with platform(tmp_path) as running:
        _, stub = await running.replica(CLOCK_SCALE="0.02", LOCAL="true")
        call = stub.Attend()
        await call.write(matchmaking_pb2.AttendRequest(here=["ana", "bia"]))
        assert not (await call.read()).queue.places
        await join(stub, "ana")
        told = await call.read()
        assert [place.player for place in told.queue.places] == ["ana"]
        assert told.queue.wait_ms == 600 * 1000 * 0.02
        call.cancel()
        other = stub.Attend()
        async for told in other:
            left = [(left.player, left.leaving) for left in told.left]
            if left:
                assert left == [("ana", matchmaking_pb2.LEAVING_GONE)]
                break
        other.cancel()


async def test_metrics_and_health_are_served(tmp_path: Path) -> None:
    async with platform(tmp_path) as running:
        process, stub = await running.replica()
        await join(stub, "ana")
        port = (await process.ports())["http_port"]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        page = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
        assert "laelo_matchmaking_waiting 1\n" in page
        assert 'laelo_matchmaking_called_total{tier="gold",players="32"} 0\n' in page


def test_wrong_settings_are_said_in_one_sentence() -> None:
    for settings, status, said in (
        ({"TOURNAMENT_ADDRESSES": "nowhere"}, 1, "LAELO_MATCHMAKING_TOURNAMENT_ADDRESSES"),
        ({"CLOCK_SCALE": "0.5"}, 1, "LAELO_MATCHMAKING_LOCAL=true"),
        ({"NATS_URL": "nats://127.0.0.1:9", "START_SECONDS": "1"}, 1, "MATCHMAKING_NATS_URL"),
        ({"QUEUE_WAIT_SECONDS": "soon"}, 2, "LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS"),
    ):
        values = {"TOURNAMENT_ADDRESSES": "127.0.0.1:9"} | settings
        own = {f"LAELO_MATCHMAKING_{name}": value for name, value in values.items()}
        done = subprocess.run(
            [sys.executable, "-m", "laelo_matchmaking.main"],
            env={**os.environ, **own}, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == status
        assert said in done.stderr
        assert "Traceback" not in done.stderr
