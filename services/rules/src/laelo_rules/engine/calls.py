"""What is called out at the table (R30)."""

from enum import IntEnum
from typing import Final, NamedTuple

from .hand_end import HandEnd, Reason
from .state import Ends
from .tiles import NUMBERS, TILES


class CallKind(IntEnum):
    """The kinds of calls; the kinds of domino come instead of the call of their tile."""

    END = 1
    ALL = 2
    DOUBLE = 3
    OPENING = 4
    PASS = 5
    DOMINO_SIMPLE = 6
    DOMINO_DOUBLE = 7
    LA_E_LO = 8
    CRUZADA = 9
    BLOCKED = 10
    COUNT = 11
    TIE = 12


class Call(NamedTuple):
    """One call.

    `numbers` are one for END, ALL and DOUBLE, and two for OPENING, the higher first.
    `next_multiplier` goes with TIE: what the next hand counts.
    """

    kind: CallKind
    numbers: tuple[int, ...] = ()
    next_multiplier: int = 0


Calls = tuple[Call, ...]


def _each_number(kind: CallKind) -> tuple[Calls, ...]:
    return tuple((Call(kind, (number,)),) for number in NUMBERS)


PASS: Final[Calls] = (Call(CallKind.PASS),)
_END: Final = _each_number(CallKind.END)
_ALL: Final = _each_number(CallKind.ALL)
_DOUBLE: Final = _each_number(CallKind.DOUBLE)
_OPENING: Final = tuple((Call(CallKind.OPENING, (high, low)),) for low, high in TILES)

_BLOCKED: Final = Call(CallKind.BLOCKED)
_COUNT: Final = Call(CallKind.COUNT)
_DOMINO: Final = {
    Reason.DOMINO_SIMPLE: (Call(CallKind.DOMINO_SIMPLE),),
    Reason.DOMINO_DOUBLE: (Call(CallKind.DOMINO_DOUBLE),),
    Reason.LA_E_LO: (Call(CallKind.LA_E_LO),),
    Reason.CRUZADA: (Call(CallKind.CRUZADA),),
}


def call_opening(tile: int) -> Calls:
    """The call for the first tile of a hand."""
    low, high = TILES[tile]
    return _DOUBLE[low] if low == high else _OPENING[tile]


def call_tile(tile: int, opened: int, ends: Ends) -> Calls:
    """The call for any other tile that is not the last: `opened` is the number it shows at
    the open side, `ends` are those after it.
    """
    low, high = TILES[tile]
    if low == high:
        return _DOUBLE[low]
    return _ALL[opened] if ends[0] == ends[1] else _END[opened]


def call_domino(kind: Reason) -> Calls:
    """The call for the last tile of a hand, instead of its own."""
    return _DOMINO[kind]


def call_blocked(end: HandEnd) -> Calls:
    """What follows the call of a tile that blocks."""
    if end.reason is Reason.COUNT:
        return _BLOCKED, _COUNT
    next_multiplier = 0 if end.next is None else end.next.multiplier
    return _BLOCKED, Call(CallKind.TIE, next_multiplier=next_multiplier)
