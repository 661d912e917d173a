"""The turns of a hand, packed: 14 bytes each, one after the other, most significant byte first.

| bytes | what |
|---|---|
| 0 | tile + 32 if laid left + 64 if laid right; 31 = a pass (as in laelo.bots.v1.View.turns) |
| 1 | seat + 4 * actor (laelo.log.v1.Actor) + 32 if the short clock ran |
| 2 | how many tiles might have been played |
| 3 | number at the left end afterwards + 16 * number at the right end |
| 4-9 | three calls of two bytes: kind + 16 * lower number + 128 * number; 0 = no call |
| 10-13 | milliseconds after the deal |

The view `archive_moves` reads the same.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from laelo.rules.v1 import rules_pb2

PASS: Final = 31
_TILE_BITS: Final = 31
NO_TILE: Final = 28
_LAID: Final = (0, 32, 64)
_SHORT: Final = 32
_LONGEST_MS: Final = 2**32 - 1
_MOST_CALLS: Final = 3
_TURN: Final = struct.Struct(">BBBBHHHI")
SIZE: Final = _TURN.size
"""Bytes of a turn; the first one is as in laelo.bots.v1.View.turns."""
_NONE: Final = (0,) * _MOST_CALLS


class Turn(NamedTuple):
    """A tile laid, or a pass."""

    seat: int
    tile: int
    """28 = a pass."""
    end: int
    """Where it was laid, as laelo.rules.v1.End."""
    actor: int
    """Who moved, as laelo.log.v1.Actor."""
    short: bool
    """Whether the short clock ran (R20)."""
    choices: int
    """How many tiles might have been played."""
    left: int
    right: int
    after_ms: int
    """How long after the deal."""
    calls: tuple[tuple[int, int, int], ...]
    """Kind, number and lower number of each (R30)."""


_MOST: Final = (3, NO_TILE, len(_LAID) - 1, 7, 1, 255, 15, 15)
"""The greatest number of each that there is room for, in their order."""


def pack(turn: Turn, calls: Iterable[rules_pb2.Call] = ()) -> bytes:
    """A turn as it is stored. Its calls may be given beside it, as events have them.

    Raises ValueError for more calls than there can be, and for what no bits are kept for.
    """
    numbers = turn[:-2]  # times are brought into bounds
    if any(value > most for value, most in zip(numbers, _MOST, strict=True)):
        raise ValueError(f"a turn that cannot be kept: {turn}")
    said = [call.kind | call.low << 4 | call.number << 7 for call in calls]
    said += [kind | low << 4 | number << 7 for kind, number, low in turn.calls]
    if len(said) > _MOST_CALLS:
        raise ValueError(f"{len(said)} calls in one turn")
    code = PASS if turn.tile == NO_TILE else turn.tile | _LAID[turn.end]
    return _TURN.pack(
        code,
        turn.seat | turn.actor << 2 | turn.short << 5,
        turn.choices,
        turn.left | turn.right << 4,
        *said,
        *_NONE[len(said) :],
        min(max(turn.after_ms, 0), _LONGEST_MS),
    )


def unpack(packed: bytes) -> Iterator[Turn]:
    """The turns of a hand, in order."""
    for code, who, choices, ends, *said, after_ms in _TURN.iter_unpack(packed):
        yield Turn(
            seat=who & 3,
            tile=NO_TILE if code == PASS else code & _TILE_BITS,
            end=code >> 5 if code != PASS else 0,
            actor=who >> 2 & 7,
            short=bool(who & _SHORT),
            choices=choices,
            left=ends & 15,
            right=ends >> 4,
            after_ms=after_ms,
            calls=tuple((one & 15, one >> 7, one >> 4 & 7) for one in said if one),
        )
