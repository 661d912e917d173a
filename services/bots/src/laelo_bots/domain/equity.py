"""Chance to win the match, by score, multiplier and who begins the next hand (R4, R5, R19, R26).

Computed backwards from the end of a match, between equal players who play like the policy.
"""

from enum import IntEnum
from functools import cache
from typing import Final

from .playouts import EVEN, RESULTS

ENDS: Final = (0.007, 0.014, 0.055, 0.314, 0.013, 0.509, 0.059, 0.024, 0.005)
"""How often a hand brings the side that opens it freely each result, -4 to 4 points."""
ENDS_BY_DOUBLE: Final = (0.007, 0.016, 0.056, 0.354, 0.012, 0.450, 0.075, 0.022, 0.008)
"""The same for the side whose highest double opens."""

_FAR: Final = 24
"""Points still needed, and multipliers, above this make no difference that could be told."""


class Opens(IntEnum):
    """Which side opens the next hand."""

    WE = 0
    THEY = 1
    HIGHEST_DOUBLE = 2


def stakes(needed: int, needed_by_them: int, multiplier: int) -> tuple[float, ...]:
    """The chance to win the match after each result of the hand that is being played."""
    us, them = min(needed, _FAR), min(needed_by_them, _FAR)
    return tuple(_after(us, them, min(multiplier, _FAR), result) for result in range(RESULTS))


@cache
def equity(needed: int, needed_by_them: int, multiplier: int, opens: Opens) -> float:
    """The chance to win the match before a hand is dealt; points needed are 1 or more."""
    ends = _ends(opens)
    if multiplier >= max(needed, needed_by_them):
        won, lost = sum(ends[EVEN + 1 :]), sum(ends[:EVEN])
        return won / (won + lost)
    return sum(
        share * _after(needed, needed_by_them, multiplier, result)
        for result, share in enumerate(ends)
    )


def _after(needed: int, needed_by_them: int, multiplier: int, result: int) -> float:
    points = (result - EVEN) * multiplier
    if points == 0:
        return equity(needed, needed_by_them, min(multiplier + 1, _FAR), Opens.HIGHEST_DOUBLE)
    if points > 0:
        left = needed - points
        return 1.0 if left <= 0 else equity(left, needed_by_them, 1, Opens.WE)
    left = needed_by_them + points
    return 0.0 if left <= 0 else equity(needed, left, 1, Opens.THEY)


@cache
def _ends(opens: Opens) -> tuple[float, ...]:
    ends: tuple[float, ...]
    if opens is Opens.WE:
        ends = ENDS
    elif opens is Opens.THEY:
        ends = ENDS[::-1]
    else:
        # Either side may hold the highest double.
        ends = tuple((a + b) / 2 for a, b in zip(ENDS_BY_DOUBLE, ENDS_BY_DOUBLE[::-1], strict=True))
    return tuple(share / sum(ends) for share in ends)
