"""absent-round: matches of a championship end although nobody comes to them.

Seen elsewhere: online-go/online-go.com#1430. At some tables nobody ever looks; at one all four
people come, and leave as the match begins. The clock alone plays them all to the end, in no
more than the turns' own clocks (R20) and a second for each, and the pauses; then the tables
close. With times a hundredth as long as in earnest.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
import pytest
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2, table_pb2_grpc
from laelo_common.ids import new_id
from laelo_tools.history.source import Histories, histories
from laelo_tools.history.verify import verify_table
from laelo_tools.platform import Options, Platform

pytestmark = [pytest.mark.faults, pytest.mark.integration]

SCALE = 0.01
KEPT_SECONDS = 100
"""How long a friendly table is kept that all have left: so much scaled, a match takes longer."""

TABLES = 4
PEOPLE = ("p0", "p1", "p2", "p3")
ANIMALS = ("aratu", "arraia", "asa-branca", "bem-te-vi")
LONG_MS, SHORT_MS = 15_000 * SCALE, 3_000 * SCALE
PAUSE_MS, CLOSING_MS = 6_000 * SCALE, 60_000 * SCALE
LATE_MS = 1_000
"""What each turn, and each pause, may take longer than its clock."""

MOVES = {"played", "passed", "opener_chosen"}


async def open_match(stub: Any, table: str, number: int) -> None:
    """Open a table for a match that starts in half a second."""
    people = zip(PEOPLE, ANIMALS, strict=True)
    command = table_pb2.Command(
        table=table,
        command="open",
        kind=table_pb2.KIND_OPEN_MATCH,
        options=table_pb2.Options(championship="01J0000000000000000000000C", match=f"W1-{number}"),
        people=[table_pb2.Sitting(player=player, animal=animal) for player, animal in people],
        start_ms=time.time_ns() // 1_000_000 + 500,
    )
    answer = await stub.Submit(table_pb2.SubmitRequest(command=command))
    assert answer.update.code == "", answer


@asynccontextmanager
async def watched(stub: Any, table: str) -> AsyncIterator[None]:
    """All four see the table; afterwards they have gone, all at once."""
    stream = stub.Connect()
    watches = [
        table_pb2.Command(
            id=number,
            table=table,
            command=f"watch{number}",
            kind=table_pb2.KIND_WATCH,
            player=player,
            window="w",
        )
        for number, player in enumerate(PEOPLE, 1)
    ]
    await stream.write(table_pb2.ConnectRequest(items=watches))
    answered: set[int] = set()
    while len(answered - {0}) < len(PEOPLE):
        answered |= {update.id for update in (await stream.read()).items}
    yield
    stream.cancel()


async def until(log: Histories, table: str, kind: str) -> None:
    """Wait for an event."""
    async with asyncio.timeout(120):
        while not times(await commits_of(log, table), kind):  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def commits_of(log: Histories, table: str) -> list[events_pb2.Commit]:
    records, _ = await log.of(table)
    return [events_pb2.Commit.FromString(record.data) for record in records]


def times(commits: list[events_pb2.Commit], *kinds: str) -> list[int]:
    """When events of these kinds happened."""
    return [
        commit.head.time_ms
        for commit in commits
        for event in commit.events
        if event.WhichOneof("event") in kinds
    ]


def check_bound(commits: list[events_pb2.Commit]) -> None:
    """The match took no longer than its clocks and pauses say."""
    turns = [
        event.turn_began
        for commit in commits
        for event in commit.events
        if event.HasField("turn_began")
    ]
    clocks_ms = sum(SHORT_MS if turn.short_clock else LONG_MS for turn in turns)
    pauses = len(times(commits, "deal_committed"))
    most_ms = clocks_ms + len(turns) * LATE_MS + pauses * (PAUSE_MS + LATE_MS)
    (began_ms,), (ended_ms,) = times(commits, "match_started"), times(commits, "match_ended")
    assert began_ms - commits[0].head.deadline_ms <= LATE_MS
    assert ended_ms - began_ms <= most_ms
    assert times(commits, "table_closed")[0] - ended_ms <= CLOSING_MS + LATE_MS


def check_played_by_the_clock(commits: list[events_pb2.Commit]) -> None:
    moves = [commit.head for commit in commits if times([commit], *MOVES)]
    assert moves
    assert {head.actor for head in moves} == {log_pb2.ACTOR_CLOCK}
    closing = commits[-1].events[0].table_closed.closing
    assert closing == events_pb2.CLOSING_OVER


async def test_matches_end_by_the_clock_alone() -> None:
    env = {"table": {"LAELO_TABLE_EMPTY_SECONDS": str(KEPT_SECONDS)}}
    options = Options(port=0, tables=2, clock_scale=SCALE, env=env)
    tables = [new_id() for _ in range(TABLES)]
    async with Platform(options) as platform, histories(platform.nats_url) as log:
        async with grpc.aio.insecure_channel(platform.addresses["table-1"]) as channel:
            stub = table_pb2_grpc.TableServiceStub(channel)
            for number, table in enumerate(tables, 1):
                await open_match(stub, table, number)
            async with watched(stub, tables[0]):
                await until(log, tables[0], "match_started")
        for table in tables:
            await until(log, table, "table_closed")
            commits = await commits_of(log, table)
            check_played_by_the_clock(commits)
            check_bound(commits)
            records, snapshot = await log.of(table)
            assert verify_table(table, records, snapshot).faults == []
        gone = times(await commits_of(log, tables[0]), "person_gone")
        assert len(gone) == len(PEOPLE)
