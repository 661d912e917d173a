"""From the engine's values to the messages that the log holds."""

from collections.abc import Iterable
from typing import Final

from laelo.rules.v1 import rules_pb2 as pb
from laelo_rules.engine import (
    Call,
    CallKind,
    HandEnd,
    MatchEnd,
    Phase,
    State,
    can_pass,
    is_short,
    legal_plays,
)

NO_SEAT: Final = 4
NO_TILE: Final = 28
NO_TEAM: Final = 2
NO_NUMBER: Final = 7


def state_message(state: State) -> pb.State:
    """A match as the log holds it."""
    left, right = state.ends or (NO_NUMBER, NO_NUMBER)
    return pb.State(
        phase=pb.Phase.ValueType(state.phase),
        hand_0=state.hands[0],
        hand_1=state.hands[1],
        hand_2=state.hands[2],
        hand_3=state.hands[3],
        left=left,
        right=right,
        turn=_or(state.turn, NO_SEAT),
        must_open=_or(state.must_open, NO_TILE),
        last_seat=_or(state.last_seat, NO_SEAT),
        score_0=state.scores[0],
        score_1=state.scores[1],
        multiplier=state.multiplier,
        led_5_0=_or(state.led_5_0, NO_TEAM),
    )


def call_messages(calls: Iterable[Call]) -> list[pb.Call]:
    """What is called."""
    return [_call_message(call) for call in calls]


def _call_message(call: Call) -> pb.Call:
    kind = pb.CallKind.ValueType(call.kind)
    if call.kind is CallKind.TIE:
        return pb.Call(kind=kind, number=call.next_multiplier)
    number, low = (*call.numbers, 0, 0)[:2]
    return pb.Call(kind=kind, number=number, low=low)


def call_of(message: pb.Call) -> Call:
    """A call of the log as the engine's, to be put into words."""
    kind = CallKind(message.kind)
    if kind is CallKind.TIE:
        return Call(kind, next_multiplier=message.number)
    if kind is CallKind.OPENING:
        return Call(kind, (message.number, message.low))
    return Call(kind, (message.number,))


def hand_end_message(end: HandEnd) -> pb.HandEnd:
    """The end of a hand."""
    message = pb.HandEnd(
        reason=pb.Reason.ValueType(end.reason),
        winner=_or(end.winner, NO_SEAT),
        team=_or(end.team, NO_TEAM),
        points=end.points,
        counts=end.counts,
    )
    if end.next is not None:
        tie = end.next.winner is None
        message.next_opening = pb.OPENING_TIE if tie else pb.OPENING_WON
        message.next_multiplier = end.next.multiplier
    return message


def match_end_message(end: MatchEnd) -> pb.MatchEnd:
    """The end of a match."""
    return pb.MatchEnd(
        team=end.team,
        score_0=end.scores[0],
        score_1=end.scores[1],
        buchuda=end.buchuda,
        buchuda_de_re=end.buchuda_de_re,
    )


def plays_bytes(state: State) -> bytes:
    """What the seat on turn may lay."""
    return bytes(play.tile + 32 * sum(play.ends) for play in legal_plays(state))


class Turn:
    """What the log says of the turn that a state opens."""

    def __init__(self, state: State) -> None:
        self.seat = _or(state.turn, NO_SEAT)
        self.choosing = state.phase is Phase.CHOOSE_OPENER
        self.plays = plays_bytes(state)
        self.must_pass = can_pass(state)
        self.short_clock = is_short(state)


def _or(value: int | None, nothing: int) -> int:
    return nothing if value is None else value
