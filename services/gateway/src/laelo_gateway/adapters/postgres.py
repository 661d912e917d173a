"""Guests in PostgreSQL. It may come late or go away: then TRY_LATER, and nobody waits long."""

import asyncio
import logging
from typing import Final

from laelo_common.errors import LaeloError
from laelo_common.postgres import AWAY, Database

from laelo_gateway.adapters.accounts import LIVES
from laelo_gateway.domain.commands import Person
from laelo_gateway.migrate import MIGRATIONS

RETRY_SECONDS: Final = 1.0
TIDY_SECONDS: Final = 6 * 3600.0
KEEP_DAYS: Final = 90

_log = logging.getLogger(__name__)


class PostgresPeople:
    """A `PeopleStore`. `run` connects, migrates and tidies; until then everything is away."""

    def __init__(self, dsn: str, *, most: int = 8) -> None:
        self.database = Database(dsn, MIGRATIONS, most=most)

    @property
    def is_up(self) -> bool:
        """Whether it has been reached since the start."""
        return self.database.is_up

    async def add_guest(self, person: Person, language: str, token_hash: bytes) -> None:
        """Keep a new guest and the session, both or none."""
        query = (
            "WITH made AS (INSERT INTO people (id, name, guest, language)"
            " VALUES ($1, $2, $3, $4) RETURNING id)"
            " INSERT INTO sessions (token_hash, person) SELECT $5, id FROM made"
        )
        async with self.database.connection() as connection:
            await connection.execute(
                query, person.id, person.name, person.guest, language, token_hash
            )

    async def find(self, token_hash: bytes) -> Person | None:
        """Whose session this is; that the person was here is kept, once a day."""
        query = "SELECT p.id, p.name, p.guest, p.seen_at < now() - interval '1 day' AS old"
        query += " FROM sessions s JOIN people p ON p.id = s.person WHERE s.token_hash = $1"
        async with self.database.connection() as connection:
            row = await connection.fetchrow(query, token_hash)
            if row is None:
                return None
            if row["old"]:
                await connection.execute(
                    "UPDATE people SET seen_at = now() WHERE id = $1", row["id"]
                )
            return Person(row["id"], row["name"], row["guest"])

    async def rename(self, person: Person) -> None:
        """Keep a person's new name."""
        async with self.database.connection() as connection:
            await connection.execute(
                "UPDATE people SET name = $2 WHERE id = $1", person.id, person.name
            )

    async def is_taken(self, name_key: str) -> bool:
        """Whether an account has a nickname of this key."""
        query = "SELECT EXISTS (SELECT FROM accounts WHERE name_key = $1)"
        async with self.database.connection() as connection:
            return bool(await connection.fetchval(query, name_key))

    async def run(self) -> None:
        """Reach the database, and now and then delete what has run out."""
        await self.database.reach()
        while True:
            try:
                await self._tidy()
            except (*AWAY, LaeloError) as error:
                _log.warning(
                    "old guests and sessions are not deleted now (%s): trying again", error
                )
                await asyncio.sleep(RETRY_SECONDS)
            else:
                await asyncio.sleep(TIDY_SECONDS)

    async def close(self) -> None:
        """Let go of all connections."""
        await self.database.close()

    async def _tidy(self) -> None:
        """Delete guests who have long been away, and sessions that are over."""
        guests = f"DELETE FROM people WHERE guest AND seen_at < now() - interval '{KEEP_DAYS} days'"  # noqa: S608 - a constant
        sessions = f"DELETE FROM account_sessions s WHERE NOT ({LIVES})"  # noqa: S608 - a constant
        async with self.database.connection() as connection:
            await connection.execute(guests)
            await connection.execute(sessions)
