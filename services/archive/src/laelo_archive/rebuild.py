"""Makes read models anew, from the second copy or from the log, beside those that are read.

Archiving goes on meanwhile, and waits only while the new rows take the place of the old ones.
Whatever kills it leaves everything as it was. By hand `laelo log replay`, or
`python -m laelo_archive.rebuild`, with PG_DSN set.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

import asyncpg
from laelo_common.errors import Code, LaeloError
from laelo_common.log import (
    JetStreamLives,
    JetStreamLog,
    Kind,
    Log,
    LogError,
    connect,
    read_pages,
)
from laelo_common.postgres import Connection, second_copy
from laelo_common.postgres.beside import PATIENCE_SECONDS, Beside
from laelo_common.runtime.progress import Progress
from laelo_common.settings import prefix

from laelo_archive.adapters.writing import (
    READ_MODELS,
    read_cursor,
    read_known,
    write_known,
    write_rows,
)
from laelo_archive.domain.project import NOTHING, Stream, project
from laelo_archive.domain.rows import Row
from laelo_archive.ports import Cursor, Lives
from laelo_archive.programs import reader
from laelo_archive.remembered import Remembered

PAGE: Final = 2000
KINDS: Final = {Stream(kind.stream): kind for kind in Kind}


class Told(NamedTuple):
    """A commit, as much of it as rows are made of."""

    sequence: int
    aggregate: str
    data: bytes


Pages = AsyncIterator[Sequence[Told]]
Source = Callable[[Cursor], Pages]
"""The commits of a stream up to a cursor, in order."""
OnPage = Callable[[int], None]


async def rebuild(
    connection: Connection,
    on_page: OnPage,
    models: Sequence[str] = READ_MODELS,
    source: Source | None = None,
) -> None:
    """Make some read models from all commits that are archived.

    The connection looks elsewhere first afterwards, and is to be closed. `on_page` is told how
    many commits were just read. Raises LaeloError.
    """
    beside = Beside("archive", [f"archive_{model}" for model in READ_MODELS])
    await beside.begin(connection)
    makers = [_Maker(connection, stream) for stream in Stream]
    for maker in makers:
        cursor = await read_cursor(connection, maker.stream)
        await maker.make(source(cursor) if source else maker.copied(cursor), on_page)
    async with connection.transaction():
        await connection.fetch("SELECT FROM archive_streams FOR UPDATE", timeout=PATIENCE_SECONDS)
        for maker in makers:
            cursor = await read_cursor(connection, maker.stream)
            await maker.make(maker.copied(cursor), on_page)
        await beside.swap(connection, [f"archive_{model}" for model in models])
    await beside.end(connection)


async def logged(log: Log, lives: Lives, cursor: Cursor) -> Pages:
    """The log's commits as a source. Raises LaeloError if the log has not got them all."""
    kind = KINDS[cursor.stream]
    life = await lives.life(kind)
    if cursor.sequence and life.created != cursor.created:
        raise LaeloError(Code.BAD_REQUEST, f"{cursor.stream} is not the stream that is archived")
    if cursor.sequence and life.first > 1:
        words = f"{cursor.stream} begins with commit {life.first}: take the second copy"
        raise LaeloError(Code.BAD_REQUEST, words)
    async for page in read_pages(log, kind, 0, cursor.sequence, PAGE):
        yield [Told(one.sequence, one.subject.split(".")[-2], one.data) for one in page]


class _Maker:
    """Makes the rows of one stream, page by page."""

    def __init__(self, connection: Connection, stream: Stream) -> None:
        self.stream = stream
        self._connection = connection
        self._remembered = Remembered(partial(read_known, connection, stream))
        self._last = 0

    async def copied(self, cursor: Cursor) -> Pages:
        """The commits of the second copy that were not read yet."""
        kind = KINDS[self.stream]
        async for page in second_copy.pages(self._connection, kind, self._last, PAGE):
            yield [
                Told(one.sequence, one.aggregate, one.data)
                for one in page
                if one.sequence <= cursor.sequence
            ]

    async def make(self, pages: Pages, on_page: OnPage) -> None:
        """Write the rows of these commits."""
        async for page in pages:
            if not page:
                continue
            known = await self._remembered.of({one.aggregate for one in page})
            rows: list[Row] = []
            for _, aggregate, data in page:
                before = known.get(aggregate, NOTHING)
                known[aggregate], _, told = project(self.stream, aggregate, data, before)
                rows += told
            async with self._connection.transaction():
                await write_known(self._connection, self.stream, known.items())
                await write_rows(self._connection, rows)
            self._remembered.keep(known)
            self._last = page[-1].sequence
            on_page(len(page))


async def _run(dsn: str, nats_url: str, models: Sequence[str]) -> int:
    """Rebuild the database at `dsn`, telling how far it is; the number of commits."""
    connection = await asyncpg.connect(dsn, timeout=10, command_timeout=60)
    try:
        total = await connection.fetchval("SELECT count(*) FROM archive_commits")
        progress = Progress("read models", total)
        if not nats_url:
            await rebuild(connection, progress.add, models)
        else:
            log = await connect(reader(nats_url, "rebuild"))
            try:
                source = partial(logged, JetStreamLog(log), JetStreamLives(log))
                await rebuild(connection, progress.add, models, source)
            finally:
                await log.close()
        progress.end()
    finally:
        await connection.close()
    return progress.done


def main(argv: Sequence[str] | None = None) -> int:
    """Rebuild the database of the environment; the exit status."""
    parser = argparse.ArgumentParser(prog="laelo_archive.rebuild", description="See the module.")
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(READ_MODELS))
    parser.add_argument("--source", choices=("copy", "log"), default="copy")
    options = parser.parse_args(argv)
    models = options.models or READ_MODELS
    if unknown := sorted(set(models) - set(READ_MODELS)):
        parser.error(f"no read model {unknown[0]!r}; there are {', '.join(READ_MODELS)}")
    needed = {"PG_DSN": "where the database is"}
    if options.source == "log":
        needed["NATS_URL"] = "where the log is"
    found = {name: os.environ.get(f"{prefix('archive')}{name}", "") for name in needed}
    for name, text in needed.items():
        if not found[name]:
            print(f"{prefix('archive')}{name} is not set: it says {text}", file=sys.stderr)
            return 2
    try:
        commits = asyncio.run(_run(found["PG_DSN"], found.get("NATS_URL", ""), models))
    except (OSError, LaeloError, LogError, *_DATABASE) as error:
        print(f"nothing is changed, the read models cannot be made: {error}", file=sys.stderr)
        return 1
    print(f"made anew from {commits} commits")
    return 0


_DATABASE: Final = (asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError)

if __name__ == "__main__":
    sys.exit(main())
