"""What all four seats see of a hand, and how it changes with a turn."""

from typing import Final, NamedTuple

from laelo_rules.engine import TILES
from laelo_rules.engine.tiles import HAND_SIZE

from .view import NOBODY

NONE: Final = -1
"""In place of a number at an end of the empty table."""

BIT: Final = tuple(1 << tile for tile in range(len(TILES)))
_SUM: Final = tuple(low + high for low, high in TILES)
_NUMBERS: Final = tuple(1 << low | 1 << high for low, high in TILES)


class Table:
    """The public side of a hand. Changes in place, since thousands are played out for a move."""

    __slots__ = ("ends", "held", "lacks", "laid", "laid_by", "opened", "turn")

    def __init__(self, turn: int) -> None:
        self.ends = [NONE, NONE]
        """The open numbers at the left and at the right."""
        self.laid_by = [NOBODY, NOBODY]
        """Which seat has opened each of them."""
        self.turn = turn
        self.lacks = [0, 0, 0, 0]
        """Per seat the numbers that it passed on, bit `1 << number`."""
        self.opened = [0, 0, 0, 0]
        """Per seat the numbers that it has laid open."""
        self.held = [HAND_SIZE] * 4
        """How many tiles each seat holds."""
        self.laid = 0
        """The tiles on the table, as a mask."""

    def copy(self) -> "Table":
        """Another one that stands at the same point."""
        other = Table.__new__(Table)
        other.ends = self.ends[:]
        other.laid_by = self.laid_by[:]
        other.turn = self.turn
        other.lacks = self.lacks[:]
        other.opened = self.opened[:]
        other.held = self.held[:]
        other.laid = self.laid
        return other

    def skip(self) -> None:
        """The seat on turn passes: it lacks both numbers."""
        left, right = self.ends
        self.lacks[self.turn] |= 1 << left | 1 << right
        self.turn = (self.turn + 1) & 3

    def lay(self, tile: int, end: int) -> None:
        """The seat on turn lays a tile at an end (1 left, 2 right; 0 on the empty table)."""
        seat = self.turn
        if end == 0:
            self.ends = list(TILES[tile])
            self.laid_by = [seat, seat]
            self.opened[seat] |= _NUMBERS[tile]
        else:
            opened = _SUM[tile] - self.ends[end - 1]
            self.ends[end - 1] = opened
            self.laid_by[end - 1] = seat
            self.opened[seat] |= 1 << opened
        self.laid |= BIT[tile]
        self.held[seat] -= 1
        self.turn = (seat + 1) & 3


class Choice(NamedTuple):
    """A tile that another seat laid, and what it had before it."""

    table: Table
    """As it was before; `turn` is who laid."""
    later: int
    """All that the seat has laid since, this tile included: it held them then."""
    tile: int
    end: int
    """Left (1) also for the right end where both show the same number."""
