"""Brings a service's tables up to date, and back: numbered SQL files, each applied once."""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, NamedTuple

import asyncpg

from laelo_common.settings import prefix

LOCK: Final = 0x1AE1_0001
"""Ours among the database's advisory locks: one migrates at a time, whatever the service."""


BACK: Final = ".back.sql"
"""How the file ends that takes a migration back. Its first line says what is lost by that."""
NO_WAY: Final = "-- No way back: "
"""What that line begins with where it cannot be taken back, and then why."""
LOSES: Final = "-- Loses: "


class NoWayBackError(Exception):
    """A migration cannot be taken back: one sentence why."""


class Migration(NamedTuple):
    """One file, and the one that takes it back."""

    number: int
    name: str
    sql: str
    back: str = ""

    @property
    def loses(self) -> str:
        """What is lost when it is taken back. Raises NoWayBackError."""
        first = self.back.partition("\n")[0]
        if first.startswith(LOSES):
            return first.removeprefix(LOSES)
        why = first.removeprefix(NO_WAY) if first.startswith(NO_WAY) else "nobody has written it."
        raise NoWayBackError(f"{self.name} has no way back: {why}")


@dataclass(frozen=True, slots=True)
class Migrations:
    """The folder `migrations` of the package of a service; what was applied stands in the table
    `<service>_migrations`. Every replica applies them before it uses the database.
    """

    service: str

    def listed(self) -> list[Migration]:
        """All files in their order. Raises ValueError if a number is missing or there twice."""
        folder = files(f"laelo_{self.service}").joinpath("migrations")
        texts = {
            file.name: file.read_text(encoding="utf-8")
            for file in folder.iterdir()
            if file.name.endswith(".sql")
        }
        listed = [
            Migration(int(name[:4]), name, sql, texts.get(name.removesuffix(".sql") + BACK, ""))
            for name, sql in sorted(texts.items())
            if not name.endswith(BACK)
        ]
        if [migration.number for migration in listed] != list(range(1, len(listed) + 1)):
            raise ValueError("migrations have to be numbered 0001, 0002, … without a gap")
        return listed

    async def apply(self, connection: Any) -> list[str]:
        """Apply what is missing, all of it or nothing; the names of what was applied."""
        async with connection.transaction():
            newest = await self._newest(connection)
            missing = [migration for migration in self.listed() if migration.number > newest]
            for migration in missing:
                await connection.execute(migration.sql)
                await connection.execute(
                    f"INSERT INTO {self._table} (number, name) VALUES ($1, $2)",  # noqa: S608 - a constant
                    migration.number,
                    migration.name,
                )
        return [migration.name for migration in missing]

    async def take_back(self, connection: Any, last: int) -> list[str]:
        """Take back all after number `last`, the newest first, or none of them; their names.

        Raises NoWayBackError. Whoever starts with this release applies them again.
        """
        async with connection.transaction():
            newest = await self._newest(connection)
            listed = self.listed()
            if newest > len(listed):
                raise NoWayBackError(
                    f"the database has {newest} migrations, of which this release knows"
                    f" {len(listed)}: take them back with the release that has made them"
                )
            leaving = [one for one in reversed(listed[:newest]) if one.number > last]
            for migration in leaving:
                if migration.loses:
                    await connection.execute(migration.back)
                await connection.execute(
                    f"DELETE FROM {self._table} WHERE number = $1",  # noqa: S608
                    migration.number,
                )
        return [migration.name for migration in leaving]

    async def status(self, connection: Any) -> list[str]:
        """A line for each migration: whether it is applied, and what taking it back loses."""
        async with connection.transaction():
            newest = await self._newest(connection)
        lines = [_line(migration, newest) for migration in self.listed()]
        if newest > len(lines):
            lines.append(f"{newest - len(lines)} more, applied by a newer release")
        return lines

    async def run(self, dsn: str) -> list[str]:
        """Migrate the database at `dsn`."""
        return await _with(dsn, self.apply)

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Migrate the database of the environment, up unless something else is asked for; the
        exit status.
        """
        asked = parser(self.service).parse_args(argv)
        variable = f"{prefix(self.service)}PG_DSN"
        dsn = os.environ.get(variable)
        if not dsn:
            print(f"{variable} is not set: it says where the database is", file=sys.stderr)
            return 2
        try:
            lines = asyncio.run(_with(dsn, self._what(asked)))
        except (OSError, asyncpg.PostgresError, TimeoutError, NoWayBackError) as error:
            print(f"the database cannot be migrated: {error}", file=sys.stderr)
            return 1
        print("\n".join(lines) or "nothing to do")
        return 0

    def _what(self, asked: argparse.Namespace) -> "Work":
        if asked.what == "status":
            return self.status
        if asked.what == "down":
            return lambda connection: self.take_back(connection, asked.to)
        return self.apply

    @property
    def _table(self) -> str:
        return f"{self.service}_migrations"

    async def _newest(self, connection: Any) -> int:
        """Number of the newest one that is applied; nobody else migrates until the transaction
        ends.
        """
        await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(
            f"CREATE TABLE IF NOT EXISTS {self._table}"
            " (number int PRIMARY KEY, name text NOT NULL,"
            " applied_at timestamptz NOT NULL DEFAULT now())"
        )
        newest = await connection.fetchval(f"SELECT coalesce(max(number), 0) FROM {self._table}")  # noqa: S608
        return int(newest)


Work = Callable[[Any], Awaitable[list[str]]]


async def _with(dsn: str, work: Work) -> list[str]:
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        return await work(connection)
    finally:
        await connection.close()


def _line(migration: Migration, newest: int) -> str:
    state = "applied" if migration.number <= newest else "missing"
    try:
        return f"{migration.name:<28} {state}; taken back it loses {migration.loses}"
    except NoWayBackError as error:
        return f"{migration.name:<28} {state}; {error}"


def parser(service: str) -> argparse.ArgumentParser:
    """The words that `migrate` understands."""
    found = argparse.ArgumentParser(
        prog=f"laelo_{service}.migrate", description=f"The tables of the {service} service."
    )
    commands = found.add_subparsers(dest="what", metavar="COMMAND")
    commands.add_parser("up", help="apply what is missing (also without any word)")
    commands.add_parser("status", help="say what is applied, and what has a way back")
    down = commands.add_parser("down", help="take the newest back")
    down.add_argument("to", type=int, metavar="NUMBER", help="of the last one that is to stay")
    return found
