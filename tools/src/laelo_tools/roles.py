"""The console's role in PostgreSQL, so that it has no more rights here than anywhere else."""

from typing import Final
from urllib.parse import urlsplit

import asyncpg

from laelo_tools.errors import LaeloError

CONSOLE: Final = "console"


async def console_dsn(dsn: str) -> str:
    """How the console comes into the database; its role is made if there is none.

    In a PostgreSQL that is not our own, where no role may be made or everybody has a password,
    it comes as the others do. Raises LaeloError.
    """
    parts = urlsplit(dsn)
    if parts.password is not None:
        return dsn
    try:
        connection = await asyncpg.connect(dsn, timeout=10)
    except (OSError, asyncpg.PostgresError) as error:
        raise LaeloError(f"PostgreSQL can't be asked for the console's role: {error}") from error
    try:
        if not await connection.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = user"):
            return dsn
        there = "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)"
        if not await connection.fetchval(there, CONSOLE):
            await connection.execute(f"CREATE ROLE {CONSOLE} LOGIN")
    finally:
        await connection.close()
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{CONSOLE}@{host}").geturl()
