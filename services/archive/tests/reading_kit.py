"""What the archive has, row by row."""

from typing import Any

from laelo_archive.adapters.writing import READ_MODELS
from laelo_common.postgres import Database

TABLES = ("commits", "streams", *READ_MODELS)
Rows = dict[str, list[tuple[Any, ...]]]


async def rows_in(database: Database) -> Rows:
    """Every row of the archive."""
    async with database.connection() as connection:
        return {
            table: sorted(
                tuple(tuple(one) if isinstance(one, list) else one for one in row)
                for row in await connection.fetch(f"SELECT * FROM archive_{table}")
            )
            for table in TABLES
        }
