"""What a seat sees of a hand, as it is told to a bot."""

from enum import IntEnum
from typing import Final, NamedTuple

NOBODY: Final = 4
NO_TILE: Final = 28
PASS: Final = 31
"""A turn without a tile."""

_LEFT: Final = 32
_RIGHT: Final = 64
_TILE: Final = 31


class Opening(IntEnum):
    """How a hand began; the numbers are those on the wire."""

    FIRST = 1
    TIE = 2
    WON = 3


class View(NamedTuple):
    """A hand as one seat sees it. Nothing in here depends on tiles that it has not seen.

    Seats are 0-3, tiles 0-27, a hand is a mask.
    """

    seat: int
    hand: int
    opener: int
    """4 while the seat has to choose it (R5)."""
    opening: int
    turns: bytes
    """From the opener on: tile + 32 if laid left + 64 if laid right; 31 is a pass."""
    must_open: int = NO_TILE
    score_us: int = 0
    score_them: int = 0
    multiplier: int = 1
    target: int = 6


class Nonsense(NamedTuple):
    """Why a view cannot be one of a real hand, in words."""

    reason: str


class Turn(NamedTuple):
    """One turn of a hand; no tile = a pass. Ends are the bits of the engine's `End`."""

    seat: int
    tile: int | None
    end: int


def turns_of(view: View) -> list[Turn] | Nonsense:
    """The turns of a view with the seats that made them."""
    turns = []
    for index, code in enumerate(view.turns):
        seat = (view.opener + index) & 3
        if code == PASS:
            turns.append(Turn(seat, None, 0))
        elif code & _TILE < NO_TILE and code < _LEFT + _RIGHT:
            turns.append(Turn(seat, code & _TILE, code >> 5))
        else:
            return Nonsense(f"turn {index + 1} is coded {code}, which is neither tile nor pass")
    return turns
