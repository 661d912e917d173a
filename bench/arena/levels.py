"""The levels of the house's bots as players, asked as the service's workers ask them."""

from typing import NamedTuple

from laelo_bots.domain import playouts
from laelo_bots.domain.levels import Level
from laelo_bots.domain.view import View
from laelo_bots.mind import WORLDS, Mind
from laelo_rules.engine import Move

from .players import position_of


class Limits(NamedTuple):
    """How long a searching level may look: so many worlds, or so long; 0 = not said."""

    worlds: int = 0
    ms: int = 0
    in_python: bool = False
    """Without the C core, even where it was built."""


class LevelPlayer:
    """A bot of a level."""

    def __init__(self, level: Level, limits: Limits) -> None:
        self._mind = Mind(playouts.batch) if limits.in_python else Mind()
        self._level = level
        self._worlds = limits.worlds or (0 if limits.ms else WORLDS)
        self._seconds = limits.ms / 1000

    def choose(self, view: View, seed: int) -> Move:
        """The bot's move."""
        position = position_of(view)
        return self._mind.think(position, self._level, seed, self._worlds, self._seconds).move

    def close(self) -> None:
        """Nothing is held."""
