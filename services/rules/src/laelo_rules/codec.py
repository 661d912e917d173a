"""Questions and answers of the rules: between protobuf and the engine."""

from typing import Any, Final

from laelo.rules.v1 import rules_pb2
from laelo_common.errors import MEANINGS, Code

from .engine import (
    Calls,
    ChooseOpener,
    DealError,
    HandEnd,
    MatchEnd,
    Move,
    Outcome,
    Pass,
    Phase,
    Play,
    Refusal,
    State,
    legal_tiles,
    tiles_in,
)
from .engine.tiles import ENDS_FITTED, ID_OF
from .state_codec import NO_SEAT, NO_TEAM, NO_TILE, bad, encode_state

_ACT_PLAY: Final = rules_pb2.ACT_PLAY
_ACT_PASS: Final = rules_pb2.ACT_PASS
_ACT_CHOOSE_OPENER: Final = rules_pb2.ACT_CHOOSE_OPENER
_PLAY: Final = Phase.PLAY

_END_BITS: Final = 5
"""How far left the ends that a tile fits stand beside the tile in a byte of `plays`."""

_HIGHEST_DOUBLE: Final = frozenset({rules_pb2.OPENING_FIRST, rules_pb2.OPENING_TIE})

_REASONS: Final = {refusal: MEANINGS[Code[refusal.name]].text for refusal in (*Refusal, *DealError)}


def decode_move(request: rules_pb2.JudgeRequest) -> Move:
    """The move in a request, as the client named it. Raises BAD_REQUEST for no such seat."""
    seat, act = request.seat, request.act
    if seat >= NO_SEAT:
        raise bad(f"seat is {seat}, not 0-3")
    if act == _ACT_PLAY:
        return Play(seat, (request.tile_a, request.tile_b), request.end)
    if act == _ACT_PASS:
        return Pass(seat)
    return ChooseOpener(seat, request.opener)


def decode_winner(request: rules_pb2.JudgeRequest) -> int | None:
    """Who won the hand before, from a request for a deal; None if the highest double opens."""
    opening, winner = request.opening, request.winner
    if opening in _HIGHEST_DOUBLE:
        return None
    if opening != rules_pb2.OPENING_WON:
        raise bad(f"opening is {opening}, which is no way to begin a hand")
    if winner >= NO_SEAT:
        raise bad(f"winner is {winner}, not 0-3")
    return winner


def encode_refusal(refusal: Refusal | DealError) -> rules_pb2.JudgeResponse:
    """Nothing changed, and why."""
    return rules_pb2.JudgeResponse(refusal=_wire(refusal), reason=_REASONS[refusal])


def encode_position(state: State, act: rules_pb2.Act.ValueType) -> rules_pb2.JudgeResponse:
    """A state to which no move of a seat has led, and what the seat on turn may do."""
    response = rules_pb2.JudgeResponse(act=act, seat=NO_SEAT, tile=NO_TILE, opener=NO_SEAT)
    encode_state(state, response.after)
    _encode_turn(state, response)
    return response


def encode_outcome(move: Move, outcome: Outcome) -> rules_pb2.JudgeResponse:
    """What was done, and all that follows."""
    response = rules_pb2.JudgeResponse()
    state, calls, laid_at, hand_end, match_end = outcome
    _encode_move(move, response)
    response.end = laid_at  # type: ignore[assignment]  # the numbers are the same, a test says
    encode_state(state, response.after)
    _encode_calls(calls, response)
    _encode_turn(state, response)
    if hand_end is not None:
        _encode_hand_end(hand_end, response.hand_end)
    if match_end is not None:
        _encode_match_end(match_end, response.match_end)
    return response


def _encode_move(move: Move, response: rules_pb2.JudgeResponse) -> None:
    response.seat = move.seat
    response.tile, response.opener = NO_TILE, NO_SEAT
    if isinstance(move, Play):
        a, b = move.tile
        response.act, response.tile = _ACT_PLAY, ID_OF[a][b]
    elif isinstance(move, Pass):
        response.act = _ACT_PASS
    else:
        response.act, response.opener = _ACT_CHOOSE_OPENER, move.opener


def _encode_calls(calls: Calls, response: rules_pb2.JudgeResponse) -> None:
    for kind, numbers, next_multiplier in calls:
        call = response.calls.add()
        call.kind = kind  # type: ignore[assignment]
        if numbers:
            call.number, call.low = numbers[0], numbers[-1] if len(numbers) > 1 else 0
        elif next_multiplier:
            call.number = next_multiplier


def _encode_turn(state: State, response: rules_pb2.JudgeResponse) -> None:
    """What the seat on turn may do; nothing of it is set when no tile is asked for."""
    if state.phase is not _PLAY:
        return
    tiles = tiles_in(legal_tiles(state))
    if state.ends is None:
        response.plays = bytes(tiles)
    else:
        left, right = state.ends
        fitted = ENDS_FITTED[left][right]
        response.plays = bytes([tile | fitted[tile] << _END_BITS for tile in tiles])
    response.must_pass = not tiles
    response.short_clock = len(tiles) < 2


def _encode_hand_end(end: HandEnd, into: rules_pb2.HandEnd) -> None:
    into.reason = _wire(end.reason)
    into.winner = NO_SEAT if end.winner is None else end.winner
    into.team = NO_TEAM if end.team is None else end.team
    into.points = end.points
    into.counts.extend(end.counts)
    if end.next is not None:
        won = end.next.winner is not None
        into.next_opening = rules_pb2.OPENING_WON if won else rules_pb2.OPENING_TIE
        into.next_multiplier = end.next.multiplier


def _encode_match_end(end: MatchEnd, into: rules_pb2.MatchEnd) -> None:
    into.team = end.team
    into.score_0, into.score_1 = end.scores
    into.buchuda, into.buchuda_de_re = end.buchuda, end.buchuda_de_re


def _wire(number: int) -> Any:
    """An enum's number on the wire: the engine's are the same, which a test holds together."""
    return number
