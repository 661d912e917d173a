"""The 28 tiles as small numbers, and sets of tiles as bit masks.

A tile is an index 0-27: `high * (high + 1) // 2 + low`. A set of tiles (a hand) is an int
whose bit `1 << tile` is set for each tile in it. Everything that can be looked up is a table
made once, because these are read for every move.
"""

from collections.abc import Iterable
from typing import Final

NUMBERS: Final = range(7)
SEATS: Final = range(4)
HAND_SIZE: Final = 6

TILES: Final = tuple((low, high) for high in NUMBERS for low in range(high + 1))
"""Both numbers of each tile, the low one first."""

TILE_COUNT: Final = len(TILES)
WHOLE_SET: Final = (1 << TILE_COUNT) - 1

ID_OF: Final = tuple(
    tuple(max(a, b) * (max(a, b) + 1) // 2 + min(a, b) for b in NUMBERS) for a in NUMBERS
)
"""`ID_OF[a][b]`: the tile that shows a and b, in whichever order they are named."""

DOUBLES: Final = tuple(ID_OF[n][n] for n in NUMBERS)


def mask_of(tiles: Iterable[int]) -> int:
    """The set of these tiles."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


WITH_NUMBER: Final = tuple(mask_of(ID_OF[n]) for n in NUMBERS)
"""`WITH_NUMBER[n]`: the seven tiles that show n."""

FITTING: Final = tuple(
    tuple(WITH_NUMBER[left] | WITH_NUMBER[right] for right in NUMBERS) for left in NUMBERS
)
"""`FITTING[left][right]`: the tiles that fit at least one of the two ends (R7)."""

ENDS_FITTED: Final = tuple(
    tuple(tuple((left in tile) + 2 * (right in tile) for tile in TILES) for right in NUMBERS)
    for left in NUMBERS
)
"""`ENDS_FITTED[left][right][tile]`: 0 fits neither end, 1 the left, 2 the right, 3 both."""


def tile_id(a: int, b: int) -> int | None:
    """The tile that shows these numbers, in either order; None if there is none."""
    if a in NUMBERS and b in NUMBERS:
        return ID_OF[a][b]
    return None


def tiles_in(mask: int) -> tuple[int, ...]:
    """The tiles of a set, lowest index first."""
    tiles = []
    while mask:
        lowest = mask & -mask
        tiles.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(tiles)


_HALF: Final = TILE_COUNT // 2
_LOW_HALF: Final = (1 << _HALF) - 1


def _counts(first: int) -> tuple[int, ...]:
    """The summed weights of every set of the 14 tiles from `first` on."""
    counts = [0]
    for low, high in TILES[first : first + _HALF]:
        counts += [count + low + high for count in counts]
    return tuple(counts)


_COUNT_LOW: Final = _counts(0)
_COUNT_HIGH: Final = _counts(_HALF)


def count(hand: int) -> int:
    """The summed weights of a hand (R17)."""
    return _COUNT_LOW[hand & _LOW_HALF] + _COUNT_HIGH[hand >> _HALF]


_HEAVIEST_FIRST: Final = tuple(
    sorted(range(TILE_COUNT), key=lambda tile: (sum(TILES[tile]), TILES[tile][1]), reverse=True)
)


def heaviest(mask: int) -> int:
    """The heaviest tile of a set that is not empty; of equal ones that with the higher
    single number (R21).
    """
    return next(tile for tile in _HEAVIEST_FIRST if mask >> tile & 1)
