"""Who may ask a table for something: persons, by `Command`, and the house itself.

The house's ids name the turn that they end, so whichever replica sends them, and however
often, they are done once.
"""

from typing import Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2

HOUSE_PREFIXES: Final = ("clock-", "bot-", "deal-")


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


HouseCommand = TimeUp | NextDeal | BotMove
AnyCommand = table_pb2.Command | HouseCommand

LEVEL_NAMES: Final = {
    table_pb2.BOT_LEVEL_RANDOM: "random",
    table_pb2.BOT_LEVEL_SIMPLE: "simple",
}


def actor_of(command: AnyCommand, level: int) -> tuple[log_pb2.Actor.ValueType, str]:
    """Who made a command, and their id in the log; `level` is that of the bot on turn."""
    if isinstance(command, table_pb2.Command):
        return log_pb2.ACTOR_PERSON, command.player
    if isinstance(command, BotMove):
        return log_pb2.ACTOR_BOT, LEVEL_NAMES[table_pb2.BotLevel.ValueType(level)]
    return log_pb2.ACTOR_CLOCK, ""
