"""What goes over the wire is what the engine says, and nonsense is refused with a reason."""

from enum import IntEnum
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st
from laelo.rules.v1 import rules_pb2
from laelo_common.errors import Code, LaeloError
from laelo_rules.app import answer
from laelo_rules.engine import (
    TILES,
    CallKind,
    ChooseOpener,
    DealError,
    End,
    Move,
    Outcome,
    Pass,
    Phase,
    Play,
    Reason,
    Refusal,
    State,
    can_pass,
    deal,
    is_short,
    judge,
    legal_plays,
    timeout_move,
)
from laelo_rules.state_codec import decode_state

from . import wire
from .strategies import any_moves, legal_moves, seats, standings, states
from .vectors import CASES, move_from, state_from

WITH_STATE = [case for case in CASES if "state" in case["given"]]


@pytest.mark.parametrize(
    ("ours", "theirs", "prefix"),
    [
        ([*Phase], rules_pb2.Phase, "PHASE_"),
        ([End.LEFT, End.RIGHT], rules_pb2.End, "END_"),
        ([*Refusal, *DealError], rules_pb2.Refusal, "REFUSAL_"),
        ([*CallKind], rules_pb2.CallKind, "CALL_KIND_"),
        ([*Reason], rules_pb2.Reason, "REASON_"),
    ],
)
def test_enums_have_the_numbers_of_the_wire(ours: list[IntEnum], theirs: Any, prefix: str) -> None:
    only_there = {prefix + "UNSPECIFIED", "REFUSAL_BAD_REQUEST"}
    wanted = {name: value for name, value in theirs.items() if name not in only_there}
    assert {prefix + member.name: member.value for member in ours} == wanted


@given(states)
def test_a_state_comes_back_as_it_was(state: State) -> None:
    assert decode_state(wire.message_of(state)) == state


@given(states, any_moves)
def test_the_answer_is_the_engines(state: State, move: Move) -> None:
    check_answer(state, move)


@given(states)
def test_the_answer_to_legal_moves_is_the_engines(state: State) -> None:
    for move in legal_moves(state):
        check_answer(state, move)


@pytest.mark.parametrize("case", [c for c in CASES if c["op"] == "move"], ids=lambda c: c["id"])
def test_the_examples_come_through(case: dict[str, Any]) -> None:
    check_answer(state_from(case["given"]["state"]), move_from(case["given"]["move"]))


@pytest.mark.parametrize("case", WITH_STATE, ids=lambda case: case["id"])
def test_the_states_of_the_examples_make_sense(case: dict[str, Any]) -> None:
    state = state_from(case["given"]["state"])
    check_turn(answer(wire.ask(state, rules_pb2.ACT_LOOK)), state)


def check_answer(state: State, move: Move) -> None:
    response = answer(wire.question(state, move, number=77))
    verdict = judge(state, move)
    assert response.id == 77
    if isinstance(verdict, Refusal):
        assert (int(response.refusal), bool(response.reason)) == (verdict, True)
        bare = rules_pb2.JudgeResponse(id=77, refusal=response.refusal, reason=response.reason)
        assert response == bare
        return
    assert wire.outcome_from(response) == verdict
    check_turn(response, verdict.state)
    check_done(response, move)


def check_turn(response: rules_pb2.JudgeResponse, state: State) -> None:
    assert wire.plays_from(response) == legal_plays(state)
    assert (response.must_pass, response.short_clock) == (can_pass(state), is_short(state))


def check_done(response: rules_pb2.JudgeResponse, move: Move) -> None:
    done: tuple[Any, ...] = (response.act, response.tile, response.opener)
    assert response.seat == move.seat
    if isinstance(move, Play):
        assert done == (rules_pb2.ACT_PLAY, TILES.index((min(move.tile), max(move.tile))), 4)
    elif isinstance(move, Pass):
        assert done == (rules_pb2.ACT_PASS, 28, 4)
    else:
        assert done == (rules_pb2.ACT_CHOOSE_OPENER, 28, move.opener)


@given(states)
def test_the_clock_moves_as_the_engine_says(state: State) -> None:
    response = answer(wire.ask(state, rules_pb2.ACT_TIMEOUT))
    move = timeout_move(state)
    if move is None:
        assert int(response.refusal) == Refusal[state.phase.name]
    else:
        assert response == answer(wire.question(state, move))


@given(states)
def test_looking_changes_nothing(state: State) -> None:
    response = answer(wire.ask(state, rules_pb2.ACT_LOOK))
    assert wire.outcome_from(response) == Outcome(state)
    assert (response.act, response.seat) == (rules_pb2.ACT_LOOK, 4)
    assert (response.tile, response.opener) == (28, 4)
    check_turn(response, state)


@given(st.permutations(range(28)), st.none() | seats, standings, st.booleans())
def test_a_deal_is_the_engines(
    order: list[int], winner: int | None, standing: tuple[Any, ...], first: bool
) -> None:
    dealt = deal(order, winner, *standing)
    assert isinstance(dealt, State)
    response = answer(wire.dealing(order, winner, wire.message_of(dealt), first))
    assert wire.outcome_from(response).state == dealt
    check_turn(response, dealt)


def test_what_is_not_a_whole_set_is_not_dealt() -> None:
    response = answer(wire.dealing([*range(27), 0], None, standing_message()))
    assert response.refusal == rules_pb2.REFUSAL_NOT_A_WHOLE_SET
    assert response.reason


# Nonsense


def standing_message(**fields: int) -> rules_pb2.State:
    message = rules_pb2.State(multiplier=1, led_5_0=2)
    for name, value in fields.items():
        setattr(message, name, value)
    return message


DEALT = deal(range(28))
CHOICE = deal(range(28), winner=1)
assert isinstance(DEALT, State)
assert isinstance(CHOICE, State)
OPENED = judge(DEALT, Play(3, (5, 5)))
assert isinstance(OPENED, Outcome)
GOING_ON = OPENED.state
OVER = GOING_ON._replace(phase=Phase.HAND_OVER, turn=None)
SHARED = GOING_ON.hands[1]


@pytest.mark.parametrize(
    ("state", "fields", "words"),
    [
        (GOING_ON, {"phase": 0}, "phase is 0"),
        (GOING_ON, {"phase": 9}, "phase is 9"),
        (GOING_ON, {"hand_0": 1 << 28}, "beyond the 28 tiles"),
        *((GOING_ON, {f"hand_{seat}": SHARED}, "the same tile") for seat in (0, 2, 3)),
        (GOING_ON, {"hand_2": GOING_ON.hands[2] | 15 << 24}, "at most 6"),
        (GOING_ON, {"left": 8}, "left and right are 8"),
        (GOING_ON, {"right": 7}, "left and right are 5 and 7"),
        (GOING_ON, {"turn": 4}, "turn is 4"),
        (GOING_ON, {"must_open": 20}, "no tile must open"),
        (GOING_ON, {"phase": 1}, "no opener to choose"),
        (GOING_ON, {"last_seat": 4}, "last_seat is 4"),
        (GOING_ON, {"last_seat": 5}, "last_seat is 5"),
        *((GOING_ON, {f"hand_{seat}": 0}, "a hand is empty") for seat in range(4)),
        (GOING_ON, {"hand_0": 1, "hand_1": 2, "hand_2": 4, "hand_3": 8}, "no hand holds a tile"),
        (GOING_ON, {"multiplier": 0}, "multiplier is 0"),
        (GOING_ON, {"multiplier": 1 << 31}, "multiplier is"),
        (GOING_ON, {"led_5_0": 3}, "led_5_0 is 3"),
        (GOING_ON, {"led_5_0": 1, "score_0": 5, "score_1": 4}, "team 1 has led 5-0"),
        (GOING_ON, {"score_1": 6}, "score is 0-6"),
        (OVER, {"turn": 0}, "after a hand they are 4 and 28"),
        (OVER, {"must_open": 0}, "after a hand they are 4 and 28"),
        (OVER, {"phase": 4}, "score is 0-0"),
        (DEALT, {"hand_0": 1}, "each hand has to have 6 tiles"),
        (DEALT, {"must_open": 19}, "must_open is 19"),
        (DEALT, {"must_open": 27}, "must_open is 27"),
        (DEALT, {"must_open": 4_000_000_000}, "must_open is 4000000000"),
        (DEALT, {"last_seat": 0}, "last_seat is 0"),
        (CHOICE, {"must_open": 9}, "must_open is 9"),
    ],
)
def test_a_state_that_cannot_be_is_refused(
    state: State, fields: dict[str, int], words: str
) -> None:
    request = wire.ask(state, rules_pb2.ACT_LOOK)
    answer(request)
    for name, value in fields.items():
        setattr(request.state, name, value)
    with pytest.raises(LaeloError, match=words) as refused:
        answer(request)
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (wire.ask(GOING_ON, rules_pb2.ACT_UNSPECIFIED), "act is 0"),
        (wire.question(GOING_ON, Pass(4)), "seat is 4"),
        (wire.question(GOING_ON, ChooseOpener(2**32 - 1, 0)), "seat is 4294967295"),
        (rules_pb2.JudgeRequest(act=rules_pb2.ACT_PASS), "phase is 0"),
        (rules_pb2.JudgeRequest(act=rules_pb2.ACT_DEAL), "multiplier is 0"),
        (rules_pb2.JudgeRequest(act=rules_pb2.ACT_DEAL, state=standing_message()), "opening is 0"),
        (wire.dealing([*range(28)], 4, standing_message()), "winner is 4"),
        (wire.dealing([*range(28)], 0, standing_message(score_0=6)), "the match is over"),
        (wire.dealing([*range(28)], 0, standing_message(led_5_0=3)), "led_5_0 is 3"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    request_: rules_pb2.JudgeRequest, words: str
) -> None:
    with pytest.raises(LaeloError, match=words) as refused:
        answer(request_)
    assert refused.value.code is Code.BAD_REQUEST


def check_answered(request: rules_pb2.JudgeRequest) -> None:
    """An answer that can be written, or BAD_REQUEST with a reason; anything else fails."""
    try:
        response = answer(request)
    except LaeloError as error:
        refused = (error.code, bool(error.message))
    else:
        assert rules_pb2.JudgeResponse.FromString(response.SerializeToString()) == response
        return
    assert refused == (Code.BAD_REQUEST, True)


@given(st.binary(max_size=120))
def test_no_bytes_break_the_service(data: bytes) -> None:
    try:
        request = rules_pb2.JudgeRequest.FromString(data)
    except DecodeError:
        return
    check_answered(request)


small = st.integers(0, 9)
uint32 = st.integers(0, 2**32 - 1)
sint32 = st.integers(-(2**31), 2**31 - 1)
masks = st.integers(0, 2**28 - 1) | uint32
STATE_FIELDS = [field.name for field in rules_pb2.State.DESCRIPTOR.fields]


@st.composite
def half_sensible(draw: st.DrawFn) -> rules_pb2.JudgeRequest:
    """A sensible question with a few fields of any value."""
    request = wire.question(draw(states), draw(any_moves))
    request.act = draw(st.integers(0, 7))  # type: ignore[assignment]
    for name in draw(st.lists(st.sampled_from(STATE_FIELDS), max_size=3)):
        values = masks if name.startswith("hand") else small | uint32
        setattr(request.state, name, draw(small if name == "phase" else values))
    request.tile_a, request.tile_b = draw(sint32 | small), draw(sint32 | small)
    request.end, request.opener = draw(st.integers(-3, 9)), draw(sint32 | small)  # type: ignore[assignment]
    request.seat, request.winner = draw(small | uint32), draw(small | uint32)
    request.opening = draw(st.integers(0, 4))  # type: ignore[assignment]
    request.order = bytes(draw(st.permutations(range(28)))) if draw(st.booleans()) else b"\x00" * 28
    return request


@given(half_sensible())
def test_no_values_break_the_service(request_: rules_pb2.JudgeRequest) -> None:
    check_answered(request_)
