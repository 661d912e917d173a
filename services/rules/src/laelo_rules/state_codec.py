"""A match's state: from the wire, checked, and back to it.

On the wire 4 is nobody's seat, 28 no tile, 2 no team, 7 no number.
"""

from typing import Final

from laelo.rules.v1 import rules_pb2
from laelo_common.errors import Code, LaeloError

from .engine.match_end import POINTS_TO_WIN
from .engine.state import Hands, Phase, State
from .engine.tiles import DOUBLES, FITTING, HAND_SIZE, WHOLE_SET

NO_SEAT: Final = 4
NO_TILE: Final = 28
NO_TEAM: Final = 2
NO_NUMBER: Final = 7

MOST_TIES: Final = 1_000_000
"""No match sees a higher multiplier, and scores stay far below 32 bits."""

_PHASES: Final = {int(phase): phase for phase in Phase}
_PLAY: Final = Phase.PLAY


def bad(reason: str) -> LaeloError:
    """A request that makes no sense."""
    return LaeloError(Code.BAD_REQUEST, reason)


def decode_state(message: rules_pb2.State) -> State:
    """The state in a request. Raises BAD_REQUEST for one that cannot come up in a match."""
    phase = _PHASES.get(message.phase)
    if phase is None:
        raise bad(f"state.phase is {message.phase}, which is no phase")
    hands = (message.hand_0, message.hand_1, message.hand_2, message.hand_3)
    _check_hands(hands)
    left, right, turn, must_open = message.left, message.right, message.turn, message.must_open
    if left > NO_NUMBER or right > NO_NUMBER or (left == NO_NUMBER) != (right == NO_NUMBER):
        raise bad(
            f"state.left and right are {left} and {right}: not 0-6 both, nor {NO_NUMBER} both"
        )
    ends = None if left == NO_NUMBER else (left, right)
    if phase is Phase.HAND_OVER or phase is Phase.MATCH_OVER:
        _check_over(turn, must_open)
    elif turn >= NO_SEAT:
        raise bad(f"state.turn is {turn}; while a hand goes on somebody has to act: 0-3")
    elif ends is None:
        _check_opening(phase, hands, turn, must_open)
    else:
        _check_going_on(phase, hands, ends, must_open)
    last_seat = message.last_seat
    if last_seat > NO_SEAT or (last_seat == NO_SEAT) != (ends is None):
        raise bad(f"state.last_seat is {last_seat}; it is a seat once a tile lies, before that 4")
    scores, multiplier, led_5_0 = decode_standing(message)
    if (max(scores) >= POINTS_TO_WIN) != (phase is Phase.MATCH_OVER):
        raise bad(f"the score is {scores[0]}-{scores[1]}, which does not go with state.phase")
    return State(
        phase,
        hands,
        ends,
        None if turn == NO_SEAT else turn,
        None if must_open == NO_TILE else must_open,
        None if last_seat == NO_SEAT else last_seat,
        scores,
        multiplier,
        led_5_0,
    )


def decode_standing(message: rules_pb2.State) -> tuple[tuple[int, int], int, int | None]:
    """Scores, multiplier and who led 5-0: what one hand hands on to the next."""
    multiplier, led_5_0 = message.multiplier, message.led_5_0
    if not 1 <= multiplier <= MOST_TIES:
        raise bad(f"state.multiplier is {multiplier}, not 1-{MOST_TIES}")
    if led_5_0 > NO_TEAM:
        raise bad(f"state.led_5_0 is {led_5_0}, not a team (0, 1) or none (2)")
    scores = (message.score_0, message.score_1)
    if led_5_0 == NO_TEAM:
        return scores, multiplier, None
    if scores[led_5_0] < 5:
        raise bad(f"team {led_5_0} has led 5-0, but the score is {scores[0]}-{scores[1]}")
    return scores, multiplier, led_5_0


def _check_hands(hands: Hands) -> None:
    a, b, c, d = hands
    held = a | b | c | d
    if held > WHOLE_SET:
        raise bad("a hand has bits beyond the 28 tiles")
    if a + b + c + d != held:
        raise bad("two hands hold the same tile")
    for seat, hand in enumerate(hands):
        if hand.bit_count() > HAND_SIZE:
            raise bad(f"state.hand_{seat} has {hand.bit_count()} tiles; a hand has at most 6")


def _check_over(turn: int, must_open: int) -> None:
    if turn != NO_SEAT or must_open != NO_TILE:
        raise bad(f"state.turn is {turn}, must_open {must_open}; after a hand they are 4 and 28")


def _check_opening(phase: Phase, hands: Hands, turn: int, must_open: int) -> None:
    if any(hand.bit_count() != HAND_SIZE for hand in hands):
        raise bad("the table is empty, so each hand has to have 6 tiles")
    if must_open == NO_TILE:
        return
    if phase is not _PLAY or must_open not in DOUBLES or not hands[turn] >> must_open & 1:
        raise bad(f"state.must_open is {must_open}: not a double of the seat that has to open")


def _check_going_on(phase: Phase, hands: Hands, ends: tuple[int, int], must_open: int) -> None:
    if phase is not _PLAY or must_open != NO_TILE:
        raise bad("the table is not empty, so there is no opener to choose and no tile must open")
    a, b, c, d = hands
    if not (a and b and c and d):
        raise bad("a hand is empty, so this hand of dominoes is over")
    if not (a | b | c | d) & FITTING[ends[0]][ends[1]]:
        raise bad("no hand holds a tile that fits, so this hand of dominoes is over")


def encode_state(state: State, into: rules_pb2.State) -> None:
    """Write a state into an empty message; field by field, which is by far the fastest way."""
    phase, hands, ends, turn, must_open, last_seat, scores, multiplier, led_5_0 = state
    into.phase = phase  # type: ignore[assignment]  # the numbers are the same, a test says
    into.hand_0, into.hand_1, into.hand_2, into.hand_3 = hands
    into.left, into.right = (NO_NUMBER, NO_NUMBER) if ends is None else ends
    into.turn = NO_SEAT if turn is None else turn
    into.must_open = NO_TILE if must_open is None else must_open
    into.last_seat = NO_SEAT if last_seat is None else last_seat
    into.score_0, into.score_1 = scores
    into.multiplier = multiplier
    into.led_5_0 = NO_TEAM if led_5_0 is None else led_5_0
