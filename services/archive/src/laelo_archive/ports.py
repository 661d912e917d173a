"""What the archive needs of the world outside."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from laelo_common.log import Kind, Life

from laelo_archive.domain.project import Known, Stream
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow, Row


class Cursor(NamedTuple):
    """How far a stream is archived, and which one."""

    stream: Stream
    epoch: int = 0
    """Counts the streams of this name that were archived; 0 = none yet."""
    created: str = ""
    sequence: int = 0


class Line(NamedTuple):
    """A commit as it is archived."""

    sequence: int
    aggregate: str
    version: int
    hash: bytes
    data: bytes
    stored_ms: int


class Page(NamedTuple):
    """What is archived in one go, all or nothing."""

    cursor: Cursor
    """Where the archive stands before it."""
    lines: Sequence[Line]
    known: Mapping[str, Known]
    """Of every aggregate that has a commit here, as it is after them."""
    rows: Sequence[Row]


class GapError(Exception):
    """The log does not go on where the archive stands."""

    def __init__(self, last: int, first: int) -> None:
        super().__init__(f"after commit {last} comes {first}")
        self.last, self.first = last, first


class Lives(Protocol):
    """Which streams the log has. Raises LogError."""

    async def life(self, kind: Kind) -> Life:
        """The present life of a stream."""


class Shelves(Protocol):
    """Where the archive is written. Every method raises LaeloError, TRY_LATER while it is away."""

    async def cursor(self, stream: Stream) -> Cursor:
        """How far a stream is archived."""

    async def note_seen(self, cursor: Cursor, last: int) -> None:
        """Note that the log has commits up to there, which are not archived yet."""

    async def adopt(self, cursor: Cursor, life: Life) -> bool:
        """Archive this life of the stream from now on; False if the cursor is not there any more.

        Only for a stream of which nothing is archived.
        """

    async def known(self, stream: Stream, aggregates: Sequence[str]) -> dict[str, Known]:
        """What is known of aggregates; those of which nothing is known are left out."""

    async def write(self, page: Page) -> bool:
        """Archive a page; False, and nothing is written, if the cursor is not there any more."""


class Filter(NamedTuple):
    """Which matches of a player are wanted: those that began in [since_ms, until_ms)."""

    player: str
    partner: str
    is_official: bool | None
    since_ms: int
    until_ms: int
    before: tuple[int, str, int]
    """Only what comes after this in the order of histories: start, table, match."""
    limit: int


class Found(NamedTuple):
    """A match, who sat in it, and which of these may be told (R40)."""

    match: MatchRow
    people: Sequence[PersonRow]
    open: frozenset[str]


class Whole(NamedTuple):
    """A match, and its hands that are over, in order."""

    found: Found
    hands: Sequence[HandRow]


class Reading(Protocol):
    """Where the archive is read; raises as `Shelves` does."""

    async def history(self, wanted: Filter) -> list[Found]:
        """Matches of a player, the newest first."""

    async def whole(self, table: str, match: int) -> Whole | None:
        """One match with its hands."""


class Library(Reading, Protocol):
    """All that is read of the archive."""

    async def commits(self, table: str) -> list[bytes]:
        """Everything that is archived of a table, in order, as it was stored."""
