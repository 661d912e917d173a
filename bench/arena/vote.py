"""The scheme of the `dominoes` package on PyPI, under our rules: some possible worlds, each solved
exactly, and a vote of each for the first of its best moves. No belief, and nobody is in doubt.
"""

from typing import Final

from laelo_bots.domain.chance import Chance
from laelo_bots.domain.position import placements
from laelo_bots.domain.question import question_of
from laelo_bots.domain.solver import Table, hands_of
from laelo_bots.domain.view import View
from laelo_bots.domain.worlds import draw, worlds_of
from laelo_rules.engine import TILES, ChooseOpener, Move, Phase, Play

from .exact import solver_of
from .players import position_of

WORLDS: Final = 10


class Vote:
    """Solves so many worlds for each move."""

    def __init__(self, worlds: int = WORLDS) -> None:
        self._worlds = worlds
        self._solve = solver_of()

    def choose(self, view: View, seed: int) -> Move:
        """The move with most votes; of several the heaviest tile. Opens itself."""
        position = position_of(view)
        if position.state.phase is Phase.CHOOSE_OPENER:
            return ChooseOpener(view.seat, view.seat)
        possible = sorted(placements(position), key=_weight, reverse=True)
        votes = [0] * len(possible)
        worlds, chance = worlds_of(question_of(position)), Chance(seed)
        for _ in range(self._worlds):
            hands = hands_of(position, draw(worlds, chance))
            table = Table(hands, position.state.ends, view.seat)
            values = self._solve(table, possible)
            votes[values.index(max(values))] += 1
        tile, end = possible[votes.index(max(votes))]
        return Play(view.seat, TILES[tile], end)

    def close(self) -> None:
        """Nothing is held."""


def _weight(placement: tuple[int, int]) -> tuple[int, int, int]:
    """The heavier tile first, the higher number, the left end: as the clock chooses (R21)."""
    tile, end = placement
    low, high = TILES[tile]
    return low + high, high, -end
