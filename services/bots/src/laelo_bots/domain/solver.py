"""The exact worth of every move when all hands are known: small alpha-beta, nothing guessed.

Both teams are taken to know all hands and to play for the points of this hand. More points are
never a smaller chance to win the match, so the same moves are best for the match.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from laelo_rules.engine import TILES, next_seat, team_of
from laelo_rules.engine.hand_end import POINTS, blocked, domino_kind
from laelo_rules.engine.state import Ends, Hands
from laelo_rules.engine.tiles import ENDS_FITTED, FITTING

from .position import Position

MOST_POINTS: Final = 4
_LEFT: Final = 1
_RIGHT: Final = 2

_Key = tuple[int, int, int, int]
_Bounds = tuple[int, int]
_ANYTHING: Final = (-MOST_POINTS, MOST_POINTS)


class Table(NamedTuple):
    """A hand that goes on, with all that is to be known of it. The sleeping tiles play no part."""

    hands: Hands
    ends: Ends | None
    """None on the empty table."""
    turn: int


def hands_of(position: Position, hidden: Sequence[int]) -> Hands:
    """All four hands in a world; `hidden` are those of the other seats, from the left on."""
    seat = position.view.seat
    hands = list(position.state.hands)
    for step, held in enumerate(hidden, 1):
        hands[(seat + step) & 3] = held
    return hands[0], hands[1], hands[2], hands[3]


def solve(table: Table, placements: list[tuple[int, int]]) -> list[int]:
    """What each placement (tile, end) of the seat on turn is worth to its team, in points of a
    hand that counts once. 3,000 positions or so are looked at when 23 tiles are left.
    """
    search = _Search()
    return [search.after(table, tile, end, *_ANYTHING) for tile, end in placements]


class _Search:
    """Remembers positions. Who holds which tile never changes, so the tiles, ends and turn do."""

    def __init__(self) -> None:
        self._known: dict[_Key, _Bounds] = {}

    def after(self, table: Table, tile: int, end: int, low: int, high: int) -> int:
        """Worth of a placement for who makes it, exact between `low` and `high`."""
        before, seat = table.ends, table.turn
        hands = _without(table.hands, seat, tile)
        ends = _ends_after(before, tile, end)
        if not hands[seat] and before is not None:
            return POINTS[domino_kind(tile, before)]
        if not (hands[0] | hands[1] | hands[2] | hands[3]) & FITTING[ends[0]][ends[1]]:
            outcome = blocked(seat, hands, 1)
            return outcome.points if outcome.team == team_of(seat) else -outcome.points
        return -self._worth(hands, ends, next_seat(seat), (-high, -low))

    def _worth(self, hands: Hands, ends: Ends, turn: int, window: _Bounds) -> int:
        """Worth for the seat on turn, of a hand that goes on."""
        left, right = ends
        low, high = window
        if not hands[turn] & FITTING[left][right]:
            return -self._worth(hands, ends, next_seat(turn), (-high, -low))
        key = (hands[0] | hands[1] | hands[2] | hands[3], min(ends), max(ends), turn)
        least, most = self._known.get(key, _ANYTHING)
        if least == most or least >= high:
            return least
        if most <= low:
            return most
        low, high = max(low, least), min(high, most)
        best = self._best(Table(hands, ends, turn), low, high)
        if best <= low:
            most = min(most, best)
        elif best >= high:
            least = max(least, best)
        else:
            least = most = best
        self._known[key] = least, most
        return best

    def _best(self, table: Table, low: int, high: int) -> int:
        best = -MOST_POINTS - 1
        for tile, end in _placements(table):
            best = max(best, self.after(table, tile, end, max(low, best), high))
            if best >= high:
                break
        return best


def _placements(table: Table) -> list[tuple[int, int]]:
    """Tiles with the ends that they fit; the heavy ones first, which cuts more."""
    left, right = table.ends or (0, 0)
    fits = ENDS_FITTED[left][right]
    fitting = table.hands[table.turn] & FITTING[left][right]
    found = []
    while fitting:
        tile = fitting.bit_length() - 1
        fitting ^= 1 << tile
        if fits[tile] & _LEFT:
            found.append((tile, _LEFT))
        # Both ends with the same number are one.
        if fits[tile] & _RIGHT and left != right:
            found.append((tile, _RIGHT))
    return found


def _ends_after(before: Ends | None, tile: int, end: int) -> Ends:
    low, high = TILES[tile]
    if before is None:
        return low, high
    left, right = before
    return (low + high - left, right) if end == _LEFT else (left, low + high - right)


def _without(hands: Hands, seat: int, tile: int) -> Hands:
    a, b, c, d = (held & ~(1 << tile) if seat == n else held for n, held in enumerate(hands))
    return a, b, c, d
