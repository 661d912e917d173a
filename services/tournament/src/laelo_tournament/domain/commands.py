"""What may be asked of a championship. The ids follow from what is asked: done once."""

from typing import NamedTuple

from laelo.log.v1 import log_pb2
from laelo.tournament.v1 import tournament_pb2


class Start(NamedTuple):
    """Begin a championship; `players` in the order of the queue."""

    championship: str
    tier: tournament_pb2.Tier.ValueType
    players: tuple[str, ...]

    @property
    def command(self) -> str:
        """Its id."""
        return "start"


class Result(NamedTuple):
    """A match is over, as its table's log tells."""

    match: str
    winner: int
    """The number of the team, not its side at the table."""
    score_a: int
    score_b: int
    table_version: int
    """Version of the table's commit in which its match ended."""

    @property
    def command(self) -> str:
        """Its id."""
        return f"result-{self.match}"


class Cancel(NamedTuple):
    """An operator ends a championship before its time."""

    reason: str
    operator: str

    @property
    def command(self) -> str:
        """Its id."""
        return "cancel"


AnyCommand = Start | Result | Cancel


def actor_of(command: AnyCommand) -> tuple[log_pb2.Actor.ValueType, str]:
    """Who made a command, and their id in the log."""
    if isinstance(command, Cancel):
        return log_pb2.ACTOR_OPERATOR, command.operator
    return log_pb2.ACTOR_CLOCK, ""
