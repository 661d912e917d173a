"""Nobody comes to a championship: the clock alone plays it to its end, in the time it takes."""

import asyncio

import pytest
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_tools.championships.verify import Report
from laelo_tools.cli import main
from laelo_tools.history.source import Histories, histories
from laelo_tools.platform import Options, Platform

from .crowd import Crowd, championship, checked, eventually, join_in_turn, nobody_in_limbo

pytestmark = pytest.mark.integration

SCALE = 0.001
PAUSE_MS = 6_000
REST_MS, LONG_MS, SHORT_MS = 15_000, 15_000, 3_000
GIVEN_MS = 1_000
"""How much longer than its clock a turn may take, at most."""
OPTIONS = Options(
    port=0,
    sync="default",
    pause_ms=PAUSE_MS,
    tables=1,
    tournaments=1,
    matchmaking=1,
    clock_scale=SCALE,
    env={
        # The queue's own times are left alone, but for the wait: nobody shall drop out of it.
        "matchmaking": {
            "LAELO_MATCHMAKING_CLOCK_SCALE": "1",
            "LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "0",
        }
    },
)


async def test_it_ends_by_the_clock_alone_in_its_time() -> None:
    async with Platform(OPTIONS) as platform:
        async with Crowd(platform, "Ausente") as crowd:
            people = await crowd.come(8)
            await join_in_turn(people)
            await people[0].until(lambda: people[0].call, 20)
            assert people[0].call is not None
            name = people[0].call["championship"]

        async def is_over() -> bool:
            found = (await championship(platform, name)).championship
            return found.stage == tournament_pb2.STAGE_OVER

        await eventually(is_over)
        await nobody_in_limbo(platform)
        report = await checked(platform, name)
        assert report.faults == []
        async with histories(platform.nats_url) as log:
            assert (await actors(log, report)).get(log_pb2.ACTOR_PERSON, 0) == 0
            bound = await bound_ms(log, report)
        took = report.state.ended_ms - report.state.started_ms
        assert took <= bound
        for argv in (["log", "verify", "--all"], ["championships", "verify", "--all"]):
            assert await asyncio.to_thread(main, [*argv, "--nats", platform.nats_url]) == 0


async def commits_of(log: Histories, table: str) -> list[events_pb2.Commit]:
    """All that happened at a table."""
    records, _ = await log.of(table)
    return [events_pb2.Commit.FromString(record.data) for record in records]


async def actors(log: Histories, report: Report) -> dict[int, int]:
    """How many tiles and passes were made by whom."""
    made: dict[int, int] = {}
    for called in report.state.called.values():
        for commit in await commits_of(log, called.table):
            if any(e.WhichOneof("event") in ("played", "passed") for e in commit.events):
                made[commit.head.actor] = made.get(commit.head.actor, 0) + 1
    assert sum(made.values()) > 50 * len(report.state.called)
    return made


async def bound_ms(log: Histories, report: Report) -> float:
    """How long it may take: along the longest path of the bracket, each turn its own clock and a
    second, the pauses between hands, and the rest before each match (R20, R41).
    """
    free = dict.fromkeys(range(1, len(report.state.teams) + 1), 0.0)
    for name, called in report.state.called.items():
        assert name in report.state.decided
        took = sum(map(_time_of, await commits_of(log, called.table)))
        begins = max(free[called.team_a], free[called.team_b]) + REST_MS * SCALE
        free[called.team_a] = free[called.team_b] = begins + took
    return max(free.values())


def _time_of(commit: events_pb2.Commit) -> float:
    """What a table may wait after a commit."""
    happened = {str(event.WhichOneof("event")): event for event in commit.events}
    if "turn_began" in happened:
        short = happened["turn_began"].turn_began.short_clock
        return (SHORT_MS if short else LONG_MS) * SCALE + GIVEN_MS
    pauses = happened.keys() & {"hand_ended", "match_started"} and "match_ended" not in happened
    return PAUSE_MS * SCALE if pauses else 0
