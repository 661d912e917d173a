"""other-clock: one person's disconnection changes nobody else's clock.

Seen elsewhere: smogon/pokemon-showdown#2769. While matches are played people go and come
back, leave, sit down again, come with another window, and bots stand in, all at random. The
deadline of an open turn moves only if its own seat goes from a person to a bot or back;
that somebody is gone, or back before a bot has stood in, moves none at all.
"""

from collections import Counter
from itertools import pairwise

import pytest
from laelo.table.v1 import events_pb2
from laelo_table.domain.state import Table

from services.table.tests.house import House
from services.table.tests.kit import lively_match
from tests.faults.acting import ready_to_act

pytestmark = pytest.mark.faults

CLOCK_SECONDS = 15
SHORT_MS = 3_000
MATCHES = 40
COMINGS = ("person_gone", "person_back", "seat_held", "bot_stands_in", "seat_left", "seat_taken_2")


def kinds_of(commit: events_pb2.Commit) -> list[str]:
    return [str(event.WhichOneof("event")) for event in commit.events]


def check(before: Table, commit: events_pb2.Commit, after: Table) -> None:
    """A clock runs on unless its own seat has changed hands."""
    assert before.begun is not None
    seat = before.begun.seat
    was_bot, is_bot = bool(before.seats[seat].bot), bool(after.seats[seat].bot)
    if was_bot is is_bot:
        assert after.deadline_ms == before.deadline_ms, commit
    elif is_bot:
        assert after.deadline_ms <= before.deadline_ms, commit
    else:
        own_ms = SHORT_MS if before.begun.short_clock else CLOCK_SECONDS * 1000
        least_ms = commit.head.time_ms + SHORT_MS
        own_until_ms = before.turn_ms + own_ms + before.given_back_ms
        assert after.deadline_ms == max(own_until_ms, least_ms), commit


def test_only_the_clock_of_a_seat_that_changes_hands_moves() -> None:
    seen: Counter[str] = Counter()
    for seed in range(MATCHES):
        game = lively_match(seed, move_seconds=CLOCK_SECONDS)
        for (before, after), commit in zip(pairwise(game.states), game.commits, strict=True):
            kinds = kinds_of(commit)
            goes_on = before.begun is not None and after.turn == before.turn and not after.closed
            if goes_on and "deadline_moved" not in kinds:
                check(before, commit, after)
                seen.update(kinds)
    assert all(seen[kind] >= 10 for kind in COMINGS), seen


async def test_when_all_go_with_their_gateway_the_clock_runs_on() -> None:
    house = House()
    house.bot_after_ms = 1
    async with house.replica() as home:
        await home.open(move_seconds=CLOCK_SECONDS)
        await home.start()
        before = await ready_to_act(home)
        home.tables.forget(home.listener)
        await home.until_version(before.version + 4)
        after = await home.state()
        assert all(seat.gone for seat in after.seats)
        assert (after.turn, after.deadline_ms) == (before.turn, before.deadline_ms)
