"""Who may ask the queue for something: people, and the house itself.

The house's ids name what they are about, so whichever replica sends them, and however often,
they are done once. Those of presence and triggers name the version that they were decided by:
of two replicas that see different things at the same version one is stored, and the other
looks anew.
"""

from typing import NamedTuple

from laelo.log.v1 import log_pb2
from laelo.matchmaking.v1 import matchmaking_pb2


class Join(NamedTuple):
    """Somebody wants to wait at the end of the line (R34)."""

    player: str
    id: str

    @property
    def command(self) -> str:
        """Its id: what one person chose is no other's."""
        return f"{self.player}.{self.id}"


class Leave(NamedTuple):
    """Somebody waits no more."""

    player: str
    id: str
    leaving: matchmaking_pb2.Leaving.ValueType

    @property
    def command(self) -> str:
        """Its id: what one person chose is no other's."""
        return f"{self.player}.{self.id}"


class MarkAway(NamedTuple):
    """Some who wait are disconnected."""

    version: int
    since: tuple[tuple[str, int], ...]
    """Who, and since when."""

    @property
    def command(self) -> str:
        """Its id."""
        return f"away-{self.version}"


class MarkBack(NamedTuple):
    """Some who wait are connected again."""

    version: int
    players: tuple[str, ...]

    @property
    def command(self) -> str:
        """Its id."""
        return f"back-{self.version}"


class TakeOut(NamedTuple):
    """Some who wait were disconnected for too long (R34)."""

    version: int
    players: tuple[str, ...]

    @property
    def command(self) -> str:
        """Its id."""
        return f"gone-{self.version}"


class Call(NamedTuple):
    """Enough wait, or for long enough (R35)."""

    version: int

    @property
    def command(self) -> str:
        """Its id."""
        return f"call-{self.version}"


class HandOver(NamedTuple):
    """The tournament service has begun a championship."""

    championship: str

    @property
    def command(self) -> str:
        """Its id."""
        return f"over-{self.championship}"


class Release(NamedTuple):
    """Some are out of a championship; the commit that says so is in its log."""

    championship: str
    version: int
    """Of that commit in the championship's log."""
    sequence: int
    """Of that commit in the stream TRN."""
    players: tuple[str, ...] | None
    """Who; None = all who are still in it."""
    cancelled: bool = False

    @property
    def command(self) -> str:
        """Its id."""
        return f"out-{self.championship}-{self.version}"


HouseCommand = MarkAway | MarkBack | TakeOut | Call | HandOver | Release
AnyCommand = Join | Leave | HouseCommand


def actor_of(command: AnyCommand) -> tuple[log_pb2.Actor.ValueType, str]:
    """Who made a command, and their id in the log."""
    if isinstance(command, Join | Leave):
        return log_pb2.ACTOR_PERSON, command.player
    return log_pb2.ACTOR_CLOCK, ""
