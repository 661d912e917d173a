"""PostgreSQL: it can be reached, and the services have made their tables."""

from typing import Final

import asyncpg

from laelo_tools.doctor.finding import Finding

SECONDS: Final = 5.0
_THERE: Final = "SELECT to_regclass($1) IS NOT NULL"


async def database(service: str, dsn: str) -> Finding:
    """What is found of one service's tables in a database."""
    what = f"database of {service}"
    try:
        connection = await asyncpg.connect(dsn, timeout=SECONDS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        said = f"cannot be reached ({type(error).__name__})"
        return Finding(what, False, said, "is PostgreSQL started, and is the password right?")
    try:
        table = f"{service}_migrations"
        if not await connection.fetchval(_THERE, table):
            step = f"run the step: python -m laelo_{service}.migrate"
            return Finding(what, False, "has no tables", step)
        newest = await connection.fetchval(f"SELECT max(number) FROM {table}")  # noqa: S608
        return Finding(what, True, f"has its tables, by {newest} migrations")
    finally:
        await connection.close(timeout=SECONDS)
