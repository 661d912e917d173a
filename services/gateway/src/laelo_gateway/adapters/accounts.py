"""Accounts and their sessions in PostgreSQL."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import asyncpg
import msgspec
from laelo_common.ids import new_id
from laelo_common.postgres import Connection, Database

from laelo_gateway.accounts.store import IDLE_DAYS, LONGEST_DAYS, Identity, NewSession
from laelo_gateway.domain.commands import Person

LIVES: Final = (
    f"s.used_at > now() - interval '{IDLE_DAYS} days'"
    f" AND s.made_at > now() - interval '{LONGEST_DAYS} days'"
)
"""Whether the session `s` is not over."""

_SIGN_IN: Final = """
INSERT INTO accounts (id, issuer, subject, language) VALUES ($1, $2, $3, $4)
ON CONFLICT (issuer, subject) DO UPDATE SET seen_at = now(), language = $4
RETURNING id, name
"""
_LIVING: Final = f"""
SELECT s.token_hash, a.id, a.name, s.used_at < now() - interval '1 day' AS old
FROM account_sessions s JOIN accounts a ON a.id = s.account
WHERE s.token_hash = ANY($1) AND {LIVES}
"""  # noqa: S608 - constants
_USED: Final = """
WITH used AS (UPDATE account_sessions SET used_at = now() WHERE token_hash = $1 RETURNING account)
UPDATE accounts SET seen_at = now() FROM used WHERE accounts.id = used.account
"""
_MERGE: Final = """
UPDATE accounts SET settings = $3::jsonb || settings || $2::jsonb WHERE id = $1
RETURNING settings::text
"""
_SESSIONS: Final = """
SELECT made_at, used_at FROM account_sessions WHERE account = $1 ORDER BY made_at
"""
_BOTS: Final = "SELECT id, name, made_at, seen_at FROM people WHERE owner = $1 ORDER BY made_at"


class PostgresAccounts:
    """An `AccountStore`; whose database it is keeps it reached and migrated."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def sign_in(self, identity: Identity, session: NewSession) -> Person:
        """The identity's account, made if there is none, with a new session: all or nothing."""
        async with self._database.connection() as connection, connection.transaction():
            row = await connection.fetchrow(_SIGN_IN, new_id(), *identity, session.language)
            if session.replaces is not None:
                await _end(connection, session.replaces)
            await connection.execute(
                "INSERT INTO account_sessions (token_hash, account) VALUES ($1, $2)",
                session.key,
                row["id"],
            )
            return _person(row)

    async def find(self, key: bytes) -> Person | None:
        """Whose session this is; that it was used is kept, once a day."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(_LIVING, [key])
            if row is None:
                return None
            if row["old"]:
                await connection.execute(_USED, key)
            return _person(row)

    async def living(self, keys: Collection[bytes]) -> Mapping[bytes, Person]:
        """Those of the sessions that are not over, and whose they are."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(_LIVING, list(keys))
        return {row["token_hash"]: _person(row) for row in rows}

    async def end(self, key: bytes) -> None:
        """End one session."""
        async with self._database.connection() as connection:
            await _end(connection, key)

    async def end_all(self, person: str) -> None:
        """End all sessions of a person."""
        async with self._database.connection() as connection:
            await connection.execute("DELETE FROM account_sessions WHERE account = $1", person)

    async def rename(self, person: str, name: str, name_key: str) -> bool:
        """Give a person this nickname, unless somebody else has one of the same key."""
        query = "UPDATE accounts SET name = $2, name_key = $3 WHERE id = $1"
        async with self._database.connection() as connection:
            try:
                await connection.execute(query, person, name, name_key)
            except asyncpg.UniqueViolationError:
                return False
            return True

    async def names(self, persons: Collection[str]) -> Mapping[str, str]:
        """Nicknames by person."""
        query = "SELECT id, name FROM accounts WHERE id = ANY($1) AND name IS NOT NULL"
        async with self._database.connection() as connection:
            return {row["id"]: row["name"] for row in await connection.fetch(query, list(persons))}

    async def merge_settings(
        self, person: str, changed: Mapping[str, Any], otherwise: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Merged by one statement; nothing for an account that was deleted just now."""
        both = [msgspec.json.encode(part).decode() for part in (changed, otherwise)]
        async with self._database.connection() as connection:
            kept = await connection.fetchval(_MERGE, person, *both)
        return _document(kept or "{}")

    async def export(self, person: str) -> dict[str, Any]:
        """All that is kept of a person."""
        columns = "id, issuer, subject, name, language, settings, made_at, seen_at"
        query = f"SELECT {columns} FROM accounts WHERE id = $1"  # noqa: S608 - constants
        async with self._database.connection() as connection:
            account = await connection.fetchrow(query, person)
            sessions = await connection.fetch(_SESSIONS, person)
            bots = await connection.fetch(_BOTS, person)
        kept = {**account, "settings": _document(account["settings"])} if account else None
        return {
            "account": kept,
            "sessions": [dict(session) for session in sessions],
            "bots": [dict(bot) for bot in bots],
        }

    async def erase(self, person: str) -> None:
        """Delete the account; its sessions go with it."""
        async with self._database.connection() as connection:
            await connection.execute("DELETE FROM accounts WHERE id = $1", person)


async def _end(connection: Connection, key: bytes) -> None:
    await connection.execute("DELETE FROM account_sessions WHERE token_hash = $1", key)


def _document(text: str) -> dict[str, Any]:
    return msgspec.json.decode(text, type=dict[str, Any])


def _person(row: Any) -> Person:
    return Person(row["id"], row["name"] or "", guest=False)
