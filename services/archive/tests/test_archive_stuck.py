"""Whoever cannot go on says so, for as long as that is so and no longer."""

import random
from collections.abc import Sequence

import pytest
from laelo_archive.archivist import Archivist
from laelo_archive.domain.project import Known, Stream
from laelo_archive.ports import Cursor, Page
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Kind, Life, MemoryLog
from laelo_common.testing.waiting import until

from .archiving import working
from .kit import log_of, mixed, some_histories


class MemoryShelves:
    """`Shelves` of one stream, which keep nothing but the place."""

    def __init__(self, cursor: Cursor) -> None:
        self.at = cursor
        self.is_others = False
        """Whether somebody else is always quicker."""
        self.error: LaeloError | None = None
        self.tries = 0

    async def cursor(self, stream: Stream) -> Cursor:
        return self.at

    async def note_seen(self, cursor: Cursor, last: int) -> None:
        raise AssertionError("the watch does that")

    async def adopt(self, cursor: Cursor, life: Life) -> bool:
        raise AssertionError("something is archived already")

    async def known(self, stream: Stream, aggregates: Sequence[str]) -> dict[str, Known]:
        return {}

    async def write(self, page: Page) -> bool:
        self.tries += 1
        if self.error is not None:
            raise self.error
        if self.is_others:
            return False
        self.at = self.at._replace(sequence=page.lines[-1].sequence)
        return True


def a_log() -> tuple[MemoryLog, int]:
    """A log, and its newest commit of a table."""
    chance = random.Random(7)
    streams = mixed(chance, some_histories(chance, 2))
    return log_of(streams), len(streams["TBL"])


def archivist_of(log: MemoryLog, shelves: MemoryShelves) -> Archivist:
    return Archivist(Kind.TABLE, log, log, shelves)


async def test_who_was_stuck_is_not_once_the_log_is_restored() -> None:
    log, last = a_log()
    shelves = MemoryShelves(Cursor(Stream.TABLES, 1, "another stream", last))
    archivist = archivist_of(log, shelves)
    async with working([archivist]):
        await until(lambda: "made at another stream" in archivist.trouble)
        shelves.at = Cursor(Stream.TABLES, 2, log.created, last)
        await until(lambda: not archivist.trouble)


async def test_who_was_stuck_is_not_while_another_goes_on() -> None:
    log, last = a_log()
    shelves = MemoryShelves(Cursor(Stream.TABLES, 1, "another stream", last - 5))
    shelves.is_others = True
    archivist = archivist_of(log, shelves)
    async with working([archivist]):
        await until(lambda: bool(archivist.trouble))
        shelves.at = Cursor(Stream.TABLES, 2, log.created, last - 5)
        await until(lambda: not archivist.trouble)


@pytest.mark.parametrize("code", [Code.INTERNAL, Code.BAD_REQUEST])
async def test_what_the_database_refuses_is_trouble_and_its_absence_is_none(code: Code) -> None:
    log, last = a_log()
    shelves = MemoryShelves(Cursor(Stream.TABLES, 1, log.created, last - 5))
    shelves.error = LaeloError(Code.TRY_LATER, "away")
    archivist = archivist_of(log, shelves)
    async with working([archivist]):
        await until(lambda: shelves.tries > 1)
        assert not archivist.trouble
        shelves.error = LaeloError(code, "no room on the disk")
        await until(lambda: "no room" in archivist.trouble)
        shelves.error = None
        await until(lambda: not archivist.trouble)
    assert shelves.at.sequence == last
