"""What a seat can ask for, and why it may be refused (R13)."""

from enum import IntEnum
from typing import NamedTuple


class End(IntEnum):
    """Where a tile is laid; LEFT and RIGHT are bits, so that 3 is "both"."""

    UNNAMED = 0
    LEFT = 1
    RIGHT = 2


class Play(NamedTuple):
    """A seat lays a tile.

    Tile and end are what the client named, unchecked: an impossible tile or end is one of
    the findings of R13, to be made in its place in the order.
    """

    seat: int
    tile: tuple[int, int]
    end: int = End.UNNAMED


class Pass(NamedTuple):
    """A seat passes (R10)."""

    seat: int


class ChooseOpener(NamedTuple):
    """The winner of the hand before names who opens (R5)."""

    seat: int
    opener: int


Move = Play | Pass | ChooseOpener


class Refusal(IntEnum):
    """Why a move changes nothing, in the order in which it is looked for (R13).

    These numbers, and those of the other enums here, are the ones on the wire.
    """

    MATCH_OVER = 2
    HAND_OVER = 3
    OPENER_NOT_CHOSEN = 4
    NO_OPENER_CHOICE = 5
    NOT_YOUR_TURN = 6
    INVALID_OPENER = 7
    CANNOT_PASS = 8
    INVALID_TILE = 9
    INVALID_END = 10
    TILE_NOT_IN_HAND = 11
    MUST_OPEN_HIGHEST_DOUBLE = 12
    TILE_DOES_NOT_FIT = 13
    END_REQUIRED = 14
