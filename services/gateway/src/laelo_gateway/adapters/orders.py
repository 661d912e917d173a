"""The operators' orders in PostgreSQL, as gateways read them."""

from typing import Final

from laelo_common.postgres import Database

from laelo_gateway.orders.store import Announcement, Ban, Holding

_HOLDS: Final = "lifted_at IS NULL AND until > now()"
_BANS: Final = f"""
SELECT person, until, reason FROM bans WHERE {_HOLDS}
UNION ALL
SELECT p.id, b.until, b.reason FROM bans b JOIN people p ON p.owner = b.person WHERE {_HOLDS}
ORDER BY until
"""  # noqa: S608 - constants
_ANNOUNCED: Final = """
SELECT id, pt, es, en, until FROM announcements WHERE ended_at IS NULL AND until > now()
ORDER BY made_at DESC, id DESC LIMIT 1
"""


class PostgresOrders:
    """An `OrderStore`; whose database it is keeps it reached and migrated."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def changes(self) -> int:
        """How often orders have changed."""
        async with self._database.connection() as connection:
            return int(await connection.fetchval("SELECT times FROM orders_changed"))

    async def in_force(self) -> Holding:
        """All that holds. Of several bans of one person the longest counts."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(_BANS)
            told = await connection.fetchrow(_ANNOUNCED)
        bans = {row["person"]: Ban(row["until"], row["reason"]) for row in rows}
        return Holding(bans, None if told is None else Announcement(*told))
