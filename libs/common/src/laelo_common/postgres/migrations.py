"""Brings a service's tables up to date: numbered SQL files, each applied once."""

import asyncio
import os
import sys
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, NamedTuple

import asyncpg

from laelo_common.settings import prefix

LOCK: Final = 0x1AE1_0001
"""Ours among the database's advisory locks: one migrates at a time, whatever the service."""


class Migration(NamedTuple):
    """One file."""

    number: int
    name: str
    sql: str


@dataclass(frozen=True, slots=True)
class Migrations:
    """The folder `migrations` of the package of a service; what was applied stands in the table
    `<service>_migrations`. Every replica applies them before it uses the database.
    """

    service: str

    def listed(self) -> list[Migration]:
        """All files in their order. Raises ValueError if a number is missing or there twice."""
        found = sorted(
            files(f"laelo_{self.service}").joinpath("migrations").iterdir(),
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

    async def apply(self, connection: Any) -> list[str]:
        """Apply what is missing, all of it or nothing; the names of what was applied."""
        table = f"{self.service}_migrations"
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            await connection.execute(
                f"CREATE TABLE IF NOT EXISTS {table}"
                " (number int PRIMARY KEY, name text NOT NULL,"
                " applied_at timestamptz NOT NULL DEFAULT now())"
            )
            newest = await connection.fetchval(f"SELECT coalesce(max(number), 0) FROM {table}")  # noqa: S608 - a constant
            missing = [migration for migration in self.listed() if migration.number > newest]
            for migration in missing:
                await connection.execute(migration.sql)
                await connection.execute(
                    f"INSERT INTO {table} (number, name) VALUES ($1, $2)",  # noqa: S608
                    migration.number,
                    migration.name,
                )
        return [migration.name for migration in missing]

    async def run(self, dsn: str) -> list[str]:
        """Migrate the database at `dsn`."""
        connection = await asyncpg.connect(dsn, timeout=10)
        try:
            return await self.apply(connection)
        finally:
            await connection.close()

    def main(self) -> int:
        """Migrate the database of the environment; the exit status."""
        variable = f"{prefix(self.service)}PG_DSN"
        dsn = os.environ.get(variable)
        if not dsn:
            print(f"{variable} is not set: it says where the database is", file=sys.stderr)
            return 2
        try:
            applied = asyncio.run(self.run(dsn))
        except (OSError, asyncpg.PostgresError, TimeoutError) as error:
            print(f"the database cannot be migrated: {error}", file=sys.stderr)
            return 1
        print("\n".join(applied) or "nothing to do")
        return 0
