"""People in PostgreSQL. It may come late or go away: then TRY_LATER, and nobody waits long."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
from laelo_common.errors import Code, LaeloError

from laelo_gateway.domain.commands import Person
from laelo_gateway.migrate import migrate

TIMEOUT_SECONDS: Final = 3.0
RETRY_SECONDS: Final = 1.0
TIDY_SECONDS: Final = 6 * 3600.0
KEEP_DAYS: Final = 90

_AWAY: Final = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
_log = logging.getLogger(__name__)


class PostgresPeople:
    """A `PeopleStore`. `run` connects, migrates and tidies; until then everything is away."""

    def __init__(self, dsn: str, *, most: int = 8) -> None:
        self._dsn = dsn
        self._most = most
        self._pool: Any = None

    @property
    def is_up(self) -> bool:
        """Whether it has been reached since the start."""
        return self._pool is not None

    async def add_guest(self, person: Person, language: str, token_hash: bytes) -> None:
        """Keep a new guest and the session, both or none."""
        query = (
            "WITH made AS (INSERT INTO people (id, name, guest, language)"
            " VALUES ($1, $2, $3, $4) RETURNING id)"
            " INSERT INTO sessions (token_hash, person) SELECT $5, id FROM made"
        )
        async with self._connection() as connection:
            await connection.execute(
                query, person.id, person.name, person.guest, language, token_hash
            )

    async def find(self, token_hash: bytes) -> Person | None:
        """Whose session this is; that the person was here is kept, once a day."""
        query = "SELECT p.id, p.name, p.guest, p.seen_at < now() - interval '1 day' AS old"
        query += " FROM sessions s JOIN people p ON p.id = s.person WHERE s.token_hash = $1"
        async with self._connection() as connection:
            row = await connection.fetchrow(query, token_hash)
            if row is None:
                return None
            if row["old"]:
                await connection.execute(
                    "UPDATE people SET seen_at = now() WHERE id = $1", row["id"]
                )
            return Person(row["id"], row["name"], row["guest"])

    async def rename(self, person: Person) -> None:
        """Keep a person's new name."""
        async with self._connection() as connection:
            await connection.execute(
                "UPDATE people SET name = $2 WHERE id = $1", person.id, person.name
            )

    async def run(self) -> None:
        """Reach the database, and now and then delete guests who have long been away."""
        while True:
            try:
                if self._pool is None:
                    await self._open()
                await self._tidy()
            except (*_AWAY, LaeloError) as error:
                _log.warning("PostgreSQL is out of reach (%s): trying again", error)
                await asyncio.sleep(RETRY_SECONDS)
            else:
                await asyncio.sleep(TIDY_SECONDS)

    async def close(self) -> None:
        """Let go of all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            try:
                async with asyncio.timeout(1.0):
                    await pool.close()
            except TimeoutError:
                pool.terminate()

    async def _open(self) -> None:
        pool = await asyncpg.create_pool(
            self._dsn,
            min_size=1,
            max_size=self._most,
            timeout=TIMEOUT_SECONDS,
            command_timeout=TIMEOUT_SECONDS,
        )
        try:
            async with pool.acquire() as connection:
                for name in await migrate(connection):
                    _log.info("applied migration %s", name)
        except BaseException:
            pool.terminate()
            raise
        self._pool = pool
        _log.info("PostgreSQL is reached")

    async def _tidy(self) -> None:
        query = f"DELETE FROM people WHERE guest AND seen_at < now() - interval '{KEEP_DAYS} days'"  # noqa: S608 - a constant
        async with self._connection() as connection:
            await connection.execute(query)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        """A connection of the pool. Raises LaeloError with TRY_LATER."""
        if self._pool is None:
            raise LaeloError(Code.TRY_LATER, "the database of guests is out of reach")
        try:
            async with self._pool.acquire(timeout=TIMEOUT_SECONDS) as connection:
                yield connection
        except asyncpg.PostgresError as error:
            if not isinstance(
                error, asyncpg.PostgresConnectionError | asyncpg.OperatorInterventionError
            ):
                raise
            raise LaeloError(Code.TRY_LATER, "the database of guests went away") from error
        except (OSError, TimeoutError, asyncpg.InterfaceError) as error:
            raise LaeloError(Code.TRY_LATER, "the database of guests is out of reach") from error
