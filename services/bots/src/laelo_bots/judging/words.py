"""A verdict in a word."""

from enum import IntEnum
from typing import Final


class Word(IntEnum):
    """What is thought of a move; the numbers are those on the wire."""

    BEST = 1
    GOOD = 2
    DOUBTFUL = 3
    MISTAKE = 4


GOOD: Final = 0.06
"""So little hardly anybody at the table could see."""
MISTAKE: Final = 0.2
"""A fifth of a point: what it is worth to open a hand."""
SURE: Final = 2.0
"""Standard errors by which a mistake has to be worse than the best move."""


def word(cost: float, error: float) -> Word:
    """The word for a move that costs so much, known to so much: points of a hand that counts
    once, at the rate at which they change the chance to win the match.
    """
    if cost <= 0:
        return Word.BEST
    if cost <= GOOD:
        return Word.GOOD
    return Word.MISTAKE if cost >= MISTAKE and cost > SURE * error else Word.DOUBTFUL
