"""Every move of the second copy checked again by the rules, by all cores at once.

Each process reads its part of the tables, in the log's order, and keeps a referee for every table
that is open. A table that does not pass is checked once more at leisure, to say what is wrong.
"""

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

import asyncpg
from google.protobuf.message import DecodeError
from laelo_common.log import Kind, Recorded
from laelo_common.postgres.second_copy import Copied, as_recorded

from laelo_tools.errors import LaeloError
from laelo_tools.history.errors import WrongError
from laelo_tools.history.glancing import quickest
from laelo_tools.history.quick import QuickReferee
from laelo_tools.history.verify import Report, verify_table
from laelo_tools.second_copy.places import database_at

PAGE: Final = 8000
TELL_SECONDS: Final = 0.2
SECONDS: Final = 600.0

_PAGE: Final = """
SELECT aggregate, data FROM archive_commits
WHERE stream = 'TBL' AND sequence > $1 AND sequence <= $2
    AND abs(hashtext(aggregate)::bigint) % $3 = $4
ORDER BY epoch, sequence
"""
_LAST: Final = "SELECT coalesce(max(sequence), 0) FROM archive_commits WHERE stream = 'TBL'"
_FIRST: Final = "SELECT coalesce(min(sequence), 1) FROM archive_commits WHERE stream = 'TBL'"
_ONE: Final = """
SELECT epoch, sequence, aggregate, version, hash, data, stored_ms FROM archive_commits
WHERE stream = 'TBL' AND aggregate = $1 ORDER BY version, sequence
"""


_FAILURES: Final = (OSError, BrokenProcessPool, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What a process ends with that loses the database, or is killed."""


class Part(NamedTuple):
    """Which of the tables one process checks: those of number `number` of `parts`."""

    dsn: str
    first: int
    last: int
    parts: int
    number: int


class Checked(NamedTuple):
    """What came out."""

    commits: int
    moves: int
    tables: int
    bad: Sequence[str]
    """Tables that did not pass."""


class Tables:
    """Referees of the tables that are open, told their commits as they come."""

    def __init__(self) -> None:
        self.commits = 0
        self.moves = 0
        self.tables = 0
        self.bad: set[str] = set()
        self._referees: dict[str, QuickReferee] = {}
        self._closed: set[str] = set()

    @property
    def open(self) -> int:
        """How many have a referee: of a closed table only its id is kept."""
        return len(self._referees)

    def take(self, table: str, commits: Sequence[bytes]) -> None:
        """Check the next commits of a table."""
        self.commits += len(commits)
        referee = self._referees.get(table)
        if referee is None:
            if table in self._closed:
                self.bad.add(table)  # nothing happens after that
            if table in self.bad:
                return
            referee = self._referees[table] = quickest(table)
            self.tables += 1
        before = referee.moves
        try:
            referee.follow_all(commits)
        except (WrongError, DecodeError):
            self.bad.add(table)
            del self._referees[table]
        else:
            if referee.is_closed:
                self._closed.add(table)
                del self._referees[table]
        self.moves += referee.moves - before

    @property
    def checked(self) -> Checked:
        """What came out until now."""
        return Checked(self.commits, self.moves, self.tables, sorted(self.bad))


async def check_all(
    dsn: str, on_commits: Callable[[int], None], processes: int | None = None
) -> tuple[Checked, list[Report]]:
    """Check all tables; what came out, and what is wrong with those that did not pass.

    `on_commits` is told how many commits more have been checked. Raises LaeloError.
    """
    parts = processes or os.cpu_count() or 1
    async with database_at(dsn) as database:
        first, last = [await database.fetchval(query) for query in (_FIRST, _LAST)]
    context = get_context("spawn")
    count = context.Value("Q", 0)
    with ProcessPoolExecutor(parts, context, _begin, (count,)) as pool:
        running = [
            pool.submit(_check_part, Part(dsn, first, last, parts, number))
            for number in range(parts)
        ]
        try:
            found = await _told(running, count, on_commits)
        except _FAILURES as error:
            raise LaeloError(f"The second copy was not read to its end: {error}.") from error
    bad = [table for one in found for table in one.bad]
    reports = [await examine(dsn, table) for table in bad]
    checked = Checked(
        commits=sum(one.commits for one in found),
        moves=sum(one.moves for one in found),
        tables=sum(one.tables for one in found),
        bad=bad,
    )
    return checked, reports


async def examine(dsn: str, table: str) -> Report:
    """Check one table at leisure. Raises LaeloError."""
    async with database_at(dsn) as database:
        rows = await database.fetch(_ONE, table, timeout=SECONDS)
    records: list[Recorded] = [as_recorded(Kind.TABLE, Copied(*row)) for row in rows]
    return verify_table(table, records)


async def _told(
    running: Sequence["Future[Checked]"], count: Any, on_commits: Callable[[int], None]
) -> list[Checked]:
    """What the processes say, in the end; meanwhile, how far they are."""
    found = [asyncio.wrap_future(one) for one in running]
    waiting = set(found)
    told = 0
    while waiting:
        _, waiting = await asyncio.wait(
            waiting, timeout=TELL_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        on_commits(count.value - told)
        told = count.value
    return await asyncio.gather(*found)


_count: Any = None


def _begin(count: Any) -> None:
    """Begin a process."""
    global _count  # noqa: PLW0603 - a process has no other way to be handed it
    _count = count
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


def _check_part(part: Part) -> Checked:
    return asyncio.run(_check(part))


async def _check(part: Part) -> Checked:
    """Check a part; the next page is read while one is checked."""
    tables = Tables()
    async for page in _pages(part):
        by_table: dict[str, list[bytes]] = {}
        for table, data in page:
            by_table.setdefault(table, []).append(data)
        for table, commits in by_table.items():
            tables.take(table, commits)
        with _count.get_lock():
            _count.value += len(page)
    return tables.checked


async def _pages(part: Part) -> AsyncIterator[Sequence[Any]]:
    connection = await asyncpg.connect(part.dsn, timeout=10)
    try:
        step = PAGE * part.parts
        asked: asyncio.Task[Any] | None = None
        for after in range(part.first - 1, part.last, step):
            page = await asked if asked else None
            which = (after, min(after + step, part.last), part.parts, part.number)
            asked = asyncio.create_task(connection.fetch(_PAGE, *which, timeout=SECONDS))
            await asyncio.sleep(0)  # so that it is on its way
            if page is not None:
                yield page
        if asked is not None:
            yield await asked
    finally:
        await connection.close()
