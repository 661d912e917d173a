"""Makes all read models anew from the second copy, beside those that are read meanwhile.

It is one transaction: until it ends everybody reads what was there, archiving waits, and whatever
kills it leaves everything as it was. By hand `python -m laelo_archive.rebuild`, with PG_DSN set.
"""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

import asyncpg
from laelo_common.postgres import Connection
from laelo_common.settings import prefix

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


async def rebuild(connection: Connection, on_page: Callable[[Stream, int], None]) -> None:
    """Drop all read models and make them from the commits that are archived.

    `on_page` is told how many commits of a stream were just read.
    """
    async with connection.transaction():
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


async def _run(dsn: str) -> None:
    """Rebuild the database at `dsn`, telling how far it is."""
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        total = await connection.fetchval("SELECT sum(sequence)::bigint FROM archive_streams")
        read: Counter[Stream] = Counter()

        def tell(stream: Stream, commits: int) -> None:
            read[stream] += commits
            end = "\r" if sys.stderr.isatty() else "\n"
            print(f"{stream}: {read.total()} of {total} commits", end=end, file=sys.stderr)

        await rebuild(connection, tell)
    finally:
        await connection.close()
    print(f"made anew from {read.total()} commits")


def main() -> int:
    """Rebuild the database of the environment; the exit status."""
    variable = f"{prefix('archive')}PG_DSN"
    dsn = os.environ.get(variable)
    if not dsn:
        print(f"{variable} is not set: it says where the database is", file=sys.stderr)
        return 2
    try:
        asyncio.run(_run(dsn))
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        print(f"nothing is changed, the read models cannot be made: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
