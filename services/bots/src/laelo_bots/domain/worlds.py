"""Where the unseen tiles may be: every possible world, drawn with equal chance.

Tiles that a seat cannot hold are placed one by one, each with the chance that the numbers of
completions give it; the others may be anywhere and are dealt. Nothing is drawn and thrown away,
and no world is favoured. `core/worlds.c` holds the same.
"""

from functools import cache
from math import factorial
from typing import Final, NamedTuple

from .chance import Chance
from .question import Question
from .table import BIT

Hands = tuple[int, int, int]
"""The hands of the hidden seats."""

_EVERYBODY: Final = 7
_ASLEEP: Final = 3

Ways = list[list[list[float]]]
"""By the tiles that the three hidden seats still need."""


class Worlds(NamedTuple):
    """All worlds of a question, ready to be drawn from."""

    fixed: tuple[tuple[int, int], ...]
    """Tiles that some hidden seat cannot hold, with the seats that may (bit 0: the first)."""
    free: tuple[int, ...]
    """Tiles that may be anywhere."""
    held: tuple[int, int, int]
    ways: list[Ways]
    """In how many ways the fixed tiles from an index on, and the free ones, can be dealt."""

    @property
    def number(self) -> int:
        """How many worlds there are."""
        a, b, c = self.held
        return round(self.ways[0][a][b][c])


def worlds_of(question: Question) -> Worlds:
    """The worlds of a question."""
    holders = {
        tile: sum((question.may_hold[seat] >> tile & 1) << seat for seat in range(3))
        for tile in range(28)
        if question.unseen >> tile & 1
    }
    fixed = [(tile, may) for tile, may in holders.items() if 0 < may < _EVERYBODY]
    fixed.sort(key=lambda placed: placed[1].bit_count())
    free = tuple(tile for tile, may in holders.items() if may == _EVERYBODY)
    ways = [_fillings(len(free), question.held)]
    for _, may in reversed(fixed):
        ways.append(_before(ways[-1], may))
    return Worlds(tuple(fixed), free, question.held, ways[::-1])


@cache
def _fillings(tiles: int, held: tuple[int, int, int]) -> Ways:
    """In how many ways tiles that may be anywhere fill hands."""
    return [
        [[_ways_to_fill(tiles, a, b, c) for c in range(held[2] + 1)] for b in range(held[1] + 1)]
        for a in range(held[0] + 1)
    ]


def _ways_to_fill(tiles: int, a: int, b: int, c: int) -> float:
    asleep = tiles - a - b - c
    if asleep < 0:
        return 0.0
    return float(
        factorial(tiles) // factorial(a) // factorial(b) // factorial(c) // factorial(asleep)
    )


def _before(after: Ways, may: int) -> Ways:
    """The ways with one tile more, which the seats of `may` may hold, or nobody."""
    return [
        [
            [
                ways
                + (after[a - 1][b][c] if may & 1 and a else 0.0)
                + (plane[b - 1][c] if may & 2 and b else 0.0)
                + (row[c - 1] if may & 4 and c else 0.0)
                for c, ways in enumerate(row)
            ]
            for b, row in enumerate(plane)
        ]
        for a, plane in enumerate(after)
    ]


def draw(worlds: Worlds, chance: Chance) -> Hands:
    """One world."""
    hands, left = [0, 0, 0], list(worlds.held)
    for index, (tile, may) in enumerate(worlds.fixed):
        seat = _place(worlds, index, may, left, chance)
        if seat != _ASLEEP:
            hands[seat] |= BIT[tile]
            left[seat] -= 1
    _deal(worlds.free, hands, left, chance)
    return hands[0], hands[1], hands[2]


def _place(worlds: Worlds, index: int, may: int, left: list[int], chance: Chance) -> int:
    """Who holds a fixed tile."""
    a, b, c = left
    after = worlds.ways[index + 1]
    at = chance.share() * worlds.ways[index][a][b][c]
    if may & 1 and a:
        if at < after[a - 1][b][c]:
            return 0
        at -= after[a - 1][b][c]
    if may & 2 and b:
        if at < after[a][b - 1][c]:
            return 1
        at -= after[a][b - 1][c]
    return 2 if may & 4 and c and at < after[a][b][c - 1] else _ASLEEP


def _deal(free: tuple[int, ...], hands: list[int], left: list[int], chance: Chance) -> None:
    """Deal the tiles that may be anywhere until all hands are full."""
    a, b, c = left
    rest = len(free)
    for tile in free:
        if not a + b + c:
            break
        at = chance.below(rest)
        rest -= 1
        if at < a:
            hands[0] |= BIT[tile]
            a -= 1
        elif at < a + b:
            hands[1] |= BIT[tile]
            b -= 1
        elif at < a + b + c:
            hands[2] |= BIT[tile]
            c -= 1
