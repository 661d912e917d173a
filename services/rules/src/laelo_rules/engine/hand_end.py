"""How a hand ends, who wins it and what it is worth (R14-R19)."""

from enum import IntEnum
from typing import Final, NamedTuple

from .state import Ends, Hands, team_of
from .tiles import SEATS, TILES, count


class Reason(IntEnum):
    """The kinds of hand ends."""

    DOMINO_SIMPLE = 1
    DOMINO_DOUBLE = 2
    LA_E_LO = 3
    CRUZADA = 4
    COUNT = 5
    TIE = 6


POINTS: Final = {
    Reason.DOMINO_SIMPLE: 1,
    Reason.DOMINO_DOUBLE: 2,
    Reason.LA_E_LO: 3,
    Reason.CRUZADA: 4,
    Reason.COUNT: 1,
    Reason.TIE: 0,
}


class NextHand(NamedTuple):
    """How the next hand of the match begins; no winner means after a tie."""

    winner: int | None
    multiplier: int


class HandEnd(NamedTuple):
    """What a finished hand brought."""

    reason: Reason
    winner: int | None
    """The winning seat; None after a tie."""
    team: int | None
    points: int
    """As booked, multiplier included."""
    counts: tuple[int, int, int, int]
    """What each seat still held."""
    next: NextHand | None
    """None after the last hand of a match."""


def domino_kind(tile: int, before: Ends) -> Reason:
    """The kind of domino, read from the ends before the last tile (R15)."""
    low, high = TILES[tile]
    left, right = before
    if low == high:
        return Reason.CRUZADA if left == right else Reason.DOMINO_DOUBLE
    both = (left, right) in ((low, high), (high, low))
    return Reason.LA_E_LO if both else Reason.DOMINO_SIMPLE


def domino(kind: Reason, seat: int, hands: Hands, multiplier: int) -> HandEnd:
    """The seat has laid its last tile (R14)."""
    return _won(kind, seat, _count_all(hands), multiplier)


def blocked(last_seat: int, hands: Hands, multiplier: int) -> HandEnd:
    """Nothing fits any more: the lowest count wins (R17, R18)."""
    counts = _count_all(hands)
    winner = _lowest(counts, last_seat)
    if winner is None:
        after = NextHand(None, multiplier + 1)
        return HandEnd(Reason.TIE, None, None, POINTS[Reason.TIE], counts, after)
    return _won(Reason.COUNT, winner, counts, multiplier)


def _lowest(counts: tuple[int, ...], last_seat: int) -> int | None:
    """The seat with the lowest count; of two partners the first one clockwise from
    `last_seat`, that seat included; None if players of both teams share it.
    """
    lowest = min(counts)
    around = [(last_seat + step) & 3 for step in SEATS]
    sharing = [seat for seat in around if counts[seat] == lowest]
    if len({team_of(seat) for seat in sharing}) > 1:
        return None
    return sharing[0]


def _won(reason: Reason, seat: int, counts: tuple[int, int, int, int], multiplier: int) -> HandEnd:
    points = POINTS[reason] * multiplier
    return HandEnd(reason, seat, team_of(seat), points, counts, NextHand(seat, 1))


def _count_all(hands: Hands) -> tuple[int, int, int, int]:
    a, b, c, d = hands
    return count(a), count(b), count(c), count(d)
