"""Questions to the rules as protobuf, and answers back as the engine's values."""

from typing import Any

from laelo.rules.v1 import rules_pb2
from laelo_rules.engine import (
    Call,
    CallKind,
    End,
    HandEnd,
    LegalPlay,
    MatchEnd,
    Move,
    NextHand,
    Outcome,
    Pass,
    Play,
    Reason,
    State,
)
from laelo_rules.state_codec import decode_state, encode_state


def message_of(state: State) -> rules_pb2.State:
    message = rules_pb2.State()
    encode_state(state, message)
    return message


def question(state: State, move: Move, number: int = 1) -> rules_pb2.JudgeRequest:
    fields: dict[str, Any] = {"act": rules_pb2.ACT_CHOOSE_OPENER}
    if isinstance(move, Play):
        a, b = move.tile
        fields = {"act": rules_pb2.ACT_PLAY, "tile_a": a, "tile_b": b, "end": move.end}
    elif isinstance(move, Pass):
        fields = {"act": rules_pb2.ACT_PASS}
    else:
        fields["opener"] = move.opener
    return rules_pb2.JudgeRequest(id=number, state=message_of(state), seat=move.seat, **fields)


def ask(state: State, act: rules_pb2.Act.ValueType) -> rules_pb2.JudgeRequest:
    return rules_pb2.JudgeRequest(id=1, state=message_of(state), act=act)


def dealing(
    order: list[int], winner: int | None, state: rules_pb2.State, first: bool = False
) -> rules_pb2.JudgeRequest:
    opening = rules_pb2.OPENING_FIRST if first else rules_pb2.OPENING_TIE
    return rules_pb2.JudgeRequest(
        act=rules_pb2.ACT_DEAL,
        state=state,
        order=bytes(order),
        opening=opening if winner is None else rules_pb2.OPENING_WON,
        winner=winner or 0,
    )


def outcome_from(response: rules_pb2.JudgeResponse) -> Outcome:
    assert response.refusal == rules_pb2.REFUSAL_UNSPECIFIED, response.reason
    return Outcome(
        decode_state(response.after),
        tuple(call_from(call) for call in response.calls),
        End(response.end),
        hand_end_from(response.hand_end) if response.HasField("hand_end") else None,
        match_end_from(response.match_end) if response.HasField("match_end") else None,
    )


def call_from(call: rules_pb2.Call) -> Call:
    kind = CallKind(call.kind)
    if kind is CallKind.TIE:
        return Call(kind, next_multiplier=call.number)
    if kind is CallKind.OPENING:
        return Call(kind, (call.number, call.low))
    numbered = kind in (CallKind.END, CallKind.ALL, CallKind.DOUBLE)
    return Call(kind, (call.number,) if numbered else ())


def hand_end_from(end: rules_pb2.HandEnd) -> HandEnd:
    winner = None if end.winner == 4 else end.winner
    after = NextHand(winner, end.next_multiplier) if end.next_multiplier else None
    a, b, c, d = end.counts
    team = None if end.team == 2 else end.team
    assert (end.next_opening == rules_pb2.OPENING_WON) == (after is not None and winner is not None)
    return HandEnd(Reason(end.reason), winner, team, end.points, (a, b, c, d), after)


def match_end_from(end: rules_pb2.MatchEnd) -> MatchEnd:
    return MatchEnd(end.team, (end.score_0, end.score_1), end.buchuda, end.buchuda_de_re)


def plays_from(response: rules_pb2.JudgeResponse) -> tuple[LegalPlay, ...]:
    """The tiles that may be laid, from their bytes."""
    ends = {0: (End.UNNAMED,), 32: (End.LEFT,), 64: (End.RIGHT,), 96: (End.LEFT, End.RIGHT)}
    return tuple(LegalPlay(code & 31, ends[code & ~31]) for code in response.plays)
