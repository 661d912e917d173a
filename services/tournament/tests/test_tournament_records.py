"""Records, in memory and in PostgreSQL: what both have to do alike."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import asyncpg
import pytest
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Aggregate, Kind, read_pages
from laelo_common.testing.waiting import until
from laelo_tournament import records as recording
from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.domain.public import entries, public, without_matches
from laelo_tournament.domain.ranking import awards, leaderboard
from laelo_tournament.domain.state import Championship
from laelo_tournament.domain.weeks import WEEK_MS, week_of
from laelo_tournament.ports import Batch, Ending, GapError, Records
from laelo_tournament.records import Recorder, Remaking

from .championships import NOON_MS, Story, names
from .conftest import Server, a_server
from .house import House, Replica, a_start, begin
from .memory_records import MemoryRecords


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.integration)])
async def records(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Records]:
    if request.param == "memory":
        yield MemoryRecords()
        return
    async with a_server(tmp_path) as server:
        await server.start()
        async with server.records() as made:
            yield made


def over(number: int, now_ms: int, players: tuple[str, ...]) -> Championship:
    """A championship that was played."""
    chance = Random(number)
    seed = chance.randbytes(32)
    story = Story(now_ms).start(players, seed).to_the_end(chance)
    return story.state._replace(id=f"{number:026}")


def some(count: int, people: int = 12) -> list[Championship]:
    """Championships of the same people in three weeks, some of them over at the same moment."""
    chance = Random(count)
    pool = names(people)
    states = []
    for number in range(count):
        players = tuple(chance.sample(pool, 8))
        state = over(number, NOON_MS + chance.randrange(3) * WEEK_MS, players)
        states.append(state._replace(ended_ms=state.ended_ms - state.ended_ms % 3_600_000))
    return states


def batch(states: list[Championship], first: int = 1, *, begins: bool = True) -> Batch:
    """All of them, one after the other."""
    endings = [Ending(place, state) for place, state in enumerate(states, first)]
    return Batch(first, first + len(states) - 1, endings, begins)


async def test_what_is_recorded_is_found(records: Records) -> None:
    states = some(6)
    assert await records.write(batch(states)) == 6
    order = sorted(states, key=lambda state: (state.started_ms, state.id), reverse=True)
    assert await records.ended(4, "") == [without_matches(state) for state in order[:4]]
    for player in names(12):
        found = await records.ended(100, player)
        assert found == [without_matches(state) for state in order if player in state.players]
        older = [one for one in found if one.started_ms < found[0].started_ms]
        assert await records.ended(100, player, found[0].started_ms) == older
    for state in states:
        record = await records.championship(state.id)
        assert record is not None
        assert record.championship == public(state)
        assert list(record.entries) == entries(state)
    assert await records.championship("nothing") is None
    earlier = [state for state in order if state.started_ms < order[1].started_ms]
    assert await records.ended(10, "", order[1].started_ms) == list(map(without_matches, earlier))
    assert await records.ended(10, "nobody") == []


async def test_the_ranking_is_that_of_the_rules(records: Records) -> None:
    states = some(20)
    await records.write(batch(states))
    booked = [award for state in states for award in awards(state)]
    weeks = sorted({week_of(award.at_ms) for award in booked}, reverse=True)
    assert len(weeks) == 3
    shared = 0
    for week in weeks:
        rows = leaderboard(booked, week)
        shared += len(rows) - len({row.rank for row in rows})
        for limit in (1, 5, 100):
            for player in (*names(12), "nobody", ""):
                standing = await records.standing(week, limit, player)
                own = next((row for row in rows if row.player == player), None)
                assert list(standing.rows) == rows[:limit]
                assert standing.own == own
                assert list(standing.weeks) == weeks
    assert shared
    nothing = await records.standing("2024-01-01", 10, "")
    assert (list(nothing.rows), nothing.own) == ([], None)


async def test_what_overlaps_is_recorded_once(records: Records) -> None:
    states = some(6)
    assert await records.write(batch(states[:3])) == 3
    assert await records.write(batch(states[:2])) == 3
    assert await records.write(batch(states[1:5], 2, begins=False)) == 5
    assert await records.write(batch(states)) == 6
    assert len(await records.ended(100, "")) == 6


async def test_many_at_once_record_it_once(records: Records) -> None:
    states = some(6)
    cursors = await asyncio.gather(
        *(records.write(batch(states[:until])) for until in (3, 6, 1, 6, 2))
    )
    assert max(cursors) == 6
    assert len(await records.ended(100, "")) == 6


async def test_a_gap_is_refused_and_changes_nothing(records: Records) -> None:
    states = some(4)
    with pytest.raises(GapError):
        await records.write(batch(states[1:], 2, begins=False))
    # A log that has forgotten its beginning, before anything was recorded.
    assert await records.write(batch(states[1:2], 2)) == 2
    for begins in (True, False):
        with pytest.raises(GapError):
            await records.write(batch(states[3:], 4, begins=begins))
    assert len(await records.ended(100, "")) == 1
    await records.clear()
    assert await records.ended(100, "") == []
    assert (await records.standing(week_of(NOON_MS), 10, "")).weeks == []
    assert await records.write(batch(states)) == 4


@pytest.mark.integration
async def test_a_postgres_that_is_late_or_lost_is_try_later(
    stopped_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Championships go on, the ranking has to wait, and is right as soon as it is there."""
    monkeypatch.setattr("laelo_common.postgres.database.RETRY_SECONDS", 0.05)
    async with stopped_server.database() as database:
        house = House(records=PostgresRecords(database))
        reaching = asyncio.create_task(database.reach())
        async with house.replica() as replica:
            over_before = await played(replica)
            await refused(house.records)
            await stopped_server.start()
            await recorded(replica, over_before)
            await reaching
            await stopped_server.stop()
            over_meanwhile = await played(replica)
            await refused(house.records)
            await stopped_server.start()
            await recorded(replica, over_meanwhile)
        assert replica.recorder.failures
        for championship in (over_before, over_meanwhile):
            assert await house.records.championship(championship)


async def played(replica: Replica) -> str:
    """A championship, played to its end whether or not it is recorded."""
    start = a_start()
    await begin(replica, start)
    await until(lambda: start.championship in replica.mirror.recent)
    return start.championship


async def recorded(replica: Replica, championship: str) -> None:
    """Wait until a championship that is over is recorded by this replica."""
    async with asyncio.timeout(20):
        await replica.recorder.recorded_to(replica.mirror.recent[championship].sequence)


async def refused(records: Records) -> None:
    with pytest.raises(LaeloError) as error:
        await records.standing(week_of(NOON_MS), 10, "")
    assert error.value.code is Code.TRY_LATER


async def test_while_records_are_away_little_piles_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_WAITING", 3)
    monkeypatch.setattr(recording, "MOST_TOGETHER", 2)
    monkeypatch.setattr("laelo_tournament.patience.FIRST_PAUSE", 0.001)
    monkeypatch.setattr("laelo_tournament.patience.LONGEST_PAUSE", 0.001)
    house = House()
    async with house.replica() as replica:
        championships = [await played(replica) for _ in range(12)]
    shared = MemoryRecords()
    shared.away = True
    recorder = Recorder(house.log, shared)
    running = asyncio.create_task(recorder.run())
    await until(lambda: recorder.failures > 20)
    assert recorder.waiting <= 3
    shared.away = False
    async with asyncio.timeout(20):
        await recorder.recorded_to(replica.mirror.recent[championships[-1]].sequence)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert shared.booked == championships
    again = MemoryRecords()
    await Remaking(again).take(read_pages(house.log, Kind.CHAMPIONSHIP, 0, recorder.cursor))
    assert (again.booked, again.states) == (shared.booked, shared.states)


async def test_a_championship_that_makes_no_sense_stops_no_other() -> None:
    house = House()
    async with house.replica() as replica:
        first = a_start()
        house.tables.holds = True
        await begin(replica, first)
        aggregate = Aggregate(Kind.CHAMPIONSHIP, first.championship)
        await house.log.append(aggregate, b"\xff", 1, "nonsense")
        await until(lambda: replica.mirror.unreadable == 1)
        house.tables.holds = False
        second = await played(replica)
        await recorded(replica, second)
        with pytest.raises(LaeloError) as error:
            await replica.championships.get(first.championship)
        assert error.value.code is Code.INTERNAL
    assert isinstance(house.records, MemoryRecords)
    assert house.records.booked == [second]


@pytest.mark.integration
async def test_a_database_without_room_is_asked_again_later(server: Server) -> None:
    async with server.database() as database:
        await database.reach()
        with pytest.raises(LaeloError) as raised:
            async with database.connection():
                raise asyncpg.DiskFullError("no space left")
        assert raised.value.code is Code.TRY_LATER
        async with database.connection() as connection:
            assert await connection.fetchval("SELECT 1") == 1
