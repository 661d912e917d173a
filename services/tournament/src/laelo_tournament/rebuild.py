"""Makes the records anew, from the log or from its second copy, beside those that are read.

Services may run meanwhile; what is read changes at the end, in one transaction. By hand
`laelo log replay ranking`, or `python -m laelo_tournament.rebuild` with the settings of the
service. The second copy needs PG_DSN, and COPY_DSN where the archive has a database of its own.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import asyncpg
from laelo_common.errors import Code, LaeloError
from laelo_common.log import (
    JetStreamLives,
    JetStreamLog,
    Kind,
    LogError,
    NatsSettings,
    Recorded,
    connect,
    read_pages,
)
from laelo_common.postgres import Connection, second_copy
from laelo_common.postgres.beside import PATIENCE_SECONDS, Beside
from laelo_common.runtime.progress import Progress
from laelo_common.settings import prefix

from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.ports import GapError
from laelo_tournament.records import Remaking

TABLES: Final = (
    "tournament_cursor",
    "tournament_championships",
    "tournament_entries",
    "tournament_awards",
    "tournament_weeks",
)
"""All that is made of commits, parents first."""

_LOST: Final = """
SELECT count(*) FROM public.tournament_championships recorded
WHERE NOT EXISTS (SELECT FROM tournament_championships made WHERE made.id = recorded.id)
"""

Pages = AsyncIterator[Sequence[Recorded]]


class _One:
    """Lends the one connection that there is."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """The connection."""
        yield self._connection


async def rebuild(
    connection: Connection, pages: Callable[[int], Pages], *, may_go_back: bool = False
) -> int:
    """Make all records anew from the commits that `pages` has after a sequence; how far that is.

    With `may_go_back` also if more is recorded than there is now, as when the log was lost, or has
    its oldest commits no more. The connection is to be closed afterwards. Raises LaeloError and
    GapError.
    """
    beside = Beside("tournament", TABLES)
    await beside.begin(connection)
    await connection.execute("INSERT INTO tournament_cursor (sequence) VALUES (0)")
    remaking = Remaking(PostgresRecords(_One(connection)))
    last = await remaking.take(pages(0))
    async with connection.transaction():
        cursor = await connection.fetchval(
            "SELECT sequence FROM public.tournament_cursor FOR UPDATE", timeout=PATIENCE_SECONDS
        )
        if cursor > last:
            last = await remaking.take(pages(last))
        if cursor > last and not may_go_back:
            words = f"there are commits up to {last}, but {cursor} are recorded already"
            raise LaeloError(Code.TRY_LATER, words)
        lost = await connection.fetchval(_LOST, timeout=PATIENCE_SECONDS)
        if lost and not may_go_back:
            words = f"{lost} of the championships that are recorded are not in these commits"
            raise LaeloError(Code.BAD_REQUEST, f"{words}: take the second copy")
        await beside.swap(connection, TABLES)
    await beside.end(connection)
    return last


async def copied(connection: Connection, after: int, progress: Progress) -> Pages:
    """The second copy's commits."""
    async for page in second_copy.pages(connection, Kind.CHAMPIONSHIP, after):
        progress.add(len(page))
        yield [second_copy.as_recorded(Kind.CHAMPIONSHIP, one) for one in page]


async def logged(log: JetStreamLog, lives: JetStreamLives, after: int, progress: Progress) -> Pages:
    """The log's commits."""
    life = await lives.life(Kind.CHAMPIONSHIP)
    async for page in read_pages(log, Kind.CHAMPIONSHIP, max(after, life.first - 1), life.last):
        progress.add(len(page))
        yield page


async def _run(dsn: str, copy_dsn: str, nats_url: str, *, may_go_back: bool) -> int:
    """Rebuild the database at `dsn`; how far the log is recorded then."""
    connection = await asyncpg.connect(dsn, timeout=10, command_timeout=60)
    progress = Progress("ranking", 0)
    try:
        if not nats_url:
            return await _from_copy(connection, copy_dsn, progress, may_go_back=may_go_back)
        servers = tuple(part.strip() for part in nats_url.split(","))
        nats = NatsSettings(servers, "laelo-tournament-rebuild", inbox_prefix="_INBOX.tournament")
        link = await connect(nats)
        try:
            log, lives = JetStreamLog(link), JetStreamLives(link)
            return await rebuild(
                connection,
                lambda after: logged(log, lives, after, progress),
                may_go_back=may_go_back,
            )
        finally:
            await link.close()
    finally:
        await connection.close()


async def _from_copy(
    connection: Connection, copy_dsn: str, progress: Progress, *, may_go_back: bool
) -> int:
    copy = await asyncpg.connect(copy_dsn, timeout=10, command_timeout=60)
    try:
        return await rebuild(
            connection, lambda after: copied(copy, after, progress), may_go_back=may_go_back
        )
    finally:
        await copy.close()


def main(argv: Sequence[str] | None = None) -> int:
    """Rebuild by the environment; the exit status."""
    parser = argparse.ArgumentParser(prog="laelo_tournament.rebuild", description="See the module.")
    parser.add_argument("--source", choices=("copy", "log"), default="log")
    parser.add_argument("--back", action="store_true", help="also if more is recorded than is left")
    options = parser.parse_args(argv)
    needed = ["PG_DSN", *(["NATS_URL"] if options.source == "log" else [])]
    found = {name: os.environ.get(f"{prefix('tournament')}{name}", "") for name in needed}
    for missing in _missing(found):
        print(missing, file=sys.stderr)
        return 2
    dsn = found["PG_DSN"]
    copy_dsn = os.environ.get(f"{prefix('tournament')}COPY_DSN") or dsn
    run = _run(dsn, copy_dsn, found.get("NATS_URL", ""), may_go_back=options.back)
    try:
        cursor = asyncio.run(run)
    except _FAILURES as error:
        print(f"the records cannot be made anew: {error}", file=sys.stderr)
        return 1
    print(f"recorded up to commit {cursor} of the log")
    return 0


def _missing(found: dict[str, str]) -> Iterator[str]:
    for name, text in found.items():
        if not text:
            yield f"{prefix('tournament')}{name} is not set: it says where that is"


_FAILURES: Final = (
    OSError,
    LaeloError,
    LogError,
    GapError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
)

if __name__ == "__main__":
    sys.exit(main())
