"""What the handlers need of the world outside."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from laelo.bots.v1 import bots_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.log import Board, Clocks, Log
from laelo_common.telemetry import OFF, Telemetry


class Listener(Protocol):
    """Somebody who is told of tables, and answered: a gateway's stream, for instance."""

    def send(self, item: table_pb2.Update, /) -> None:
        """Tell; never blocks. What is told belongs to all who are told: it must not change."""


Judge = Callable[[rules_pb2.JudgeRequest], Awaitable[rules_pb2.JudgeResponse]]
"""Asks the rules. Raises LaeloError when there is no answer."""

ChooseMove = Callable[[bots_pb2.ChooseMoveRequest], Awaitable[bots_pb2.ChooseMoveResponse]]
"""Asks the bots. Raises LaeloError when there is no answer."""


@dataclass(frozen=True, slots=True)
class World:
    """Everything that the handlers do not do by themselves."""

    log: Log
    clocks: Clocks
    board: Board
    """Where public tables that wait for players are posted."""
    judge: Judge
    choose_move: ChooseMove
    now_ms: Callable[[], int]
    seed: Callable[[], bytes]
    """32 fresh random bytes."""
    delay_ms: Callable[[], int]
    """How long a bot waits this time."""
    pause_ms: int
    """The pause after a hand."""
    warm_tables: int = 4096
    """How many tables are kept in memory beyond those that are watched."""
    bot_after_ms: int = 20_000
    """How long a person may be away before a bot may stand in (R32)."""
    kept_ms: int = 300_000
    """How long a table is kept at which nobody is any more."""
    clock_scale: float = 1.0
    """What times of play at tables that are opened here are multiplied by."""
    telemetry: Telemetry = OFF
