"""What the console needs, in PostgreSQL. Its role may read, order and add; see rights.sql."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

from laelo_common.ids import new_id
from laelo_common.postgres import Connection, Database, Migrations

from laelo_gateway.accounts.store import Identity
from laelo_gateway.console.store import (
    FOUND,
    IDLE_MINUTES,
    LONGEST_HOURS,
    BanRecord,
    Deed,
    Entry,
    Operator,
    Someone,
    Told,
)
from laelo_gateway.domain.account_name import name_key
from laelo_gateway.orders.store import Announcement, Ban

LISTED: Final = 20

_ADD: Final = """
INSERT INTO audit (operator, action, subject, reason, address, request, outcome)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
_OPERATOR: Final = """
SELECT a.id, coalesce(a.name, '') AS name FROM accounts a JOIN operators o ON o.account = a.id
WHERE a.issuer = $1 AND a.subject = $2
"""
_LIVES: Final = (
    f"s.used_at > now() - interval '{IDLE_MINUTES} minutes'"
    f" AND s.made_at > now() - interval '{LONGEST_HOURS} hours'"
)
_SESSION: Final = f"""
SELECT a.id, coalesce(a.name, '') AS name, s.used_at < now() - interval '1 minute' AS old
FROM console_sessions s
JOIN operators o ON o.account = s.account JOIN accounts a ON a.id = s.account
WHERE s.token_hash = $1 AND {_LIVES}
"""  # noqa: S608 - constants
_PEOPLE: Final = """
SELECT id, coalesce(name, '') AS name, 'account' AS kind, made_at, seen_at, NULL AS owner
FROM accounts
UNION ALL
SELECT id, name, CASE WHEN owner IS NULL THEN 'guest' ELSE 'bot' END, made_at, seen_at, owner
FROM people
"""
_NAMED: Final = f"""
(SELECT * FROM ({_PEOPLE}) AS p WHERE kind = 'account' AND id IN (
    SELECT id FROM accounts WHERE starts_with(name_key, $1)
) ORDER BY name LIMIT $3)
UNION ALL
(SELECT * FROM ({_PEOPLE}) AS p WHERE kind <> 'account' AND lower(name) = lower($2)
ORDER BY seen_at DESC LIMIT $3)
LIMIT $3
"""  # noqa: S608 - constants
_BANS: Final = """
SELECT id, person, until, reason, made_at, lifted_at FROM bans
WHERE $1::text IS NULL OR person = $1 ORDER BY made_at DESC, id DESC LIMIT $2
"""
_BAN: Final = """
INSERT INTO bans (id, person, identity, until, reason)
SELECT $1, $2, (SELECT account_identity(issuer, subject) FROM accounts WHERE id = $2), $3, $4
"""
_ENTRIES: Final = """
SELECT number, at, operator, action, subject, reason, address, request, outcome, hash FROM audit
WHERE ($1 = 0 OR number < $1) AND ($3 = '' OR subject = $3) ORDER BY number DESC LIMIT $2
"""


class MigratedByOthers(Migrations):
    """The gateway makes the tables; the console's role could not, and waits for them."""

    async def apply(self, connection: Any) -> list[str]:
        """Nothing is applied. Raises OSError while something is missing."""
        there = "SELECT to_regclass('gateway_migrations') IS NOT NULL"
        newest = 0
        if await connection.fetchval(there):
            newest = await connection.fetchval("SELECT max(number) FROM gateway_migrations") or 0
        if newest < len(self.listed()):
            raise OSError("the tables are not up to date: run the step laelo_gateway.migrate")
        return []


class PostgresConsole:
    """A `ConsoleStore`; whose database it is keeps it reached."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sign_in(
        self, identity: Identity, key: bytes, replaces: bytes | None, address: str
    ) -> Operator | None:
        """Begin a session of an operator; None for everybody else."""
        async with self._changing() as connection:
            row = await connection.fetchrow(_OPERATOR, *identity)
            if row is None:
                return None
            await connection.execute(
                f"DELETE FROM console_sessions s WHERE s.token_hash = $1 OR NOT ({_LIVES})",  # noqa: S608
                replaces,
            )
            await connection.execute(
                "INSERT INTO console_sessions (token_hash, account) VALUES ($1, $2)", key, row["id"]
            )
            deed = Deed(row["id"], "sign in", row["id"], "", address, new_id())
            await connection.execute(_ADD, *deed)
            return Operator(row["id"], row["name"])

    async def find(self, key: bytes) -> Operator | None:
        """Whose session this is, if they are an operator still."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(_SESSION, key)
            if row is None:
                return None
            if row["old"]:
                query = "UPDATE console_sessions SET used_at = now() WHERE token_hash = $1"
                await connection.execute(query, key)
            return Operator(row["id"], row["name"])

    async def end(self, key: bytes, deed: Deed) -> None:
        """End a session."""
        async with self._changing(deed) as connection:
            await connection.execute("DELETE FROM console_sessions WHERE token_hash = $1", key)

    async def people(self, name: str) -> Sequence[Someone]:
        """People of this nickname, or whose nickname begins like it."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(_NAMED, name_key(name), name, FOUND)
        return [Someone(*row) for row in rows]

    async def person(self, person: str) -> Someone | None:
        """Who has this id."""
        query = f"SELECT * FROM ({_PEOPLE}) AS p WHERE id = $1"  # noqa: S608 - constants
        async with self._database.connection() as connection:
            row = await connection.fetchrow(query, person)
        return None if row is None else Someone(*row)

    async def bots_of(self, person: str) -> Sequence[Someone]:
        """The bots of an account."""
        query = f"SELECT * FROM ({_PEOPLE}) AS p WHERE owner = $1 ORDER BY made_at"  # noqa: S608
        async with self._database.connection() as connection:
            return [Someone(*row) for row in await connection.fetch(query, person)]

    async def names(self, people: Collection[str]) -> Mapping[str, str]:
        """Nicknames of accounts by id."""
        query = "SELECT id, name FROM accounts WHERE id = ANY($1) AND name IS NOT NULL"
        async with self._database.connection() as connection:
            return {row["id"]: row["name"] for row in await connection.fetch(query, list(people))}

    async def bans(self, person: str | None = None) -> Sequence[BanRecord]:
        """The newest bans, of one person or of all."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(_BANS, person, LISTED)
        return [
            BanRecord(
                row["id"],
                row["person"],
                Ban(row["until"], row["reason"]),
                row["made_at"],
                row["lifted_at"],
            )
            for row in rows
        ]

    async def ban(self, deed: Deed, person: str, until: datetime) -> None:
        """Shut somebody out, for the deed's reason."""
        async with self._changing(deed) as connection:
            await connection.execute(_BAN, new_id(), person, until, deed.reason)

    async def lift(self, deed: Deed, person: str) -> bool:
        """Let somebody in again; False if they are not shut out."""
        query = "UPDATE bans SET lifted_at = now()"
        query += " WHERE person = $1 AND lifted_at IS NULL AND until > now()"
        return await self._done_once(deed, query, person)

    async def announcements(self) -> Sequence[Told]:
        """The newest announcements."""
        query = "SELECT id, pt, es, en, until, made_at, ended_at FROM announcements"
        query += " ORDER BY made_at DESC, id DESC LIMIT $1"
        async with self._database.connection() as connection:
            rows = await connection.fetch(query, LISTED)
        return [Told(Announcement(*row[:5]), *row[5:]) for row in map(tuple, rows)]

    async def announce(self, deed: Deed, announcement: Announcement) -> None:
        """Tell everybody."""
        query = "INSERT INTO announcements (id, pt, es, en, until) VALUES ($1, $2, $3, $4, $5)"
        async with self._changing(deed) as connection:
            await connection.execute(query, *announcement)

    async def end_announcement(self, deed: Deed, announcement: str) -> bool:
        """Tell it no more; False if it is over already."""
        query = "UPDATE announcements SET ended_at = now()"
        query += " WHERE id = $1 AND ended_at IS NULL AND until > now()"
        return await self._done_once(deed, query, announcement)

    async def note(self, deed: Deed) -> None:
        """Write into the audit log what is done elsewhere."""
        async with self._changing(deed):
            pass

    async def entries(self, before: int, limit: int, subject: str = "") -> Sequence[Entry]:
        """The newest entries of the audit log before a number, of a subject or of all."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(_ENTRIES, before, limit, subject)
        return [Entry(row[0], row[1], Deed(*row[2:9]), row[9]) for row in map(tuple, rows)]

    async def _done_once(self, deed: Deed, query: str, key: str) -> bool:
        """Change rows and note it; False, and nothing is noted, if there was nothing to change."""
        async with self._changing() as connection:
            changed: str = await connection.execute(query, key)
            if changed.endswith(" 0"):
                return False
            await connection.execute(_ADD, *deed)
            return True

    @asynccontextmanager
    async def _changing(self, deed: Deed | None = None) -> AsyncIterator[Connection]:
        """A transaction that begins with a deed: it is noted and done, or neither."""
        async with self._database.connection() as connection, connection.transaction():
            if deed is not None:
                await connection.execute(_ADD, *deed)
            yield connection
