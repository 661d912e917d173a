"""From 28 tiles in order to a hand that can be played (R2-R5)."""

from collections.abc import Sequence
from enum import IntEnum

from .state import Phase, Scores, State
from .tiles import DOUBLES, HAND_SIZE, SEATS, TILE_COUNT, mask_of


class DealError(IntEnum):
    """Why an order of tiles is no deal."""

    NOT_A_WHOLE_SET = 15


def deal(
    order: Sequence[int],
    winner: int | None = None,
    scores: Scores = (0, 0),
    multiplier: int = 1,
    led_5_0: int | None = None,
) -> State | DealError:
    """Give six tiles to each seat; the last four sleep.

    `order` is the whole set in the order drawn. `winner` is who won the hand before, and
    chooses the opener (R5); None in the first hand of a match and after a tie, when the
    highest double opens (R4).
    """
    if len(order) != TILE_COUNT or set(order) != set(range(TILE_COUNT)):
        return DealError.NOT_A_WHOLE_SET
    first, second, third, fourth = (
        mask_of(order[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]) for seat in SEATS
    )
    hands = (first, second, third, fourth)
    if winner is None:
        phase = Phase.PLAY
        turn, must_open = _holder_of_highest_double(hands)
    else:
        phase = Phase.CHOOSE_OPENER
        turn, must_open = winner, None
    return State(phase, hands, None, turn, must_open, None, scores, multiplier, led_5_0)


def _holder_of_highest_double(hands: tuple[int, ...]) -> tuple[int, int]:
    """Seat and tile. At most four of the seven doubles sleep, so there always is one."""
    return next(
        (seat, double)
        for double in reversed(DOUBLES)
        for seat, hand in enumerate(hands)
        if hand >> double & 1
    )
