"""Ranking and results made anew from the second copy, by a process that is killed meanwhile."""

import asyncio
import random
from hashlib import sha256

import pytest
from laelo_archive.migrate import MIGRATIONS as ARCHIVE
from laelo_common.log import Recorded
from laelo_common.log.commit import head_of
from laelo_common.postgres import Database
from laelo_common.testing.killing import Killing
from laelo_tournament import rebuild as rebuilding
from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.mirror import id_in

from .conftest import Server
from .test_standings_restart import TABLES, played, record_for_a_while, rows_of

pytestmark = [pytest.mark.slow, pytest.mark.integration]

KILLS = 50


async def archive(database: Database, commits: list[Recorded]) -> None:
    """Have the second copy of these."""
    async with database.connection() as connection:
        await ARCHIVE.apply(connection)
        await connection.executemany(
            "INSERT INTO archive_commits VALUES ('TRN', 1, $1, $2, $3, $4, $5, $6)",
            [
                (
                    one.sequence,
                    id_in(one.subject),
                    head_of(one.data).version,
                    sha256(one.data).digest(),
                    one.data,
                    one.time_ms,
                )
                for one in commits
            ],
        )


async def rebuilt(server: Server, killing: Killing, seconds: float, *more: str) -> int | None:
    """Make the records anew in a process, for so long at most; its exit status, None if killed."""
    environ = {"LAELO_TOURNAMENT_PG_DSN": server.dsn}
    arguments = ["--source", "copy", *more]
    return await asyncio.to_thread(killing.run, rebuilding.main, arguments, environ, seconds)


async def test_killed_again_and_again_the_records_are_what_they_were(server: Server) -> None:
    house = await played()
    commits = house.memory._streams["TRN"]
    killing = Killing("laelo_tournament.rebuild")
    chance = random.Random(1)
    async with server.database() as database:
        await database.reach()
        await record_for_a_while(house.memory, PostgresRecords(database), None)
        await archive(database, commits)
        before = await rows_of(database)
        environ = {"LAELO_TOURNAMENT_PG_DSN": server.dsn}
        arguments = ["--source", "copy"]
        whole = await asyncio.to_thread(killing.seconds, rebuilding.main, arguments, environ)
        assert await rows_of(database) == before
        kills = 0
        for _ in range(5 * KILLS):
            kills += await rebuilt(server, killing, chance.random() * whole) is None
            assert await rows_of(database) == before
            if kills == KILLS:
                break
        assert kills == KILLS
        async with database.connection() as connection:
            for table in ("weeks", "championships"):
                await connection.execute(f"DELETE FROM tournament_{table}")
        assert await rebuilt(server, killing, 60) == 0
        assert await rows_of(database) == before
        await check_lost(server, database, killing)


async def check_lost(server: Server, database: Database, killing: Killing) -> None:
    """The copy has less than is recorded: that is refused, unless it is wanted."""
    before = await rows_of(database)
    async with database.connection() as connection:
        last = await connection.fetchval("SELECT max(sequence) FROM archive_commits")
        await connection.execute("DELETE FROM archive_commits WHERE sequence > $1", last // 2)
    assert await rebuilt(server, killing, 60) == 1
    assert await rows_of(database) == before
    assert await rebuilt(server, killing, 60, "--back") == 0
    after = await rows_of(database)
    assert after["cursor"] == [(True, last // 2)]
    assert len(after["championships"]) < len(before["championships"])
    for table in TABLES[1:]:
        assert set(after[table]) <= set(before[table]), table
