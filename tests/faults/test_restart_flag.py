"""restart-flag: nobody loses a turn on time because the service was restarted.

Seen elsewhere: lichess-org/lila#18208. In the middle of a 15-second turn the replicas are
restarted. One after another nobody notices; all at once, and the time that the service was
away is given back: whoever was on turn has what was left, and 3 s at least.
"""

import time
from signal import SIGKILL, SIGTERM

import pytest
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.testing.waiting import until
from laelo_table.domain.state import Table
from laelo_tools.history.source import histories
from laelo_tools.platform import Options, Platform

from services.table.tests.house import House, Replica
from services.table.tests.kit import PEOPLE
from tests.faults.acting import ready_to_act
from tests.integration.player import Player

pytestmark = [pytest.mark.faults, pytest.mark.integration]

CLOCK_MS = 15_000
LEAST_MS = 3_000
CLOCK_SECONDS = 5
"""At the table that really waits."""
TABLES = ("table-1", "table-2")


async def long_turn(home: Replica) -> Table:
    """Play until somebody has the long clock."""
    while (state := await ready_to_act(home)).begun.short_clock:
        await home.move()
    return state


def moves_by_clock(commits: list[events_pb2.Commit]) -> list[str]:
    return [c.head.command for c in commits if c.head.command.startswith("clock-")]


def given_back(commits: list[events_pb2.Commit]) -> list[events_pb2.Commit]:
    return [c for c in commits if any(e.HasField("deadline_moved") for e in c.events)]


@pytest.mark.parametrize("away_ms", [10_000, 20_000, 3_600_000])
@pytest.mark.parametrize("thought_ms", [1_000, 14_500])
async def test_time_is_given_back_after_the_service_was_away(away_ms: int, thought_ms: int) -> None:
    house = House()
    async with house.replica() as dead:
        await dead.open(move_seconds=15)
        await dead.start()
        before = await long_turn(dead)
        house.ahead_ms += thought_ms
    house.ahead_ms += away_ms
    back_ms = house.now_ms()
    async with house.replica() as home:
        for player in PEOPLE:
            await home.must(table_pb2.KIND_WATCH, player)
        if thought_ms + away_ms >= CLOCK_MS:
            await home.until_version(before.version + 1)
            left_ms = max(LEAST_MS, CLOCK_MS - thought_ms)
            assert (await home.state()).deadline_ms >= back_ms + left_ms
        else:
            assert (await home.state()).deadline_ms == before.deadline_ms
        assert (await home.state()).turn == before.turn, "the turn is still open"
        assert moves_by_clock(house.commits()) == []
        assert (await home.move()).code == ""


@pytest.mark.parametrize("thought_ms", [1_000, 14_000])
async def test_time_is_given_back_after_the_log_was_away(thought_ms: int) -> None:
    house = House()
    async with house.replica() as home:
        await home.open(move_seconds=15)
        await home.start()
        before = await long_turn(home)
        house.ahead_ms += thought_ms
        house.log.reachable = False
        house.ahead_ms += 60_000
        house.log.reachable = True
        back_ms = house.now_ms()
        house.ahead_ms += DURABLE_MS
        assert await house.clocks.fire() > 0
        after = await home.state()
        assert after.turn == before.turn
        assert after.deadline_ms >= back_ms + max(LEAST_MS, CLOCK_MS - thought_ms - TEST_TAKES_MS)
        assert moves_by_clock(house.commits()) == []


DURABLE_MS = 1_000
"""The durable clock behind a deadline calls as much later."""
TEST_TAKES_MS = 500


class Ana(Player):
    """A person who thinks until she is told to move."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "Ana", seed=1)
        self.thinks = True
        self.holds = lambda _: self.thinks

    async def on_the_long_clock(self) -> int:
        """Play until it is her turn with the long clock; number of the turn."""
        while True:
            await self.until(lambda: (self.view.get("turn") or {}).get("seat") == 0)
            turn = self.view["turn"]
            if turn["ms"] > LEAST_MS:
                return int(turn["turn"])
            await self.moves()

    async def moves(self) -> None:
        """Move, now, and see that it counts."""
        before = self.seq
        self.thinks = False
        await self.act()
        self.thinks = True
        await self.until(lambda: self.seq > before)


async def log_of(platform: Platform, table: str) -> list[events_pb2.Commit]:
    async with histories(platform.nats_url) as log:
        records, _ = await log.of(table)
    return [events_pb2.Commit.FromString(record.data) for record in records]


async def test_a_rolling_restart_in_the_middle_of_a_turn_costs_nobody_the_turn() -> None:
    options = Options(port=0, pause_ms=0, bot_delay_ms="0", tables=2)
    async with Platform(options) as platform, Ana(platform.url) as ana:
        table = await ana.create(move_seconds=15)
        await ana.start()
        turn = await ana.on_the_long_clock()
        for name in TABLES:
            await platform.kill(name, SIGTERM)
            await platform.restart(name)
        await ana.moves()
        commits = await log_of(platform, table)
        assert given_back(commits) == [], "one of the two was always there"
        assert moves_by_clock(commits) == []
        ended = next(c.head for c in commits if c.head.version == turn + 1)
        assert ended.actor == log_pb2.ACTOR_PERSON
        assert ana.refused == []


async def test_a_turn_whose_time_was_up_while_all_were_away_goes_on() -> None:
    options = Options(port=0, pause_ms=0, bot_delay_ms="0", tables=2)
    async with Platform(options) as platform, Ana(platform.url) as ana:
        table = await ana.create(move_seconds=CLOCK_SECONDS)
        await ana.start()
        turn = await ana.on_the_long_clock()
        up_ms = time.time() * 1000 + ana.view["turn"]["ms"]
        for name in TABLES:
            await platform.kill(name, SIGKILL)
        await until(lambda: time.time() * 1000 > up_ms)
        for name in TABLES:
            await platform.restart(name)
        await ana.until(lambda: ana.seq > turn)
        await ana.moves()
        commits = await log_of(platform, table)
        (moved,) = given_back(commits)
        assert moved.head.turn == turn
        assert moved.head.deadline_ms >= moved.head.time_ms + LEAST_MS
        assert moves_by_clock(commits) == []
        assert ana.refused == []
