"""standings-restart: a restart mixes nothing up in the standings.

Seen elsewhere: gbtami/pychess-variants#1206. The process that records is killed after each
commit of the log, and in the midst of its work; what it has recorded equals, row by row, what
is recorded from the whole log at once, and what the rules say.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest
from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_common.errors import LaeloError
from laelo_common.log import Aggregate, Kind, Log, MemoryLog, Recorded, read_pages
from laelo_common.postgres import Database
from laelo_common.testing.waiting import until
from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.domain.commands import Cancel
from laelo_tournament.domain.ranking import awards, leaderboard
from laelo_tournament.domain.weeks import WEEK_MS, week_of
from laelo_tournament.mirror import id_in
from laelo_tournament.ports import Records
from laelo_tournament.rebuild import rebuild
from laelo_tournament.records import Recorder

from .conftest import Server
from .house import House, a_start, begin, until_over

pytestmark = [pytest.mark.faults, pytest.mark.integration]

TABLES = ("cursor", "championships", "entries", "awards", "weeks")
Rows = dict[str, list[tuple[Any, ...]]]


async def played() -> House:
    """Championships side by side, one of them cancelled, over two weeks, by the same people."""
    house = House()
    async with house.replica() as replica:
        first = a_start(tournament_pb2.TIER_SILVER)
        again = a_start()._replace(players=first.players[4:12])
        await asyncio.gather(begin(replica, first), begin(replica, again))
        for start in (first, again):
            await until_over(replica, start.championship)
        house.ahead_ms += WEEK_MS
        stopped, last = a_start(), a_start()._replace(players=again.players)
        house.tables.holds = True
        await begin(replica, stopped)
        await replica.championships.run(stopped.championship, Cancel("why not", "o"))
        house.tables.holds = False
        await begin(replica, last)
        await until_over(replica, last.championship)
    return house


async def rows_of(database: Database) -> Rows:
    """Everything that is recorded."""
    async with database.connection() as connection:
        return {
            table: sorted(
                tuple(row) for row in await connection.fetch(f"SELECT * FROM tournament_{table}")
            )
            for table in TABLES
        }


async def copy(recorded: Recorded, log: MemoryLog) -> None:
    """Store a commit of another log."""
    aggregate = Aggregate(Kind.CHAMPIONSHIP, id_in(recorded.subject))
    newest = await log.newest(aggregate)
    expected = newest.sequence if newest else 0
    await log.append(aggregate, recorded.data, expected, f"copy-{recorded.sequence}")


async def record_for_a_while(log: MemoryLog, records: Records, ticks: int | None) -> None:
    """A process that is killed once it has recorded everything, or in the midst of it."""
    recorder = Recorder(log, records)
    running = asyncio.create_task(recorder.run())
    if ticks is None:
        async with asyncio.timeout(20):
            await recorder.recorded_to(len(log._streams["TRN"]))
    for _ in range(ticks or 0):
        await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


class Mortal:
    """A connection that is the end of who uses it, right after one of its statements."""

    def __init__(self, connection: Any, statements: list[int]) -> None:
        self._connection = connection
        self._left = statements

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._connection, name)
        if name not in ("execute", "executemany", "fetch", "fetchrow", "fetchval"):
            return found

        async def last_words(*arguments: Any) -> Any:
            answer = await found(*arguments)
            self._left[0] -= 1
            if not self._left[0]:
                raise asyncio.CancelledError
            return answer

        return last_words


class MortalConnections:
    """Those of a process that dies after so many statements."""

    def __init__(self, database: Database, statements: int) -> None:
        self._database = database
        self._left = [statements]

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Any]:
        async with self._database.connection() as connection:
            yield Mortal(connection, self._left)


async def record_with_deaths(log: MemoryLog, database: Database) -> int:
    """Processes that die after the first statement, after the second and so on, until one lives
    long enough to record everything; how many died.
    """
    for statements in count(1):
        recorder = Recorder(log, PostgresRecords(MortalConnections(database, statements)))
        running = asyncio.create_task(recorder.run())
        done = asyncio.create_task(recorder.recorded_to(len(log._streams["TRN"])))
        async with asyncio.timeout(20):
            await asyncio.wait([running, done], return_when=asyncio.FIRST_COMPLETED)
        died = running.done()
        for task in (running, done):
            task.cancel()
        await asyncio.gather(running, done, return_exceptions=True)
        if not died:
            return statements - 1
    raise AssertionError


async def test_killed_after_each_statement_nothing_is_half_recorded(server: Server) -> None:
    house = await played()
    log = MemoryLog(house.now_ms)
    deaths = []
    async with server.database() as database:
        await database.reach()
        records = PostgresRecords(database)
        for recorded in house.memory._streams["TRN"]:
            await copy(recorded, log)
            deaths.append(await record_with_deaths(log, database))
        assert min(deaths) > 1
        live = await rows_of(database)
        await made_anew(log, database)
        assert await rows_of(database) == live
        await check_ranking(house, records)


async def test_killed_after_each_event_the_standings_are_those_of_the_log(server: Server) -> None:
    house = await played()
    commits = house.memory._streams["TRN"]
    choice = random.Random(7)
    log = MemoryLog(house.now_ms)
    async with server.database() as database:
        await database.reach()
        records = PostgresRecords(database)
        for recorded in commits:
            await copy(recorded, log)
            await record_for_a_while(log, records, choice.randrange(40))
            await asyncio.gather(*(record_for_a_while(log, records, None) for _ in range(2)))
        live = await rows_of(database)
        assert live["cursor"] == [(True, len(commits))]
        await made_anew(log, database)
        assert await rows_of(database) == live
        await check_ranking(house, records)


async def made_anew(log: Log, database: Database) -> None:
    """Make all records anew of what the log has."""
    last = (await log.life(Kind.CHAMPIONSHIP)).last  # type: ignore[attr-defined]
    async with database.connection() as connection:
        await rebuild(connection, lambda after: read_pages(log, Kind.CHAMPIONSHIP, after, last))


async def check_ranking(house: House, records: Records) -> None:
    """The ranking of both weeks is what the domain makes of the log."""
    ids = {id_in(recorded.subject) for recorded in house.memory._streams["TRN"]}
    states = [await house.state(championship) for championship in sorted(ids)]
    booked = [award for state in states for award in awards(state)]
    weeks = [week_of(house.now_ms()), week_of(house.now_ms() - WEEK_MS)]
    for week in weeks:
        rows = leaderboard(booked, week)
        assert rows
        for row in rows:
            standing = await records.standing(week, 3, row.player)
            assert (standing.rows, standing.own) == (rows[:3], row)
            assert standing.weeks == weeks


async def test_records_that_are_gone_are_made_anew_by_who_goes_on(server: Server) -> None:
    """Cleared under a process that records: it sees the gap and begins at the beginning."""
    house = await played()
    async with server.database() as database:
        await database.reach()
        records = PostgresRecords(database)
        recorder = Recorder(house.log, records)
        running = asyncio.create_task(recorder.run())
        async with asyncio.timeout(20):
            await recorder.recorded_to(len(house.memory._streams["TRN"]))
            before = await rows_of(database)
            await records.clear()
            async with house.replica() as replica:
                start = a_start()
                await begin(replica, start)
                await until_over(replica, start.championship)
            await recorder.recorded_to(len(house.memory._streams["TRN"]))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        after = await rows_of(database)
        for table in TABLES[1:]:
            assert set(before[table]) <= set(after[table]), table
        await made_anew(house.log, database)
        assert await rows_of(database) == after


async def test_a_log_that_has_lost_commits_is_not_recorded_as_if_it_had_not(
    server: Server,
) -> None:
    house = await played()
    async with server.database() as database:
        await database.reach()
        records = PostgresRecords(database)
        await record_for_a_while(house.memory, records, None)
        before = await rows_of(database)
        start = a_start()
        async with house.replica() as replica:
            await begin(replica, start)
            await until_over(replica, start.championship)
        stream = house.memory._streams["TRN"]
        here = next(at for at, commit in enumerate(stream) if id_in(commit.subject) == start[0])
        lost = MemoryLog(house.now_ms)
        lost._streams["TRN"] = stream[here + 3 :]
        recorder = Recorder(lost, records)
        running = asyncio.create_task(recorder.run())
        await until(lambda: recorder.failures >= 2)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert await rows_of(database) == before


async def test_what_the_log_has_no_more_is_not_lost_by_making_all_anew(server: Server) -> None:
    """As after 30 days, when the oldest commits are gone: of those no ranking can be made."""
    house = await played()
    stream = house.memory._streams["TRN"]
    async with server.database() as database:
        await database.reach()
        await record_for_a_while(house.memory, PostgresRecords(database), None)
        before = await rows_of(database)

        async def pages(after: int) -> AsyncIterator[list[Recorded]]:
            yield [one for one in stream[1:] if one.sequence > after]

        async with database.connection() as connection:
            with pytest.raises(LaeloError, match="1 of the championships"):
                await rebuild(connection, pages)
            assert await rows_of(database) == before
            await rebuild(connection, pages, may_go_back=True)
        after = await rows_of(database)
        assert len(after["championships"]) == len(before["championships"]) - 1


async def test_what_began_before_the_log_does_is_left_out(server: Server) -> None:
    house = await played()
    stream = house.memory._streams["TRN"]
    log = MemoryLog(house.now_ms)
    log._streams["TRN"] = stream[1:]
    async with server.records() as records:
        recorder = Recorder(log, records)
        running = asyncio.create_task(recorder.run())
        async with asyncio.timeout(20):
            await recorder.recorded_to(stream[-1].sequence)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        found = {one.id for one in await records.ended(10, "")}
    first = events_pb2.Commit.FromString(stream[0].data).head.aggregate
    everything = {id_in(recorded.subject) for recorded in stream}
    assert found == everything - {first}
