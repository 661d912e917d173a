"""Bot accounts in PostgreSQL."""

from collections.abc import Collection
from typing import Final

from laelo_common.postgres import Database

from laelo_gateway.bots.store import MOST, Bot
from laelo_gateway.domain.commands import Person

_ADD: Final = """
WITH made AS (
    INSERT INTO people (id, name, guest, language, owner)
    SELECT $1, $2, true, language, id FROM accounts WHERE id = $3 RETURNING id
)
INSERT INTO sessions (token_hash, person) SELECT $4, id FROM made
"""


class PostgresBots:
    """A `BotStore`; whose database it is keeps it reached and migrated."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, owner: str, bot: Person, token_hash: bytes) -> bool:
        """Keep a new bot of an account; False if it has too many, or is no more."""
        async with self._database.connection() as connection, connection.transaction():
            # Of two that are made at once one waits for the other, and is counted with it.
            await connection.execute("SELECT FROM accounts WHERE id = $1 FOR UPDATE", owner)
            count = await connection.fetchval("SELECT count(*) FROM people WHERE owner = $1", owner)
            if count >= MOST:
                return False
            done: str = await connection.execute(_ADD, bot.id, bot.name, owner, token_hash)
            return done.endswith(" 1")

    async def of(self, owner: str) -> list[Bot]:
        """The bots of an account, the oldest first."""
        query = "SELECT id, name, made_at FROM people WHERE owner = $1 ORDER BY made_at, id"
        async with self._database.connection() as connection:
            return [Bot(*row) for row in await connection.fetch(query, owner)]

    async def revoke(self, owner: str, bot: str) -> bool:
        """Delete a bot with its token; False if it is none of this account's."""
        query = "DELETE FROM people WHERE id = $2 AND owner = $1"
        async with self._database.connection() as connection:
            done: str = await connection.execute(query, owner, bot)
            return done.endswith(" 1")

    async def living(self, bots: Collection[str]) -> set[str]:
        """Those of the bots that are not deleted."""
        query = "SELECT id FROM people WHERE id = ANY($1)"
        async with self._database.connection() as connection:
            return {row["id"] for row in await connection.fetch(query, list(bots))}
