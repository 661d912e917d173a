"""The archive's database: of a platform that runs, of one that is stopped, or at an address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg

from laelo_tools.embedded import Postgres
from laelo_tools.errors import LaeloError
from laelo_tools.state import find_running
from laelo_tools.stopped import server_on_store

_CONNECT_SECONDS: Final = 10.0

Connection = Any
"""asyncpg's, which is not typed."""


@asynccontextmanager
async def archive(dsn: str | None) -> AsyncIterator[Connection]:
    """All of it as it is at one moment, to be read only. Raises LaeloError if there is none."""
    if dsn is not None:
        async with _read(dsn) as connection:
            yield connection
        return
    try:
        running = find_running()
    except LaeloError:
        async with (
            server_on_store("postgres", Postgres) as postgres,
            _read(postgres.dsn) as connection,
        ):
            yield connection
    else:
        async with _read(running.pg_dsn) as connection:
            yield connection


@asynccontextmanager
async def _read(dsn: str) -> AsyncIterator[Connection]:
    try:
        connection = await asyncpg.connect(dsn, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise LaeloError(f"The archive's database can't be reached: {error}.") from error
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield connection
    except asyncpg.UndefinedTableError as error:
        raise LaeloError(
            f"The archive's tables are not there, or older than this ({error}): start the platform"
            " once, which makes them."
        ) from error
    except asyncpg.InsufficientPrivilegeError as error:
        raise LaeloError(f"The archive may not be read: {error}.") from error
    except (ConnectionError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise LaeloError(f"The archive's database went away: {error}.") from error
    finally:
        await connection.close(timeout=_CONNECT_SECONDS)
