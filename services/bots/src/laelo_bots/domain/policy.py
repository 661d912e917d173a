"""The learned policy: weights of the features, and what follows from the scores."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from laelo_rules.engine.tiles import FITTING, WITH_NUMBER, tiles_in

from .features import FEATURES, PHASES, Move, Weights, scores
from .table import NONE, Table

UNIT: Final = 256
"""A score this much higher makes a move e times as likely."""

_ONE: Final = 1 << 20


class Policy(NamedTuple):
    """Weights for the features of each phase."""

    phases: tuple[Weights, ...]
    points_per_unit: float
    """How many points of a hand a score higher by `UNIT` stands for."""

    def scores(self, table: Table, hand: int, moves: Sequence[Move]) -> list[int]:
        """What each move of the seat on turn is worth; comparable within one turn only."""
        return scores(self.phases, table, hand, moves)


def policy_of(phases: Sequence[Sequence[int]], points_per_unit: float) -> Policy:
    """Raises ValueError if there are not 3 phases with 36 weights each."""
    if [len(weights) for weights in phases] != [FEATURES] * PHASES:
        raise ValueError(f"a policy has {PHASES} phases with {FEATURES} weights each")
    return Policy(tuple(tuple(weights) for weights in phases), points_per_unit)


@cache
def shares() -> tuple[int, ...]:
    """How likely a move is by its distance from the best: whole numbers, so that sums are the
    same in whichever language. As good as never beyond the end.
    """
    return tuple(round(_ONE * math.exp(-behind / UNIT)) for behind in range(16 * UNIT))


def likelihood(found: Sequence[int], chosen: int) -> float:
    """How likely it is that a player of this policy makes the chosen one of its moves."""
    table, best = shares(), max(found)
    each = [table[best - score] if best - score < len(table) else 0 for score in found]
    return each[chosen] / sum(each)


def first_best(found: Sequence[int]) -> int:
    """The move with the highest score; of equal ones the first."""
    return found.index(max(found))


def legal_moves(table: Table, hand: int) -> list[Move]:
    """What may be laid, in the order of tiles, left before right. Ends that are equal count as
    one, the left. Empty: a pass.
    """
    left, right = table.ends
    if left == NONE:
        return [(tile, 0) for tile in tiles_in(hand)]
    moves = []
    fit = hand & FITTING[left][right]
    while fit:
        lowest = fit & -fit
        tile = lowest.bit_length() - 1
        if WITH_NUMBER[left] & lowest:
            moves.append((tile, 1))
        if left != right and WITH_NUMBER[right] & lowest:
            moves.append((tile, 2))
        fit ^= lowest
    return moves
