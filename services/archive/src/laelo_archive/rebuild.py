"""Makes all read models anew from the second copy, beside those that are read meanwhile.

It is one transaction: until it ends everybody reads what was there, archiving waits, and whatever
kills it leaves everything as it was.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from laelo_common.postgres import Connection, Database

from laelo_archive.adapters.connecting import connected
from laelo_archive.adapters.writing import (
    READ_MODELS,
    read_known,
    write_known,
    write_rows,
)
from laelo_archive.domain.project import NOTHING, Stream, project
from laelo_archive.domain.rows import Row
from laelo_archive.remembered import Remembered

PAGE: Final = 2000
PATIENCE_SECONDS: Final = 3600.0
"""For statements that look at everything there is."""

_COMMITS: Final = """
SELECT aggregate, data FROM archive_commits WHERE stream = $1 ORDER BY epoch, sequence
"""


async def rebuild(database: Database, on_page: Callable[[Stream, int], None]) -> None:
    """Drop all read models and make them from the commits that are archived.

    `on_page` is told how many commits of a stream were just read. Raises LaeloError.
    """
    async with connected(database) as connection, connection.transaction():
        await connection.fetch("SELECT FROM archive_streams FOR UPDATE", timeout=PATIENCE_SECONDS)
        for table in READ_MODELS:
            await connection.execute(
                f"DELETE FROM archive_{table}",  # noqa: S608 - constants
                timeout=PATIENCE_SECONDS,
            )
        for stream in Stream:
            await _project_all(connection, stream, on_page)


async def _project_all(
    connection: Connection, stream: Stream, on_page: Callable[[Stream, int], None]
) -> None:
    remembered = Remembered(partial(read_known, connection, stream))
    cursor = await connection.cursor(_COMMITS, stream)
    while page := await cursor.fetch(PAGE, timeout=PATIENCE_SECONDS):
        known = await remembered.of({aggregate for aggregate, _ in page})
        rows: list[Row] = []
        for aggregate, data in page:
            before = known.get(aggregate, NOTHING)
            known[aggregate], _, told = project(stream, aggregate, data, before)
            rows += told
        await write_known(connection, stream, known.items())
        await write_rows(connection, rows)
        remembered.keep(known)
        on_page(stream, len(page))
