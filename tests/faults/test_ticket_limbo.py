"""ticket-limbo: whoever waits for a championship is never lost and never in two.

Seen elsewhere: googleforgames/open-match#1037, #1159: a matchmaker that crashed between the
claim of its tickets and their hand-over left people in neither queue nor game. Here the claim is
a commit that stays pending until the tournament service has begun the championship, and any
replica, also one that has just started, hands over what it finds pending.
"""

import asyncio

import pytest
from laelo_common.testing.waiting import until

from services.matchmaking.tests.kit import people
from services.matchmaking.tests.town import PATIENT, Hall, Town

pytestmark = pytest.mark.faults

AT_ONCE = PATIENT._replace(wait_ms=1)
EIGHT = people(8)


async def turns(count: int) -> None:
    """Let everything else go on a little."""
    for _ in range(count):
        await asyncio.sleep(0)


async def begun(town: Town, hall: Hall) -> None:
    await until(lambda: bool(town.called()) and not hall.state.pending)


@pytest.mark.parametrize("late", range(12))
async def test_leaving_races_the_trigger(late: int) -> None:
    """At every moment from before the claim to behind it, on the other replica."""
    town = Town()
    async with town.replica() as one, town.replica() as two:
        await one.join_all(people(31))
        joining = asyncio.create_task(one.join("p032"))
        await turns(late)
        assert await two.leave("p005") is None
        assert await joining is None
        if "p005" not in town.state().busy:
            await one.join_all(["p033"])
        await begun(town, one)
        await until(lambda: one.state == two.state)
        (called,) = town.called()
        left = [e.left.player for c in town.commits() for e in c.events if e.HasField("left")]
        assert ("p005" in called.players) != (left == ["p005"])
        assert len(one.state.busy) == 32
        assert not one.waiting
    town.check()


async def test_both_sides_win_the_race_sometimes() -> None:
    """Else the test above would show nothing."""
    outcomes = set()
    for late in range(12):
        town = Town()
        async with town.replica() as one, town.replica() as two:
            await one.join_all(people(31))
            joining = asyncio.create_task(one.join("p032"))
            await turns(late)
            await two.leave("p005")
            await joining
            outcomes.add("p005" in town.state().busy)
    assert outcomes == {True, False}


async def claimed_and_dead(town: Town) -> None:
    """A replica claims eight and dies before the tournament service has heard of them."""
    town.cups.away = True
    async with town.replica() as hall:
        await hall.join_all(EIGHT)
        await until(lambda: bool(town.cups.asked))
    town.cups.away = False
    assert [list(called.players) for called in town.state().pending] == [EIGHT]
    assert not town.cups.begun


async def test_the_replica_that_starts_again_hands_over() -> None:
    town = Town(AT_ONCE)
    await claimed_and_dead(town)
    async with town.replica() as hall:
        await begun(town, hall)
        assert list(town.cups.begun.values()) == [EIGHT]
        assert sorted(hall.state.busy) == EIGHT
    town.check()


async def test_another_replica_hands_over() -> None:
    town = Town(AT_ONCE)
    async with town.replica() as other:
        await claimed_and_dead(town)
        await begun(town, other)
        assert list(town.cups.begun.values()) == [EIGHT]
    town.check()


async def test_what_was_handed_over_before_the_crash_begins_once() -> None:
    """The tournament service has begun it, but the queue's log does not say so yet."""
    town = Town(AT_ONCE)
    await claimed_and_dead(town)
    (called,) = town.called()
    async with town.replica() as hall:
        await begun(town, hall)
    assert list(town.cups.begun) == [called.championship]
    assert town.kinds().count("handed_over") == 1
    for request in town.cups.asked:
        assert (request.championship, list(request.players)) == (called.championship, EIGHT)
