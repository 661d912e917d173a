"""The queue as its log tells it: who waits, who plays, who may have an old place back.

Times are milliseconds since 1970 UTC, players their random ids.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from laelo.matchmaking.v1 import events_pb2

REMEMBERED: Final = 64
"""How many command ids the queue remembers: a command sent again within these is done once."""


class Place(NamedTuple):
    """Somebody who waits."""

    player: str
    ordinal: int
    """Orders the queue."""
    joined_ms: int
    """When they joined; what R35 counts from."""
    away_ms: int = 0
    """Since when they are disconnected; 0 = they are there."""


class Busy(NamedTuple):
    """Somebody in a championship that their team is not yet out of (R34)."""

    championship: str
    ordinal: int
    """Of the place from which they were called."""


class Kept(NamedTuple):
    """Somebody's claim to an old place, after their championship was cancelled."""

    ordinal: int
    until_ms: int


class Times(NamedTuple):
    """How long things take, in milliseconds."""

    wait_ms: int = 180_000
    """How long the eighth in line waits before something starts (R35)."""
    grace_ms: int = 60_000
    """How long one may be disconnected and keep the place (R34)."""
    lost_ms: int = 3_000
    """How long a connection may be gone before it is news."""
    vouch_ms: int = 5_000
    """Within which a gateway has to say that somebody who waits is there."""
    kept_ms: int = 600_000
    """How long an old place is kept."""

    def scaled(self, scale: float) -> "Times":
        """All of them times a factor, none of them nothing."""
        return Times(*(max(1, round(time * scale)) for time in self))


class Queue(NamedTuple):
    """The state of a queue after the commit `version`; 0 = nothing has happened yet."""

    version: int = 0
    line: tuple[Place, ...] = ()
    """Who waits, in the order in which they are taken."""
    busy: Mapping[str, Busy] = {}
    kept: Mapping[str, Kept] = {}
    pending: tuple[events_pb2.ChampionshipCalled, ...] = ()
    """Championships that were called and not handed over yet, the oldest first."""
    next_ordinal: int = 1
    sequence: int = 0
    """Sequence in the stream TRN up to which releases are done."""
    commands: tuple[str, ...] = ()
    """Ids of the newest commands, oldest first, one for each version."""


EMPTY: Final = Queue()
"""A queue that nobody has ever joined."""


def place_of(state: Queue, player: str) -> Place | None:
    """Somebody's place; None if they do not wait."""
    return next((place for place in state.line if place.player == player), None)


def joined(state: Queue) -> list[tuple[str, int]]:
    """The line as `plan` wants it."""
    return [(place.player, place.joined_ms) for place in state.line]
