"""What the log offers, whatever stores it: the types and the errors of the port."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol
from zlib import crc32

from laelo_common.log.reach import Reach

TABLE_SHARDS = 16
_TOKEN = re.compile(r"[0-9A-Za-z_-]{1,64}")


class Kind(StrEnum):
    """Kinds of aggregates; each has a stream of its own."""

    TABLE = "tbl"
    CHAMPIONSHIP = "trn"
    QUEUE = "mmq"

    @property
    def stream(self) -> str:
        """Name of the stream that holds these aggregates."""
        return self.value.upper()


def token(text: str) -> str:
    """Check that a text may be one token of a subject; ValueError if not."""
    if not _TOKEN.fullmatch(text):
        raise ValueError(f"not a token of a subject: {text!r}")
    return text


def claim_subject(key: str) -> str:
    """Where it stands who has a key."""
    return f"snap.code.{token(key)}"


def notice_subject(key: str) -> str:
    """Where a notice stands."""
    return f"wait.{token(key)}"


def shard(table: str) -> int:
    """Shard of a table, 0..15: fixed for ever, since it stands in the subjects."""
    return crc32(table.encode()) % TABLE_SHARDS


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One history: a table, a championship or a queue. Ids are never used again."""

    kind: Kind
    id: str
    subject: str = field(init=False, compare=False)
    live_subject: str = field(init=False, compare=False)
    """Where who stores a commit tells the others its number; empty: only tables have it."""

    def __post_init__(self) -> None:
        tables = self.kind is Kind.TABLE
        place = f"{shard(self.id)}.{token(self.id)}" if tables else token(self.id)
        object.__setattr__(self, "subject", f"{self.kind}.{place}.ev")
        object.__setattr__(self, "live_subject", f"live.{place}" if tables else "")

    @property
    def snapshot_subject(self) -> str:
        """Where the last snapshot stands."""
        return f"snap.{self.kind}.{self.id}"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One commit as stored: its place in the stream, its bytes and when it was stored."""

    sequence: int
    subject: str
    data: bytes
    time_ms: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state that covers everything up to `sequence`."""

    data: bytes
    sequence: int


@dataclass(frozen=True, slots=True)
class Loaded:
    """All that is needed to build a state: the last snapshot and the commits after it."""

    snapshot: Snapshot | None
    commits: list[Recorded]


class Append(NamedTuple):
    """A commit to be stored; as the arguments of `Log.append`."""

    aggregate: Aggregate
    data: bytes
    expected: int
    message_id: str


@dataclass(frozen=True, slots=True, order=True)
class Due:
    """A turn whose time is up, by the durable clock."""

    table: str
    turn: int


class TooSoon(Exception):  # noqa: N818 - an answer, read as one
    """What a clock calls for is not to be done yet: it has to call again."""


class LogError(Exception):
    """Anything that the log may answer instead of what was asked for."""


class Conflict(LogError):  # noqa: N818 - an answer, read as one
    """Another commit stands where this one was to go; nothing was stored.

    `last` is the sequence that stands there, or 0 where the server did not tell it.
    It also comes without a rival (a cluster with another append in flight).
    """

    def __init__(self, last: int = 0) -> None:
        super().__init__(f"another commit came first ({last or 'unknown'})")
        self.last = last


class Duplicate(LogError):  # noqa: N818 - an answer, read as one
    """The server has seen this message id; whether as this commit only reading tells.

    `sequence` is 0 while the message that came first is still on its way.
    """

    def __init__(self, sequence: int) -> None:
        super().__init__(f"the message id is known ({sequence or 'in flight'})")
        self.sequence = sequence


class Unavailable(LogError):  # noqa: N818 - an answer, read as one
    """No answer: the log is out of reach. The commit may have been stored or not."""


class Refused(LogError):  # noqa: N818 - an answer, read as one
    """The log will not store this, now or later (too big, no room, no such stream)."""


class Subscription(Protocol):
    """Something that calls back until it is closed."""

    def close(self) -> None:
        """Call back no more."""


class Running(Protocol):
    """Something that works in the background until it is closed."""

    async def wait(self) -> None:
        """Wait for the end; raises the error that ended it."""

    async def close(self) -> None:
        """Stop; no task stays behind."""


class Following(Running, Protocol):
    """A reader of a whole stream that keeps its place over restarts of the server.

    An error in its callback ends it.
    """

    @property
    def position(self) -> int:
        """Sequence of the last commit handed over."""

    async def caught_up(self) -> None:
        """Wait until everything stored so far has been handed over once."""


class Log(Protocol):
    """Histories of aggregates. Of two writers that expect the same, exactly one wins."""

    @property
    def reach(self) -> Reach:
        """Whether, and since when, the log is out of reach."""

    async def append(
        self, aggregate: Aggregate, data: bytes, expected: int, message_id: str
    ) -> int:
        """Store one commit after `expected` (0: none yet) and return its sequence.

        Raises Conflict, Duplicate, Unavailable or Refused. `message_id` is unique in
        the stream: `<aggregate>:<command>`.
        """

    async def append_all(self, appends: Sequence[Append]) -> list[int | LogError]:
        """Store commits of different aggregates side by side: for each, in their order, what
        `append` would have returned or raised.
        """

    async def tail(self, aggregate: Aggregate, after: int) -> list[Recorded]:
        """All commits of the aggregate after a sequence, oldest first."""

    async def newest(self, aggregate: Aggregate) -> Recorded | None:
        """The last commit of the aggregate, None if it has none: much cheaper than a load."""

    async def load(self, aggregate: Aggregate) -> Loaded:
        """The last snapshot and what follows it."""

    def snapshot(self, aggregate: Aggregate, data: bytes, sequence: int) -> None:
        """Keep a snapshot, without waiting; a failure is logged and counted."""

    async def live(self, aggregate: Aggregate, on_sequence: Callable[[int], None]) -> Subscription:
        """Hear the sequence of each commit of a table that others store from now on; one's own
        may be heard or not. ValueError for an aggregate that is no table.

        At most once: after `reach` was lost and came back the tail must be read, and who dies
        between storing and telling tells nobody, but has not answered either, so it is asked
        again elsewhere. Subscribe first and load then, so that nothing falls between.
        """

    async def follow(
        self,
        kind: Kind,
        after: int,
        on_message: Callable[[Recorded], None],
        subjects: str | None = None,
    ) -> Following:
        """Hand over every commit of a stream after a sequence, in order, each once.

        `subjects` narrows it (`tbl.3.>`). Returns at once, also while out of reach.
        """

    async def claim(self, key: str, value: bytes) -> bool:
        """Take a key, for longer than a table can stand; False if it is taken already."""

    async def claimed(self, key: str) -> bytes | None:
        """Who has the key."""


class Board(Protocol):
    """What is wanted just now, such as players at a table. Nobody relies on it: a notice may
    be missing or out of date, and none is older than an hour.
    """

    def post(self, key: str, data: bytes) -> None:
        """Put a notice up, in place of the one under that key, without waiting."""

    def withdraw(self, key: str) -> None:
        """Take a notice down, without waiting."""

    async def notices(self, limit: int) -> list[bytes]:
        """The notices that are up, the one that has been there longest first."""


class Clocks(Protocol):
    """Durable clocks behind the timers of the tables' homes: never early, at least once."""

    async def set(self, table: str, turn: int, at_ms: int) -> bool:
        """Make sure that the turn is called at `at_ms`. The first time set for a turn holds:
        False if there is one already, perhaps another.

        Must have returned before the commit that opens the turn is sent: the clock
        and the commit lie in two streams, which the server serves side by side, so only
        the clock's acknowledgement keeps a crash from leaving a turn without a clock.
        It may run beside everything that comes before the append, such as the call of
        the rules: a clock whose turn never opens calls into nothing. Raises Unavailable.
        """

    async def due(self, on_due: Callable[[Due], Awaitable[None]]) -> Running:
        """Handle turns whose time is up, shared with all replicas.

        A turn comes again until its handler has returned without an error.
        """
