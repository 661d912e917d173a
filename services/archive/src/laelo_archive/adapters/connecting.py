"""Connections whose errors are those of the house, whatever is wrong with the database."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from laelo_common.errors import Code, LaeloError
from laelo_common.postgres import Connection, Database


@asynccontextmanager
async def connected(database: Database) -> AsyncIterator[Connection]:
    """A connection of the pool. Raises LaeloError."""
    try:
        async with database.connection() as connection:
            yield connection
    except asyncpg.PostgresError as error:
        raise LaeloError(Code.INTERNAL, f"the database: {error}") from error
