"""The verdict on a move, and everything that follows from it (R6-R19, R26-R30)."""

from typing import Final, NamedTuple

from .calls import PASS, Calls, call_blocked, call_domino, call_opening, call_tile
from .hand_end import HandEnd, blocked, domino, domino_kind
from .match_end import MatchEnd, book, leader_5_0, match_end
from .moves import ChooseOpener, End, Move, Pass, Play, Refusal
from .refuse import refuse_choice, refuse_pass, refuse_play
from .state import Ends, Hands, Phase, State, next_seat
from .tiles import ENDS_FITTED, FITTING, ID_OF, TILES

# Read for every move: a global name is found faster than a member of an enum.
_PLAY: Final = Phase.PLAY
_UNNAMED: Final = End.UNNAMED
_LEFT: Final = End.LEFT
_RIGHT: Final = End.RIGHT


class Outcome(NamedTuple):
    """What an accepted move leads to."""

    state: State
    calls: Calls = ()
    laid_at: End = End.UNNAMED
    """The end at which the tile lies; UNNAMED for an opening tile and for other moves."""
    hand_end: HandEnd | None = None
    match_end: MatchEnd | None = None


def judge(state: State, move: Move) -> Outcome | Refusal:
    """Judge a move: what it leads to, or the first finding of R13.

    Total for any state that can come up in a match and any move; never raises.
    """
    if isinstance(move, Play):
        return refuse_play(state, move) or _play(state, move)
    if isinstance(move, Pass):
        return refuse_pass(state, move) or _pass(state, move)
    return refuse_choice(state, move) or _choose(state, move)


def _choose(state: State, move: ChooseOpener) -> Outcome:
    return Outcome(state._replace(phase=_PLAY, turn=move.opener))


def _pass(state: State, move: Pass) -> Outcome:
    _, hands, ends, _, _, last_seat, scores, multiplier, led = state
    turn = next_seat(move.seat)
    after = State(_PLAY, hands, ends, turn, None, last_seat, scores, multiplier, led)
    return Outcome(after, PASS)


def _play(state: State, move: Play) -> Outcome:
    _, hands, before, _, _, _, scores, multiplier, led = state
    seat, (a, b), named = move
    tile = ID_OF[a][b]
    at, ends, calls = _lay(tile, before, named)
    hands = _without(hands, seat, 1 << tile)
    after = State(_PLAY, hands, ends, next_seat(seat), None, seat, scores, multiplier, led)
    if not hands[seat] and before is not None:
        kind = domino_kind(tile, before)
        return _end_hand(after, at, call_domino(kind), domino(kind, seat, hands, multiplier))
    if not (hands[0] | hands[1] | hands[2] | hands[3]) & FITTING[ends[0]][ends[1]]:
        hand_end = blocked(seat, hands, multiplier)
        return _end_hand(after, at, calls + call_blocked(hand_end), hand_end)
    return Outcome(after, calls, at)


def _lay(tile: int, before: Ends | None, named: int) -> tuple[End, Ends, Calls]:
    """Where a tile that may be laid comes to lie, the ends afterwards, and its call."""
    if before is None:
        return _UNNAMED, TILES[tile], call_opening(tile)
    left, right = before
    low, high = TILES[tile]
    if (named or ENDS_FITTED[left][right][tile]) == _LEFT:
        opened = low + high - left
        at, ends = _LEFT, (opened, right)
    else:
        opened = low + high - right
        at, ends = _RIGHT, (left, opened)
    return at, ends, call_tile(tile, opened, ends)


def _without(hands: Hands, seat: int, tile_bit: int) -> Hands:
    a, b, c, d = hands
    if seat == 0:
        return a ^ tile_bit, b, c, d
    if seat == 1:
        return a, b ^ tile_bit, c, d
    if seat == 2:
        return a, b, c ^ tile_bit, d
    return a, b, c, d ^ tile_bit


def _end_hand(last: State, at: End, calls: Calls, hand_end: HandEnd) -> Outcome:
    """Book a hand; `last` is the state as if it went on."""
    scores = book(last.scores, hand_end)
    led_5_0 = leader_5_0(scores, last.led_5_0)
    over = match_end(scores, led_5_0)
    after = last._replace(
        phase=Phase.HAND_OVER if over is None else Phase.MATCH_OVER,
        turn=None,
        scores=scores,
        led_5_0=led_5_0,
    )
    if over is not None:
        hand_end = hand_end._replace(next=None)
    return Outcome(after, calls, at, hand_end, over)
