"""A championship's table through all services: who plays there is shown to nobody (R40)."""

import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from signal import SIGKILL
from typing import Any

import grpc.aio
import pytest
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.ids import new_id
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.platform import Options, Platform

from .player import Frame, Player

pytestmark = [pytest.mark.integration, pytest.mark.faults]

NAMES = ("Zuleica", "Wanderley", "Quitéria", "Xisto", "Yolanda")
ANIMALS = ("aratu", "arraia", "asa-branca", "bem-te-vi")
REFUSED: dict[str, Frame] = {
    "table.leave": {},
    "table.start": {},
    "table.kick": {"seat": 1},
    "table.swap": {"seats": [0, 1]},
    "table.close": {},
    "seat.bot": {"seat": 1},
    "seat.unbot": {"seat": 1},
}


@asynccontextmanager
async def people(platform: Platform) -> AsyncIterator[list[Player]]:
    """Four who play, and one who watches."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(Player(platform.url, name, seed))
            for seed, name in enumerate(NAMES)
        ]


def id_of(player: Player) -> str:
    heard: list[Frame] = [json.loads(text) for text in player.heard]
    welcome = next(frame for frame in heard if frame["t"] == "welcome")
    return str(welcome["d"]["me"]["id"])


async def submit(platform: Platform, **command: Any) -> str:
    """Have a table replica do something; why not, if it refuses."""
    async with grpc.aio.insecure_channel(platform.addresses["table-2"]) as channel:
        stub = table_pb2_grpc.TableServiceStub(channel)
        request = table_pb2.SubmitRequest(command=table_pb2.Command(**command))
        return str((await stub.Submit(request)).update.code)


async def open_match(platform: Platform, table: str, players: Sequence[Player]) -> None:
    sitting = [
        table_pb2.Sitting(player=id_of(player), animal=animal)
        for player, animal in zip(players, ANIMALS, strict=True)
    ]
    code = await submit(
        platform,
        table=table,
        command="open",
        kind=table_pb2.KIND_OPEN_MATCH,
        options=table_pb2.Options(championship=new_id(), match="W1-1"),
        people=sitting,
        start_ms=time.time_ns() // 1_000_000 + 1_500,
    )
    assert code == ""


async def look(table: str, players: Sequence[Player]) -> None:
    """All watch the table."""
    for player in players:
        player.table = table
        await player.ask("watch")
        await player.until(lambda player=player: player.view)  # type: ignore[misc]


def closings(player: Player) -> list[str]:
    """How the table was closed, as a player was told."""
    frames = [json.loads(text) for text in player.heard]
    return [
        event["closing"]
        for frame in frames
        if frame["t"] == "event"
        for event in frame["d"]["events"]
        if event["k"] == "closed"
    ]


def check_nobody_is_named(everybody: Sequence[Player]) -> None:
    """Nothing that anybody was sent has another's name or id in it."""
    for viewer in everybody:
        heard = "\n".join(viewer.heard)
        for other in everybody:
            if other is not viewer:
                assert other.name not in heard
                assert json.dumps(other.name)[1:-1] not in heard
                assert id_of(other) not in heard


async def test_a_match_is_played_by_animals_and_the_clock() -> None:
    """One of four never moves, and in mid-match all table replicas are killed."""
    options = Options(port=0, tables=2, clock_scale=0.02)
    async with Platform(options) as platform, people(platform) as everybody:
        *players, watcher = everybody
        table = new_id()
        players[3].holds = lambda _: True
        await open_match(platform, table, players)
        await look(table, everybody)
        assert [player.view.get("me") for player in everybody] == [0, 1, 2, 3, None]
        assert [seat["animal"] for seat in watcher.view["seats"]] == list(ANIMALS)
        assert watcher.view["official"] == "W1-1"
        for kind, data in REFUSED.items():
            assert (await players[0].ask(kind, data))["d"]["code"] == "OFFICIAL_TABLE", kind
        assert (await watcher.ask("table.sit", {}))["d"]["code"] == "OFFICIAL_TABLE"

        await watcher.until(lambda: watcher.seq >= 30)
        for name in ("table-1", "table-2"):
            await platform.kill(name, SIGKILL)
        for name in ("table-1", "table-2"):
            await platform.restart(name)
        for player in everybody:
            await player.played(1)
            await player.until(lambda player=player: closings(player))  # type: ignore[misc]
            assert closings(player) == ["over"]
            assert player.matches == watcher.matches
        check_nobody_is_named(everybody)
        async with histories(platform.nats_url) as log:
            records, snapshot = await log.of(table)
            assert verify_table(table, records, snapshot).faults == []


async def test_a_cancelled_championship_ends_its_table() -> None:
    async with Platform(Options(port=0, tables=2)) as platform, people(platform) as everybody:
        *players, _ = everybody
        table = new_id()
        await open_match(platform, table, players)
        await look(table, everybody)
        await everybody[0].until(lambda: everybody[0].seq >= 5)
        cancel = {"table": table, "command": "cancel", "kind": table_pb2.KIND_CANCEL}
        assert await submit(platform, **cancel) == ""
        for player in everybody:
            await player.until(lambda player=player: closings(player))  # type: ignore[misc]
            assert closings(player) == ["cancelled"]
        assert await submit(platform, **cancel) == ""
        refused = await players[0].ask("table.leave")
        assert refused["d"]["code"] == "TABLE_CLOSED"
