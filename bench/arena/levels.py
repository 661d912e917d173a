"""The levels of the house's bots as players, asked as the service asks them."""

from typing import NamedTuple

from laelo_bots.domain.levels import Level, choose
from laelo_bots.domain.view import View
from laelo_rules.engine import Move

from .players import position_of


class Limits(NamedTuple):
    """How long a searching level may look; 0 = its own default."""

    worlds: int = 0
    ms: int = 0


class LevelPlayer:
    """A bot of a level."""

    def __init__(self, level: Level, limits: Limits) -> None:
        self._level = level
        self._limits = limits

    def choose(self, view: View, seed: int) -> Move:
        """The bot's move."""
        return choose(position_of(view), self._level, seed)

    def close(self) -> None:
        """Nothing is held."""
