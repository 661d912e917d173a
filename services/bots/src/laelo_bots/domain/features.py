"""What there is to say of a move, as numbers, and their sum with the weights of a policy.

All of it is known to who moves: the own hand, the table, and who has passed on what. The 36
features, in the order of the weights (L, P, R: the opponent to the left, the partner, the
opponent to the right; `opens` is the number that the tile leaves at its end, `other` the one at
the other end, `covers` the one that is gone from both ends):

    0 weight of the tile                1 it is a double
    2 numbers left in the hand          3 tiles of the hand that fit the new ends
    4 there is none                     5 tiles of the hand with `opens`
    6 unseen tiles with `opens`         7 unseen tiles that fit the new ends
    8-10 L, P, R passed on `opens`      11-13 L, P, R passed on both new ends
    14-16 L, P, R passed on `covers`    17-20 `covers` was laid by L, P, R, oneself
    21-24 L, P, R, oneself have laid `opens` open before
    25 both new ends are equal          26 weight, when an opponent holds two tiles or fewer
    27 a double of the last three       28 a double, by the other tiles with its number
    29 tiles of the hand with `covers`  30 tiles of the hand with `other`
    31 nothing fits any more            32 by how much the block would be won, guessed
    33 `other` was laid by P            34 L passed on `other`
    35 P passed on `other`

`core/features.c` holds the same.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from laelo_rules.engine import TILES, count
from laelo_rules.engine.tiles import FITTING, WHOLE_SET, WITH_NUMBER

from .table import BIT, NONE, Table
from .view import NOBODY

FEATURES: Final = 36
PHASES: Final = 3
"""Early, middle and late: each has weights of its own."""

Weights = Sequence[int]
Move = tuple[int, int]
"""A tile and the end it is laid at; tile 28 is a pass."""

_PHASE: Final = (0,) * 6 + (1,) * 6 + (2,) * 17
_MOST: Final = 12
"""No block is thought to be won or lost by more."""


class _Sight(NamedTuple):
    """What is the same for all moves of a turn."""

    weights: Weights
    table: Table
    hand: int
    unseen: int
    looming: bool
    lacks: tuple[int, int, int]
    """Of L, P, R."""


class _Numbers(NamedTuple):
    """The numbers that a move is about."""

    opens: int
    other: int
    covers: int
    """-1: none, or it is still to be seen at an end."""
    covers_by: int
    other_by: int


def scores(phases: Sequence[Weights], table: Table, hand: int, moves: Sequence[Move]) -> list[int]:
    """What each move of the seat on turn is worth to a policy, one row of weights a phase."""
    me, lacks, held = table.turn, table.lacks, table.held
    left, partner, right = (me + 1) & 3, (me + 2) & 3, (me + 3) & 3
    sight = _Sight(
        phases[phase_of(table)],
        table,
        hand,
        WHOLE_SET & ~(table.laid | hand),
        held[left] <= 2 or held[right] <= 2,
        (lacks[left], lacks[partner], lacks[right]),
    )
    has_passed = any(sight.lacks)
    found = []
    for tile, end in moves:
        numbers = _numbers(table, tile, end)
        score = _of_tiles(sight, tile, numbers) + _of_owners(sight, numbers)
        if has_passed:
            score += _of_passes(sight, numbers)
        found.append(score)
    return found


def phase_of(table: Table) -> int:
    """Early below 6 tiles on the table, middle below 12, then late."""
    return _PHASE[table.laid.bit_count()]


def _numbers(table: Table, tile: int, end: int) -> _Numbers:
    low, high = TILES[tile]
    if end == 0:
        return _Numbers(high, low, NONE, NOBODY, NOBODY)
    covers, other = table.ends[end - 1], table.ends[2 - end]
    opens = low + high - covers
    gone = covers not in (opens, other)
    return _Numbers(
        opens,
        other,
        covers if gone else NONE,
        table.laid_by[end - 1],
        table.laid_by[2 - end],
    )


def _of_tiles(sight: _Sight, tile: int, numbers: _Numbers) -> int:
    """The part that is about the own tiles and the unseen ones."""
    weights, unseen = sight.weights, sight.unseen
    opens, other, covers = numbers[:3]
    low, high = TILES[tile]
    rest = sight.hand & ~BIT[tile]
    fit = FITTING[opens][other]
    follow = (rest & fit).bit_count()
    support = (rest & WITH_NUMBER[opens]).bit_count()
    answers = (unseen & fit).bit_count()
    score = (
        weights[0] * (low + high)
        + weights[2] * sum([rest & tiles != 0 for tiles in WITH_NUMBER])
        + weights[3] * follow
        + weights[5] * support
        + weights[6] * (unseen & WITH_NUMBER[opens]).bit_count()
        + weights[7] * answers
        + weights[30] * (rest & WITH_NUMBER[other]).bit_count()
    )
    if low == high:
        score += weights[1] + weights[28] * support
        score += weights[27] * (rest.bit_count() <= 2)
    if covers != NONE:
        score += weights[29] * (rest & WITH_NUMBER[covers]).bit_count()
    if sight.looming:
        score += weights[26] * (low + high)
    if not follow:
        score += weights[4]
        if not answers:
            score += weights[31] + weights[32] * _margin(sight, rest)
    return score


def _of_owners(sight: _Sight, numbers: _Numbers) -> int:
    """The part that is about who has laid the numbers at the ends."""
    weights, me, opened = sight.weights, sight.table.turn, sight.table.opened
    opens, other, covers, covers_by, other_by = numbers
    score = (
        weights[21] * (opened[(me + 1) & 3] >> opens & 1)
        + weights[22] * (opened[(me + 2) & 3] >> opens & 1)
        + weights[23] * (opened[(me + 3) & 3] >> opens & 1)
        + weights[24] * (opened[me] >> opens & 1)
    )
    if covers != NONE:
        score += weights[17 + ((covers_by - me - 1) & 3)]
    if opens == other:
        score += weights[25]
    if other_by == me ^ 2:
        score += weights[33]
    return score


def _of_passes(sight: _Sight, numbers: _Numbers) -> int:
    """The part that is about what the others have passed on."""
    weights, (opens, other, covers) = sight.weights, numbers[:3]
    score = 0
    for index, lacks in enumerate(sight.lacks):
        if not lacks:
            continue
        if lacks >> opens & 1:
            score += weights[8 + index]
            if lacks >> other & 1:
                score += weights[11 + index]
        if covers != NONE and lacks >> covers & 1:
            score += weights[14 + index]
        if index < 2 and lacks >> other & 1:
            score += weights[34 + index]
    return score


def _margin(sight: _Sight, rest: int) -> int:
    """By how much a block would be won, if the unseen tiles were all alike."""
    held, me, unseen = sight.table.held, sight.table.turn, sight.unseen
    least = min(held[(me + 1) & 3], held[(me + 3) & 3])
    others = count(unseen) * least // unseen.bit_count() if unseen else 0
    return max(-_MOST, min(_MOST, others - count(rest)))
