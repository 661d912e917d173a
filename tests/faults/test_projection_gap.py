"""projection-gap: nothing that is made of the log leaves a commit out, or has one twice.

Seen elsewhere: JasperFx/marten#1629. Whoever archives is killed at random, two are at it at
once, the log loses commits or is made anew; what is archived is always a beginning of the log
without a gap, and its read models, made anew, are the same byte for byte.
"""

import asyncio
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from laelo_archive.adapters import writing
from laelo_archive.adapters.writing import PostgresShelves
from laelo_archive.archivist import Archivist
from laelo_archive.domain.project import Stream
from laelo_archive.rebuild import rebuild
from laelo_common.errors import LaeloError
from laelo_common.log import MemoryLog, Recorded
from laelo_common.postgres import Database
from laelo_common.testing.waiting import until

from services.archive.tests.archiving import (
    PATIENCE_SECONDS,
    archivists,
    finish,
    working,
)
from services.archive.tests.conftest import a_server
from services.archive.tests.kit import log_of, mixed, some_histories
from services.archive.tests.reading_kit import Rows, rows_in

pytestmark = [pytest.mark.faults, pytest.mark.integration]

KILLS = 50
PAGE = 20
Log = dict[str, list[Recorded]]


def a_log(seed: int, count: int = 8) -> Log:
    """Matches, a championship and a queue, all at once."""
    chance = random.Random(seed)
    return mixed(chance, some_histories(chance, count))


def check_second_copy(rows: Rows, streams: Log) -> None:
    """What is archived is a beginning of the log, and the cursors say how long a one."""
    cursors = {row[0]: row[3] for row in rows["streams"]}
    for name, commits in streams.items():
        kept = [row for row in rows["commits"] if row[0] == name]
        assert [row[2] for row in kept] == list(range(1, cursors[name] + 1))
        there = commits[: cursors[name]]
        assert [row[6] for row in kept] == [commit.data for commit in there]
        assert [row[7] for row in kept] == [commit.time_ms for commit in there]


async def whole(path: Path, streams: Log) -> Rows:
    """What one archive has that nobody disturbed."""
    async with a_server(path) as server, server.database() as database:
        log = log_of(streams)
        await finish(log, database)
        return await rows_in(database)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pages, so that many kills fall between two of them; nobody waits for long."""
    monkeypatch.setattr("laelo_archive.backlog.PAGE", PAGE)
    monkeypatch.setattr("laelo_archive.backlog.MOST_WAITING", 100)
    monkeypatch.setattr("laelo_archive.archivist.LINGER_SECONDS", 0.001)
    monkeypatch.setattr("laelo_archive.archivist.STAND_BY_SECONDS", 0.05)
    monkeypatch.setattr("laelo_archive.patience.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("laelo_archive.patience.LONGEST_PAUSE", 0.2)
    monkeypatch.setattr("laelo_archive.rebuild.PAGE", 100)


async def test_killed_at_random_while_two_are_at_it_all_is_archived_once(tmp_path: Path) -> None:
    streams = a_log(1)
    expected = await whole(tmp_path / "undisturbed", streams)
    choice = random.Random(2)
    log = log_of(streams)
    places: set[int] = set()
    async with a_server(tmp_path / "killed") as server, server.database() as database:
        for _ in range(KILLS):
            workers = [*archivists(log, database), *archivists(log, database)]
            async with working(workers):
                pages = choice.randrange(3)
                await until(lambda: done(workers, log) >= pages)  # noqa: B023 - called at once
                for _ in range(choice.randrange(40)):
                    await asyncio.sleep(0)
            found = await rows_in(database)
            check_second_copy(found, streams)
            places.add(len(found["commits"]))
        await finish(log, database)
        found = await rows_in(database)
    check_second_copy(found, streams)
    assert len(places) > KILLS / 3
    assert found == expected
    assert not [row for row in found["aggregates"] if row[5]]
    assert len(found["hands"]) > 20
    assert len(found["entries"]) == 8


async def rebuilt(database: Database) -> None:
    """Make all read models anew."""
    async with database.connection() as connection:
        await rebuild(connection, lambda *_: None)


async def test_made_anew_the_read_models_are_the_same_byte_for_byte(tmp_path: Path) -> None:
    streams = a_log(3)
    choice = random.Random(4)
    log = log_of(streams)
    async with a_server(tmp_path) as server, server.database() as database:
        await finish(log, database)
        before = await rows_in(database)
        killed = 0
        for _ in range(KILLS // 5):
            making = asyncio.create_task(rebuilt(database))
            await asyncio.wait([making], timeout=choice.random() * 0.2)
            killed += not making.done()
            making.cancel()
            await asyncio.gather(making, return_exceptions=True)
            assert await rows_in(database) == before
        assert killed
        seen: list[int] = []
        async with database.connection() as connection:
            await rebuild(connection, seen.append)
        assert await rows_in(database) == before
        assert sum(seen) == sum(map(len, streams.values()))


async def test_read_models_that_were_lost_are_made_of_the_second_copy(tmp_path: Path) -> None:
    streams = a_log(5)
    log = log_of(streams)
    async with a_server(tmp_path) as server, server.database() as database:
        await finish(log, database)
        before = await rows_in(database)
        async with database.connection() as connection:
            for table in writing.READ_MODELS:
                await connection.execute(f"DELETE FROM archive_{table}")
        await rebuilt(database)
        assert await rows_in(database) == before


async def test_commits_that_the_log_has_lost_are_not_passed_over(tmp_path: Path) -> None:
    """Older ones were thrown away before they were archived: that is said, and nothing skipped."""
    streams = a_log(6)
    half = {name: commits[: len(commits) // 2] for name, commits in streams.items()}
    log = log_of(half)
    async with a_server(tmp_path) as server, server.database() as database:
        await finish(log, database)
        before = await rows_in(database)
        lost = log_of(streams)
        lost._streams["TBL"] = lost_some(streams["TBL"], len(half["TBL"]))
        (worker, *_) = workers = archivists(lost, database)
        async with working(workers):
            await until(lambda: worker.failures >= 3)
        assert "comes" in worker.trouble
        after = await rows_in(database)
    assert [row for row in after["commits"] if row[0] == "TBL"] == [
        row for row in before["commits"] if row[0] == "TBL"
    ]
    assert after["hands"] == before["hands"]
    check_second_copy(after, {**streams, "TBL": half["TBL"]})


def lost_some(commits: list[Recorded], after: int) -> list[Recorded]:
    """A stream without some commits right behind a place."""
    return commits[:after] + commits[after + 7 :]


async def test_a_stream_that_was_made_anew_is_not_mixed_with_the_one_archived(
    tmp_path: Path,
) -> None:
    streams, others = a_log(7, 3), a_log(8, 9)
    log = log_of(streams)
    async with a_server(tmp_path) as server, server.database() as database:
        await finish(log, database)
        before = await rows_in(database)
        anew = log_of(others)
        anew.created = "another time"
        assert len(others["TBL"]) > len(streams["TBL"])
        workers = archivists(anew, database)
        async with working(workers):
            await until(lambda: all(one.failures >= 2 for one in workers))
        assert all("made at another time" in one.trouble for one in workers)
        assert await rows_in(database) == before


def done(workers: Sequence[Archivist], log: MemoryLog) -> float:
    """How many pages were archived; without end when there is nothing left to archive."""
    archived = sum(worker.archived for worker in workers)
    left = any(
        all(one._cursor.sequence < len(commits) for one in workers if one.stream == name)
        for name, commits in log._streams.items()
    )
    return archived / PAGE if left else math.inf


def went_on(worker: Archivist, last: int) -> Callable[[], bool]:
    """Whether it archives again, or has nothing left to archive."""
    seen = worker._cursor.sequence
    return lambda: worker._cursor.sequence > seen or worker._cursor.sequence == last


async def test_while_postgresql_is_away_the_archive_waits_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laelo_common.postgres.database.RETRY_SECONDS", 0.05)
    streams = a_log(9)
    expected = await whole(tmp_path / "undisturbed", streams)
    log = log_of(streams)
    async with a_server(tmp_path / "disturbed") as server, server.database() as database:
        workers = archivists(log, database)
        log.reachable = False
        async with working(workers):
            await until(lambda: all(one.failures for one in workers))
            log.reachable = True
            for _ in range(3):
                await server.stop()
                with pytest.raises(LaeloError):
                    await PostgresShelves(database).cursor(Stream.TABLES)
                await server.start()
                await until(went_on(workers[0], len(streams["TBL"])), PATIENCE_SECONDS)
            whole_log = [len(streams[one.stream.value]) for one in workers]
            await until(
                lambda: [one._cursor.sequence for one in workers] == whole_log, PATIENCE_SECONDS
            )
        assert await rows_in(database) == expected
