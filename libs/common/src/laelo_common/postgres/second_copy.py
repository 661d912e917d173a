"""The second copy of the log, as the archive keeps it: read in the log's order, page by page."""

from collections.abc import AsyncIterator
from typing import Final, NamedTuple

from laelo_common.log import Aggregate, Kind, Recorded
from laelo_common.postgres.database import Connection

PAGE: Final = 2000
PATIENCE_SECONDS: Final = 600.0
"""For statements that look at much."""

_PAGE: Final = """
SELECT epoch, sequence, aggregate, version, hash, data, stored_ms FROM archive_commits
WHERE stream = $1 AND (epoch, sequence) > ($2, $3) AND sequence > $3
ORDER BY epoch, sequence LIMIT $4
"""

_FIRST: Final = """
SELECT min(sequence) FROM archive_commits WHERE stream = $1 AND stored_ms >= $2
"""

_CURSOR: Final = """
SELECT epoch, created, sequence, seen, filled_from FROM archive_streams WHERE stream = $1
"""

_NOTE_OLD: Final = """
INSERT INTO archive_epochs (stream, epoch, created, sequence, seen, ended_ms)
SELECT stream, epoch, created, sequence, seen, $3 FROM archive_streams
WHERE stream = $1 AND created = $2
"""

_NOTE_NEW: Final = """
UPDATE archive_streams SET epoch = epoch + 1, created = $3, seen = sequence
WHERE stream = $1 AND created = $2
"""


class Copied(NamedTuple):
    """A commit as it is archived."""

    epoch: int
    sequence: int
    aggregate: str
    version: int
    hash: bytes
    data: bytes
    stored_ms: int


class Place(NamedTuple):
    """How far a stream is archived."""

    epoch: int
    created: str
    """Which stream it is, as `Life.created`."""
    sequence: int
    seen: int
    """The newest commit that was ever seen in the log; less than `sequence` means nothing."""
    filled_from: int
    """With which commit the copy begins: the log had no older ones when it was begun."""


async def place_of(connection: Connection, kind: Kind) -> Place:
    """How far a stream is archived."""
    return Place(*await connection.fetchrow(_CURSOR, kind.stream))


async def first_since(connection: Connection, kind: Kind, since_ms: int) -> int | None:
    """The first commit that the log stored then or later; None if there is none."""
    found: int | None = await connection.fetchval(
        _FIRST, kind.stream, since_ms, timeout=PATIENCE_SECONDS
    )
    return found


async def pages(
    connection: Connection, kind: Kind, after: int = 0, size: int = PAGE
) -> AsyncIterator[list[Copied]]:
    """All commits of a stream after a sequence, in order. Sequences go on over the stream's
    lives, so each is there once.
    """
    epoch = 0
    while rows := await connection.fetch(
        _PAGE, kind.stream, epoch, after, size, timeout=PATIENCE_SECONDS
    ):
        page = [Copied(*row) for row in rows]
        yield page
        epoch, after = page[-1].epoch, page[-1].sequence


def as_recorded(kind: Kind, copied: Copied) -> Recorded:
    """A commit as the log had it."""
    subject = Aggregate(kind, copied.aggregate).subject
    return Recorded(copied.sequence, subject, copied.data, copied.stored_ms)


async def begin_epoch(
    connection: Connection, kind: Kind, before: Place, created: str, now_ms: int
) -> bool:
    """Note that another stream stands for the archived one from now on, which goes on where
    that ends; False if the cursor does not say `before` any more.
    """
    async with connection.transaction():
        await connection.execute(_NOTE_OLD, kind.stream, before.created, now_ms)
        done: str = await connection.execute(_NOTE_NEW, kind.stream, before.created, created)
    return done.endswith(" 1")
