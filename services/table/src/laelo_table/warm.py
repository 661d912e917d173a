"""The tables that are kept in memory here."""

import asyncio
import re
from collections import OrderedDict, deque
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Aggregate, Kind, Subscription

from laelo_table.domain.evolve import evolve, stands_after
from laelo_table.domain.state import NO_TABLE, Table
from laelo_table.domain.view import frames
from laelo_table.ports import Listener

FRAMES_KEPT: Final = 64
CLOCKS_KEPT: Final = 8
ASKED_KEPT: Final = 256
_ANYTHING: Final = 1 << 63
"""A place in the log beyond all that can be read: who doubts must not believe what is being
read already.
"""

_TABLE_ID: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


class Past:
    """A commit, the table after it, and its frames for all viewers."""

    __slots__ = ("after", "before", "commit", "ends_hand", "seats_changed", "shown")

    def __init__(self, commit: events_pb2.Commit, before: Table, after: Table) -> None:
        self.commit = commit
        self.before = before
        self.after = after
        self.seats_changed = before.seats is not after.seats
        self.ends_hand = before.hands is not after.hands and bool(after.hands)
        self.shown = frames(commit, after)


class Kept(tuple[Any, ...]):
    """The frames of a commit, flat, in the little room that 64 of them at each table may take:
    the version, whether seats changed, and viewers and frame of each.
    """

    __slots__ = ()

    @classmethod
    def of(cls, past: Past) -> "Kept":
        """What is kept of a commit."""
        return cls((past.after.version, past.seats_changed, *chain.from_iterable(past.shown)))

    @property
    def seats_changed(self) -> bool:
        """Whether it may have changed who sits where."""
        return bool(self[1])

    def views(self, viewers: int) -> list[table_pb2.View]:
        """The frames for any of these viewers (a mask)."""
        return [
            table_pb2.View(viewers=shown_to, seq=self[0], frame=frame)
            for shown_to, frame in zip(self[2::2], self[3::2], strict=True)
            if shown_to & viewers
        ]


class Warm:
    """A table in memory: its state, how far it was read, who watches, what is armed."""

    __slots__ = (
        "absent",
        "absent_timer",
        "aggregate",
        "armed",
        "asked",
        "asked_whole",
        "called_for",
        "clocks_ms",
        "count",
        "count_ms",
        "count_timer",
        "digest",
        "heard",
        "history",
        "linger",
        "live",
        "lock",
        "said",
        "sequence",
        "state",
        "timer",
        "unreviewed",
        "users",
        "watchers",
    )

    def __init__(self, table: str) -> None:
        self.aggregate = Aggregate(Kind.TABLE, table)
        self.state = NO_TABLE
        self.sequence = 0
        """Place in the log of the newest commit that the state holds."""
        self.heard = 0
        """Newest place in the log that was heard of."""
        self.digest = b""
        """SHA-256 of that commit's bytes."""
        self.history: deque[Kept] = deque(maxlen=FRAMES_KEPT)
        self.asked: dict[str, int] = {}
        """Versions that commands about seats and matches made: they name no turn, so only this
        tells who sends one again after the state has forgotten it.
        """
        self.asked_whole = True
        """Whether that is so from the first commit on: a snapshot does not know them."""
        self.watchers: dict[Listener, set[str]] = {}
        """Who is told, and the persons behind each."""
        self.unreviewed = False
        """Whether it may have changed who is there."""
        self.absent: dict[str, int] = {}
        """Since when persons who sit here are away."""
        self.absent_timer: asyncio.TimerHandle | None = None
        self.called_for = 0
        """Version for which it was arranged that somebody looks whether all have gone."""
        self.count = 0
        """How many persons without a seat watch, as was told last."""
        self.count_ms = 0
        self.count_timer: asyncio.TimerHandle | None = None
        self.said: dict[int, int] = {}
        """Until when what was said is paid for, by seat."""
        self.lock = asyncio.Lock()
        self.users = 0
        """How many are at work on it or wait to be."""
        self.live: Subscription | None = None
        """Set once the table is loaded."""
        self.linger: asyncio.TimerHandle | None = None
        """Set while only others do anything here."""
        self.timer: asyncio.TimerHandle | None = None
        self.armed = (0, 0)
        """Turn and deadline that the timer was set for."""
        self.clocks_ms: deque[int] = deque(maxlen=CLOCKS_KEPT)
        """When the newest durable clocks set from here call."""

    @property
    def id(self) -> str:
        """The table's id."""
        return self.aggregate.id

    @property
    def is_idle(self) -> bool:
        """Whether nobody would miss it in memory."""
        return not (self.users or self.watchers or self.absent)

    def hear(self, sequence: int) -> None:
        """Note that a commit is stored there."""
        self.heard = max(self.heard, sequence)

    def suspect(self) -> None:
        """Have the log read before the state is used again."""
        self.hear(_ANYTHING)

    def take_in(self, commit: events_pb2.Commit, data: bytes, sequence: int) -> Past | None:
        """Evolve by a stored commit; None if the state holds it already."""
        before = self.state
        if commit.head.version <= before.version:
            return None
        if not stands_after(before, commit.head):
            raise LaeloError(Code.INTERNAL, f"a commit of table {self.id} is missing in the log")
        self.state = evolve(before, commit)
        self.sequence = sequence
        self.digest = sha256(data).digest()
        past = Past(commit, before, self.state)
        if past.seats_changed:
            self.unreviewed = True
        if past.seats_changed or self.state.match != before.match:
            self.note_asked(commit.head.command, self.state.version)
        self.history.append(Kept.of(past))
        return past

    def note_asked(self, command: str, version: int) -> None:
        """Remember a command about seats or matches, the newest of them."""
        self.asked[command] = version
        if len(self.asked) > ASKED_KEPT:
            del self.asked[next(iter(self.asked))]

    def reset(self) -> None:
        """Know nothing of the table, so that it can be read from the start."""
        self.state = NO_TABLE
        self.sequence = 0
        self.digest = b""
        self.history.clear()
        self.asked.clear()
        self.asked_whole = True

    def close(self) -> None:
        """Leave nothing behind."""
        for timer in (self.timer, self.absent_timer, self.count_timer, self.linger):
            if timer is not None:
                timer.cancel()
        self.timer = self.absent_timer = self.count_timer = self.linger = None
        self.watchers.clear()
        self.absent.clear()
        if self.live is not None:
            self.live.close()
            self.live = None


class WarmTables:
    """All of them, the longest unused first. Beyond the limit idle ones are given up."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._tables: OrderedDict[str, Warm] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def get(self, table: str) -> Warm | None:
        """The table, if it is loaded."""
        warm = self._tables.get(table)
        return None if warm is None or warm.live is None else warm

    def all(self) -> list[Warm]:
        """Every table."""
        return list(self._tables.values())

    def take(self, table: str) -> Warm:
        """Begin to work on a table, loaded or not. Raises BAD_REQUEST for an impossible id."""
        warm = self._tables.get(table)
        if warm is None:
            if not _TABLE_ID.fullmatch(table):
                raise LaeloError(Code.BAD_REQUEST, "a table's id is a ULID")
            warm = self._tables[table] = Warm(table)
            warm.users += 1
            if len(self._tables) > self._limit:
                self._shrink()
            return warm
        self._tables.move_to_end(table)
        warm.users += 1
        return warm

    def give_back(self, warm: Warm) -> None:
        """End the work on a table; one that does not exist, is closed, or was not read, is
        forgotten.
        """
        warm.users -= 1
        if warm.users:
            return
        state = warm.state
        if not state.version or state.closed or self.get(warm.id) is not warm:
            self.drop(warm)

    def drop(self, warm: Warm) -> None:
        """Forget a table: whoever wants it next has to read the log."""
        if self._tables.get(warm.id) is warm:
            del self._tables[warm.id]
        warm.close()

    def close(self) -> None:
        """Forget all."""
        for warm in self.all():
            self.drop(warm)

    def _shrink(self) -> None:
        idle = [warm for warm in self._tables.values() if warm.is_idle]
        for warm in idle[: len(self._tables) - self._limit]:
            self.drop(warm)
