"""Who may ask a table for something: persons, by `Command`, and the house itself.

The house's ids name the turn that they end, so whichever replica sends them, and however
often, they are done once.
"""

from typing import Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2

HOUSE_PREFIXES: Final = (
    "clock-",
    "bot-",
    "deal-",
    "start-",
    "back-",
    "gone-",
    "here-",
    "empty-",
    "over-",
)


class TimeUp(NamedTuple):
    """The open turn's time is up (R21, R22)."""

    turn: int

    @property
    def command(self) -> str:
        """Its id."""
        return f"clock-{self.turn}"


class NextDeal(NamedTuple):
    """The pause after a hand is over."""

    turn: int

    @property
    def command(self) -> str:
        """Its id."""
        return f"deal-{self.turn}"


class BotMove(NamedTuple):
    """What a bot does with its turn."""

    turn: int
    fence: int
    act: rules_pb2.Act.ValueType
    tile: int = 28
    end: rules_pb2.End.ValueType = rules_pb2.END_UNSPECIFIED
    opener: int = 4

    @property
    def command(self) -> str:
        """Its id."""
        return f"bot-{self.turn}"


class StartByItself(NamedTuple):
    """The lobby has lasted long enough, or is full."""

    turn: int

    @property
    def command(self) -> str:
        """Its id."""
        return f"start-{self.turn}"


class GiveBack(NamedTuple):
    """The open turn's time was up while nobody could have moved."""

    turn: int
    since_ms: int
    """When the outage began."""

    @property
    def command(self) -> str:
        """Its id."""
        return f"back-{self.turn}-{self.since_ms}"


class Gone(NamedTuple):
    """A person has been away for too long (R32)."""

    player: str
    seat: int
    fence: int

    @property
    def command(self) -> str:
        """Its id: who is back has another fencing number."""
        return f"gone-{self.seat}-{self.fence}"


class Here(NamedTuple):
    """A person is there, in a window; without one nothing is taken over."""

    player: str
    window: str
    seat: int
    version: int
    """The table's, as it was seen when this was found out."""

    @property
    def command(self) -> str:
        """Its id."""
        return f"here-{self.seat}-{self.version}"


class Empty(NamedTuple):
    """No person who sits has been there since a moment, for as long as a table is kept."""

    since_ms: int
    kept_ms: int

    @property
    def command(self) -> str:
        """Its id."""
        return f"empty-{self.since_ms}"


class MatchOver(NamedTuple):
    """A championship's match has been over for a while."""

    turn: int

    @property
    def command(self) -> str:
        """Its id."""
        return f"over-{self.turn}"


HouseCommand = (
    TimeUp | NextDeal | BotMove | StartByItself | GiveBack | Gone | Here | Empty | MatchOver
)
AnyCommand = table_pb2.Command | HouseCommand

LEVEL_NAMES: Final = {
    table_pb2.BOT_LEVEL_RANDOM: "random",
    table_pb2.BOT_LEVEL_SIMPLE: "simple",
    table_pb2.BOT_LEVEL_EASY: "easy",
    table_pb2.BOT_LEVEL_MEDIUM: "medium",
    table_pb2.BOT_LEVEL_STRONG: "strong",
}


HOUSE_KINDS: Final = {
    table_pb2.KIND_OPEN_MATCH: log_pb2.ACTOR_CLOCK,
    table_pb2.KIND_CANCEL: log_pb2.ACTOR_OPERATOR,
}
"""Commands of no person, and who stands in the log for them."""

_ACTORS: Final = {**HOUSE_KINDS, table_pb2.KIND_SHUT: log_pb2.ACTOR_OPERATOR}


def actor_of(command: AnyCommand, level: int) -> tuple[log_pb2.Actor.ValueType, str]:
    """Who made a command, and their id in the log; `level` is that of the bot on turn."""
    if isinstance(command, table_pb2.Command):
        return _ACTORS.get(command.kind, log_pb2.ACTOR_PERSON), command.player
    if isinstance(command, BotMove):
        return log_pb2.ACTOR_BOT, LEVEL_NAMES[table_pb2.BotLevel.ValueType(level)]
    if isinstance(command, Here):
        return log_pb2.ACTOR_PERSON, command.player
    return log_pb2.ACTOR_CLOCK, ""
