"""Brings the database's tables up to date: numbered SQL files, each applied once.

Every gateway does it before it uses the database; one at a time, by an advisory lock. By
hand: `python -m laelo_gateway.migrate` with LAELO_GATEWAY_PG_DSN.
"""

import asyncio
import os
import sys
from importlib.resources import files
from typing import Any, Final, NamedTuple

import asyncpg

LOCK: Final = 0x1AE1_0001
"""Ours among the database's advisory locks."""


class Migration(NamedTuple):
    """One file."""

    number: int
    name: str
    sql: str


def migrations() -> list[Migration]:
    """All files in their order. Raises ValueError if a number is missing or there twice."""
    found = sorted(
        (file for file in files("laelo_gateway").joinpath("migrations").iterdir()),
        key=lambda file: file.name,
    )
    listed = [
        Migration(int(file.name[:4]), file.name, file.read_text(encoding="utf-8"))
        for file in found
        if file.name.endswith(".sql")
    ]
    if [migration.number for migration in listed] != list(range(1, len(listed) + 1)):
        raise ValueError("migrations have to be numbered 0001, 0002, … without a gap")
    return listed


async def migrate(connection: Any) -> list[str]:
    """Apply what is missing, all of it or nothing; the names of what was applied."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(
            "CREATE TABLE IF NOT EXISTS gateway_migrations"
            " (number int PRIMARY KEY, name text NOT NULL,"
            " applied_at timestamptz NOT NULL DEFAULT now())"
        )
        newest = await connection.fetchval(
            "SELECT coalesce(max(number), 0) FROM gateway_migrations"
        )
        missing = [migration for migration in migrations() if migration.number > newest]
        for migration in missing:
            await connection.execute(migration.sql)
            await connection.execute(
                "INSERT INTO gateway_migrations (number, name) VALUES ($1, $2)",
                migration.number,
                migration.name,
            )
    return [migration.name for migration in missing]


async def run(dsn: str) -> list[str]:
    """Migrate the database at `dsn`."""
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        return await migrate(connection)
    finally:
        await connection.close()


def main() -> int:
    """Migrate the database of the environment."""
    dsn = os.environ.get("LAELO_GATEWAY_PG_DSN")
    if not dsn:
        print("LAELO_GATEWAY_PG_DSN is not set: it says where the database is", file=sys.stderr)
        return 2
    try:
        applied = asyncio.run(run(dsn))
    except (OSError, asyncpg.PostgresError, TimeoutError) as error:
        print(f"the database cannot be migrated: {error}", file=sys.stderr)
        return 1
    print("\n".join(applied) or "nothing to do")
    return 0


if __name__ == "__main__":
    sys.exit(main())
