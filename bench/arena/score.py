"""From pairs to figures with 95 % intervals. The pair is the unit: its matches share the deals."""

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

from .match import Pair

CONFIDENCE: Final = 1.96
"""Standard errors on either side that hold 95 of 100."""


class Figure(NamedTuple):
    """A mean and half the width of its interval."""

    mean: float
    margin: float


class Score(NamedTuple):
    """How the first player did."""

    pairs: int
    wins: Figure
    """Share of the matches that it won."""
    points: Figure
    """Points a hand by which it was better."""
    hands: int


def score(pairs: Sequence[Pair]) -> Score:
    """The figures of at least two pairs."""
    hands = sum(pair.hands for pair in pairs)
    won = mean_of([pair.wins / 2 for pair in pairs])
    points = sum(pair.net for pair in pairs) / hands
    # A ratio of two sums: what a pair brings is measured against what its hands would have.
    off = mean_of([pair.net - points * pair.hands for pair in pairs])
    margin = off.margin * len(pairs) / hands
    return Score(len(pairs), won, Figure(points, margin), hands)


def mean_of(values: Sequence[float]) -> Figure:
    """Mean and margin of independent values, of which there are at least two."""
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return Figure(mean, CONFIDENCE * sqrt(variance / count))


def quantile(values: Sequence[int], share: float) -> int:
    """The smallest value that so large a share of all does not exceed; 0 if there is none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0
