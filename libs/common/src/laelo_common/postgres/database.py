"""A pool of connections. PostgreSQL may come late or go away: then TRY_LATER, soon."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg

from laelo_common.errors import Code, LaeloError
from laelo_common.postgres.errors import meaning
from laelo_common.postgres.migrations import Migrations

TIMEOUT_SECONDS: Final = 3.0
RETRY_SECONDS: Final = 1.0

Connection = Any
"""A connection of the pool: asyncpg's proxy of one."""

AWAY: Final = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What a database that is not there is known by while it is being reached."""

_CUT_OFF: Final = (OSError, TimeoutError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What is raised when a connection ends in the midst of something: the last one by the rollback
of a transaction whose connection has just gone.
"""

_log = logging.getLogger(__name__)


class Database:
    """One service's database. `reach` connects and migrates; until then everything is away."""

    def __init__(self, dsn: str, migrations: Migrations, *, most: int = 8) -> None:
        self._dsn = dsn
        self._migrations = migrations
        self._most = most
        self._pool: Any = None

    @property
    def is_up(self) -> bool:
        """Whether it has been reached since the start."""
        return self._pool is not None

    async def reach(self) -> None:
        """Wait until the database is reached and up to date."""
        while self._pool is None:
            try:
                await self._open()
            except AWAY as error:
                _log.warning("PostgreSQL is out of reach (%s): trying again", error)
                await asyncio.sleep(RETRY_SECONDS)

    async def close(self) -> None:
        """Let go of all connections."""
        pool, self._pool = self._pool, None
        if pool is not None:
            try:
                async with asyncio.timeout(1.0):
                    await pool.close()
            except TimeoutError:
                pool.terminate()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """A connection of the pool. Raises LaeloError, whatever is wrong: TRY_LATER while the
        database is away or full, BAD_REQUEST if it cannot keep a value that it was given, INTERNAL
        for a question that makes no sense to it.
        """
        if self._pool is None:
            raise LaeloError(Code.TRY_LATER, "the database is out of reach")
        try:
            async with self._pool.acquire(timeout=TIMEOUT_SECONDS) as connection:
                yield connection
        except asyncpg.PostgresError as error:
            raise meaning(error) from error
        except _CUT_OFF as error:
            raise LaeloError(Code.TRY_LATER, "the database is out of reach") from error

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
                for name in await self._migrations.apply(connection):
                    _log.info("applied migration %s", name)
        except BaseException:
            pool.terminate()
            raise
        self._pool = pool
        _log.info("PostgreSQL is reached")
