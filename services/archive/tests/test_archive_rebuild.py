"""Read models made anew are what they were, byte for byte, whatever happens meanwhile."""

import asyncio
import random
from collections.abc import Sequence
from functools import partial

import pytest
from laelo_archive import rebuild as rebuilding
from laelo_archive.adapters.writing import READ_MODELS
from laelo_archive.rebuild import logged, rebuild
from laelo_common.errors import LaeloError
from laelo_common.log import Kind, Life, MemoryLog, Recorded
from laelo_common.postgres import Database
from laelo_common.testing.killing import Killing

from .archiving import archivists, finish, working
from .conftest import Server
from .kit import log_of, mixed, some_histories
from .reading_kit import rows_in

pytestmark = pytest.mark.integration

KILLS = 50
Streams = dict[str, list[Recorded]]


def a_log(seed: int, count: int = 4) -> Streams:
    chance = random.Random(seed)
    return mixed(chance, some_histories(chance, count))


async def spoil(database: Database, models: Sequence[str]) -> None:
    """Change and delete rows."""
    async with database.connection() as connection:
        for model in models:
            await connection.execute(f"DELETE FROM archive_{model}")
        await connection.execute("UPDATE archive_matches SET score_0 = score_0 + 1")


async def test_some_models_are_made_anew_from_the_log_or_its_copy_and_others_stay(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "PAGE", 100)
    streams = a_log(1)
    log = log_of(streams)
    await finish(log, database)
    before = await rows_in(database)
    for source in (None, partial(logged, log, log)):
        await spoil(database, ("hands", "people"))
        spoilt = await rows_in(database)
        async with database.connection() as connection:
            await rebuild(connection, lambda _: None, ["hands", "matches"], source)
        after = await rows_in(database)
        assert (after["hands"], after["matches"]) == (before["hands"], before["matches"])
        assert after["people"] == spoilt["people"] == []
        async with database.connection() as connection:
            await rebuild(connection, lambda _: None, READ_MODELS, source)
        assert await rows_in(database) == before
        async with database.connection() as connection:
            with pytest.raises(LaeloError, match="not made anew: archive_moves"):
                await rebuild(connection, lambda _: None, ["moves"], source)
            left = await connection.fetchval("SELECT to_regclass('archive_next.archive_hands')")
            assert left is not None, "an earlier try, to be dropped by the next one"
    assert await rows_in(database) == before


async def test_a_log_that_has_not_all_is_no_source(database: Database) -> None:
    streams = a_log(2, 2)
    await finish(log_of(streams), database)
    before = await rows_in(database)
    anew = log_of(streams)
    anew.created = "another time"
    shorter = ShorterLog(log_of(streams))
    for source, words in (
        (partial(logged, anew, anew), "not the stream that is archived"),
        (partial(logged, shorter.log, shorter), "begins with commit 3"),
    ):
        async with database.connection() as connection:
            with pytest.raises(LaeloError, match=words):
                await rebuild(connection, lambda _: None, READ_MODELS, source)
    assert await rows_in(database) == before


class ShorterLog:
    """A log that has thrown its oldest commits away."""

    def __init__(self, log: MemoryLog) -> None:
        self.log = log

    async def life(self, kind: Kind) -> Life:
        return (await self.log.life(kind))._replace(first=3)


async def test_archiving_goes_on_meanwhile(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuilding, "PAGE", 30)
    streams = a_log(3)
    half = {name: commits[: len(commits) // 2] for name, commits in streams.items()}
    log = log_of(half)
    await finish(log, database)
    whole = log_of(streams)
    whole.created = log.created
    workers = archivists(whole, database)
    async with working(workers), database.connection() as connection:
        await rebuild(connection, lambda _: None)
    await finish(whole, database)
    after = await rows_in(database)
    async with database.connection() as connection:
        await rebuild(connection, lambda _: None)
    assert await rows_in(database) == after
    assert len(after["commits"]) == sum(map(len, streams.values()))
    assert not [row for row in after["aggregates"] if row[5]]


async def test_two_at_once_wait_for_each_other(database: Database) -> None:
    await finish(log_of(a_log(4, 2)), database)
    before = await rows_in(database)

    async def once() -> None:
        async with database.connection() as connection:
            await rebuild(connection, lambda _: None)

    await asyncio.gather(once(), once())
    assert await rows_in(database) == before


@pytest.mark.slow
async def test_killed_again_and_again_the_models_are_what_they_were(
    server: Server, database: Database
) -> None:
    """A process that makes them anew, killed (SIGKILL) at random moments."""
    await finish(log_of(a_log(5)), database)
    before = await rows_in(database)
    killing = Killing("laelo_archive.rebuild")
    environ = {"LAELO_ARCHIVE_PG_DSN": server.dsn}
    whole = await asyncio.to_thread(killing.seconds, rebuilding.main, [], environ)
    chance = random.Random(6)
    kills = 0
    for _ in range(5 * KILLS):
        after = chance.random() * whole
        status = await asyncio.to_thread(killing.run, rebuilding.main, [], environ, after)
        kills += status is None
        assert status in (None, 0)
        assert await rows_in(database) == before
        if kills == KILLS:
            break
    assert kills == KILLS
    await spoil(database, READ_MODELS)
    assert await asyncio.to_thread(killing.run, rebuilding.main, [], environ, 60) == 0
    assert await rows_in(database) == before
