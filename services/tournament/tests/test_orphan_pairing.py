"""orphan-pairing: a crash between pairing and table leaves nobody in limbo.

Seen elsewhere: lichess-org/lila#1180. A championship goes on to its end, and its points are
booked once, although the only process that serves it dies: before or after each thing that it
does to the log, to the tables and to the records, one after the other, and in any combination.
Nobody but matchmaking, which asks until it is answered, does anything twice.
"""

import asyncio
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_common.testing.waiting import until
from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.domain.commands import Start
from laelo_tournament.domain.public import public
from laelo_tournament.domain.ranking import awards, leaderboard
from laelo_tournament.domain.weeks import week_of

from .conftest import Server
from .crashes import Fate, mortal
from .house import House, a_start, begin, until_over
from .memory_records import MemoryRecords
from .story import check_story

pytestmark = pytest.mark.faults

NEVER = 1 << 30
lives = st.lists(st.tuples(st.integers(1, 20), st.booleans()), max_size=5)


async def live(house: House, start: Start, fate: Fate) -> None:
    """One life of the process, until it dies or there is nothing more to do."""
    async with house.replica(mortal(house.world, fate)) as replica:
        asking = asyncio.create_task(begin(replica, start))
        over = asyncio.create_task(until_over(replica, start.championship))
        dying = asyncio.create_task(fate.dead.wait())
        done, _ = await asyncio.wait((over, dying), return_when=asyncio.FIRST_COMPLETED)
        for task in (asking, over, dying):
            task.cancel()
        await asyncio.gather(asking, over, dying, return_exceptions=True)
        if over in done:
            over.result()


async def die_at(house: House, step: int, *, before: bool) -> bool:
    """Die once at a step and live on; whether there was such a step."""
    start, fate = a_start(), Fate(step, before=before)
    await live(house, start, fate)
    if fate.dead.is_set():
        await live(house, start, Fate(NEVER, before=True))
    await check_story(house, start.championship)
    return fate.dead.is_set()


@pytest.mark.parametrize("before", [True, False])
async def test_a_crash_at_any_step_loses_nothing(before: bool) -> None:
    house = House()
    for step in count(1):
        if not await die_at(house, step, before=before):
            break
    assert step > 2 * 6  # each match has a table and a result
    assert isinstance(house.records, MemoryRecords)
    assert len(house.records.booked) == len(set(house.records.booked)) == step


@settings(max_examples=100, deadline=None)
@given(lives)
def test_many_crashes_lose_nothing(fates: list[tuple[int, bool]]) -> None:
    async def run() -> None:
        house, start = House(), a_start()
        for step, before in fates:
            await live(house, start, Fate(step, before=before))
        await live(house, start, Fate(NEVER, before=True))
        await check_story(house, start.championship)
        assert isinstance(house.records, MemoryRecords)
        assert house.records.booked == [start.championship]

    asyncio.run(run())


@settings(max_examples=50, deadline=None)
@given(lives)
def test_one_of_two_processes_dies_again_and_again(fates: list[tuple[int, bool]]) -> None:
    async def run() -> None:
        house, start = House(), a_start()
        async with house.replica() as other:
            for step, before in fates:
                await live(house, start, Fate(step, before=before))
            await begin(other, start)
            await until_over(other, start.championship)
        await check_story(house, start.championship)
        assert isinstance(house.records, MemoryRecords)
        assert house.records.booked == [start.championship]

    asyncio.run(run())


async def test_nobody_has_to_come_back_for_a_championship_to_go_on() -> None:
    """Dead right after the start was stored: the next process goes on without being asked."""
    house, start, fate = House(), a_start(), Fate(1, before=False)
    await live(house, start, fate)
    assert fate.dead.is_set()
    async with house.replica() as replica:
        await until_over(replica, start.championship)
    await check_story(house, start.championship)


@pytest.mark.integration
@pytest.mark.parametrize("before", [True, False])
async def test_points_are_booked_once_whenever_it_dies(server: Server, before: bool) -> None:
    async with server.records() as records:
        house = House(records=records)
        for step in count(1):
            if not await die_at(house, step, before=before):
                break
        await check_bookings(house, records, step)


async def check_bookings(house: House, records: PostgresRecords, championships: int) -> None:
    """What is booked are the points of the log, no more and no less."""
    ended = await records.ended(1000, "")
    assert len(ended) == championships
    states = [await house.state(championship.id) for championship in ended]
    booked = [award for state in states for award in awards(state)]
    week = week_of(house.now_ms())
    standing = await records.standing(week, 1000, states[0].players[0])
    assert standing.rows == leaderboard(booked, week)
    for state in states:
        record = await records.championship(state.id)
        assert record is not None
        assert record.championship == public(state)


async def test_tables_that_are_away_for_long_are_only_late() -> None:
    house, start = House(), a_start()
    house.tables.away = True
    for step in range(3):
        await live_shortly(house, start, step)
    house.tables.away = False
    await live(house, start, Fate(NEVER, before=True))
    await check_story(house, start.championship)


async def live_shortly(house: House, start: Start, step: int) -> None:
    async with house.replica() as replica:
        if step == 0:
            await begin(replica, start)
        await until(lambda: len(replica.stewards) == 2)
