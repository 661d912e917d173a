"""The hand-written heuristic: what people at the table tell a beginner, as a sum.

Shed weight, and more so when a block looms; get rid of doubles early; keep many numbers in
hand; leave open what the opponents have passed on; leave the partner's number alone.
"""

from typing import Final, NamedTuple

from laelo_rules.engine import TILES, count, next_seat, partner_of, tiles_in
from laelo_rules.engine.tiles import FITTING, WITH_NUMBER

from .position import Position

_WEIGHT: Final = 0.10
"""A pip that leaves the hand."""
_LOOMING: Final = 0.25
"""A pip more, at a table where hardly anything fits any more."""
_DOUBLE: Final = 1.0
"""A double fits one number only, so it is the first to get stuck."""
_VARIETY: Final = 0.5
"""A number that can still be answered from the hand."""
_FOLLOW: Final = 0.5
"""A tile of the hand that fits the new ends: the next turn will not be a pass."""
_OPPONENT_OUT: Final = 1.2
"""An open number that an opponent has none of."""
_PARTNER_OUT: Final = -1.0
"""An open number that the partner has none of."""
_COVER_PARTNER: Final = -1.0
_COVER_OPPONENT: Final = 0.4
_BLOCK: Final = 0.35
"""A pip by which a sure block is won or lost."""

_WIDE_OPEN: Final = 8
"""With so many unseen tiles that fit no block looms."""


class _After(NamedTuple):
    """The table as it would be."""

    ends: tuple[int, int]
    opened: tuple[int, ...]
    """The numbers that the tile shows at open ends."""
    rest: int
    """What stays in the hand."""


def worth(position: Position, tile: int, end: int) -> float:
    """What laying a tile at an end is worth; comparable within one position only."""
    low, high = TILES[tile]
    after = _lay(position, tile, end)
    value = (low + high) * (_WEIGHT + _LOOMING * _loom(position, after))
    if low == high:
        value += _DOUBLE * _early(position)
    value += _VARIETY * sum(1 for number in WITH_NUMBER if number & after.rest)
    value += _FOLLOW * (after.rest & _fitting(after.ends)).bit_count()
    value += sum(_opened(position, number) for number in set(after.opened))
    value += _covered(position, after, end)
    return value + _block(position, after)


def _lay(position: Position, tile: int, end: int) -> _After:
    low, high = TILES[tile]
    rest = position.view.hand & ~(1 << tile)
    if position.state.ends is None:
        return _After((low, high), (low, high), rest)
    left, right = position.state.ends
    if end == 1:
        opened = low + high - left
        return _After((opened, right), (opened,), rest)
    opened = low + high - right
    return _After((left, opened), (opened,), rest)


def _fitting(ends: tuple[int, int]) -> int:
    return FITTING[ends[0]][ends[1]]


def _others(position: Position) -> tuple[int, int, int]:
    """Left opponent, partner, right opponent."""
    seat = position.view.seat
    return next_seat(seat), partner_of(seat), next_seat(partner_of(seat))


def _elsewhere(position: Position, after: _After) -> int:
    """The tiles that fit the new ends and may be in another hand."""
    left, partner, right = (position.may_hold[seat] for seat in _others(position))
    return (left | partner | right) & _fitting(after.ends)


def _loom(position: Position, after: _After) -> float:
    """How near a block is: 0 far away, 1 nothing is known to fit."""
    return max(0.0, 1 - _elsewhere(position, after).bit_count() / _WIDE_OPEN)


def _early(position: Position) -> float:
    """1 in the first round; 0 for the last tile but one, as to go out with a double pays twice."""
    return (position.view.hand.bit_count() - 2) / 4


def _opened(position: Position, number: int) -> float:
    """The worth of showing a number to the others, by what they have passed on."""
    left, partner, right = (
        not position.may_hold[seat] & WITH_NUMBER[number] for seat in _others(position)
    )
    return _OPPONENT_OUT * (1.5 * left + right) + _PARTNER_OUT * partner


def _covered(position: Position, after: _After, end: int) -> float:
    """The worth of taking a number away: the partner's is to be left alone."""
    if position.state.ends is None:
        return 0.0
    number = position.state.ends[end - 1]
    owner = position.laid_by[end - 1]
    seat = position.view.seat
    value = 0.0
    if number not in after.ends:
        value -= _opened(position, number)
    if owner == partner_of(seat):
        value += _COVER_PARTNER
    elif owner != seat:
        value += _COVER_OPPONENT
    return value


def _block(position: Position, after: _After) -> float:
    """A move that surely blocks is as good as the own count is low."""
    fitting = _fitting(after.ends)
    if not after.rest or after.rest & fitting or _elsewhere(position, after):
        return 0.0
    left, _, right = _others(position)
    lowest = min(_likely_count(position, left), _likely_count(position, right))
    return _BLOCK * (lowest - count(after.rest)) * position.view.multiplier


def _likely_count(position: Position, seat: int) -> float:
    """The expected count of another hand."""
    possible = tiles_in(position.may_hold[seat])
    if not possible:
        return 0.0
    return position.held[seat] * sum(sum(TILES[tile]) for tile in possible) / len(possible)
