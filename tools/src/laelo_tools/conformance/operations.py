"""What each operation of the files asks, and what it makes of the answer."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from laelo.rules.v1 import rules_pb2 as pb

from laelo_tools.conformance import bracket, league
from laelo_tools.conformance.from_wire import (
    Json,
    call_json,
    hand_end_json,
    lay,
    match_end_json,
    move_json,
    plays_json,
    refusal_json,
    sleeping,
    state_json,
)
from laelo_tools.conformance.shapes import (
    Deal,
    Look,
    Move,
    Moved,
    Previous,
    Replay,
    Shape,
    long_move,
)
from laelo_tools.conformance.to_wire import (
    deal_request,
    move_request,
    next_deal_request,
    state_message,
)

Judge = Callable[[pb.JudgeRequest], Awaitable[pb.JudgeResponse]]

LONG_SECONDS: Final = 15
SHORT_SECONDS: Final = 3


async def deal(judge: Judge, given: Deal) -> Json:
    """Deal a hand."""
    answer = await judge(deal_request(given))
    if answer.refusal:
        return refusal_json(answer)
    after = {**state_json(answer.after, chain=[]), "boneyard": sleeping(answer.after)}
    return {"ok": True, "after": after}


async def legal(judge: Judge, given: Look) -> Json:
    """See what the seat on turn may do."""
    answer = await _ask(judge, given, pb.ACT_LOOK)
    if answer.refusal:
        return refusal_json(answer)
    return {"plays": plays_json(answer.plays), "can_pass": answer.must_pass}


async def move(judge: Judge, given: Moved) -> Json:
    """Make a move."""
    answer = await judge(move_request(state_message(given.state), given.move))
    if answer.refusal:
        return refusal_json(answer)
    return {
        "ok": True,
        "after": state_json(answer.after, lay(given.state.chain, answer)),
        "calls": [call_json(call) for call in answer.calls],
        "hand_end": hand_end_json(answer),
        "match_end": match_end_json(answer),
    }


async def timer(judge: Judge, given: Look) -> Json:
    """See how long the seat on turn has at a championship table (R20)."""
    answer = await _ask(judge, given, pb.ACT_LOOK)
    if answer.refusal:
        return refusal_json(answer)
    return {"seconds": SHORT_SECONDS if answer.short_clock else LONG_SECONDS}


async def timeout(judge: Judge, given: Look) -> Json:
    """Let the time of the seat on turn run out."""
    answer = await _ask(judge, given, pb.ACT_TIMEOUT)
    return refusal_json(answer) if answer.refusal else {"move": move_json(answer)}


async def replay(judge: Judge, given: Replay) -> Json:
    """Play a whole match, each hand from its order and its moves."""
    standing = pb.State(multiplier=1, led_5_0=2)
    previous = Previous(kind="first")
    hand_ends: list[Json | None] = []
    match_end: Json | None = None
    for number, hand in enumerate(given.hands, start=1):
        answer = await judge(next_deal_request(standing, hand.order, previous))
        for turn, short in enumerate(hand.moves, start=1):
            if answer.refusal:
                break
            answer = await judge(move_request(answer.after, long_move(short)))
            if answer.refusal:
                return {**refusal_json(answer), "hand": number, "turn": turn}
        if answer.refusal:
            return {**refusal_json(answer), "hand": number}
        hand_ends.append(hand_end_json(answer))
        match_end = match_end_json(answer)
        standing, previous = _go_on(answer)
    return {"hand_ends": hand_ends, "match_end": match_end}


def _go_on(answer: pb.JudgeResponse) -> tuple[pb.State, Previous]:
    """How the match stands before its next hand, as the rules have told it."""
    standing = pb.State()
    standing.CopyFrom(answer.after)
    if answer.hand_end.next_multiplier:
        standing.multiplier = answer.hand_end.next_multiplier
    won = answer.hand_end.next_opening == pb.OPENING_WON
    return standing, Previous("won", answer.hand_end.winner) if won else Previous("tie")


async def _ask(judge: Judge, given: Look, act: pb.Act.ValueType) -> pb.JudgeResponse:
    return await judge(pb.JudgeRequest(state=state_message(given.state), act=act))


GivenT = TypeVar("GivenT", bound=Shape)


class Operation(NamedTuple):
    """How a kind of case is read and run."""

    given: type[Shape]
    run: Callable[[Judge, Any], Awaitable[Json]]


def _alone(given: type[GivenT], answer: Callable[[GivenT], Json]) -> Operation:
    """One in which the rules have no say."""

    async def run(_: Judge, asked: GivenT) -> Json:
        return answer(asked)

    return Operation(given, run)


OPERATIONS: Final = {
    "deal": Operation(Deal, deal),
    "legal": Operation(Look, legal),
    "move": Operation(Moved, move),
    "timer": Operation(Look, timer),
    "timeout": Operation(Look, timeout),
    "replay": Operation(Replay, replay),
    "bracket": _alone(bracket.Reported, bracket.bracket),
    "bracket_error": _alone(bracket.ReportedWrongly, bracket.bracket_error),
    "queue": _alone(league.Queue, league.queue),
    "week": _alone(league.Week, league.week),
    "leaderboard": _alone(league.Leaderboard, league.leaderboard),
}


def read_given(op: str, raw: msgspec.Raw) -> Shape:
    """The given part of a case, checked. Raises ValidationError."""
    given = msgspec.json.decode(raw, type=OPERATIONS[op].given)
    if isinstance(given, Moved):
        _check_move(given.move)
    if isinstance(given, Replay):
        for hand in given.hands:
            for short in hand.moves:
                _check_move(long_move(short))
    return given


def _check_move(asked: Move) -> None:
    if asked.type == "play" and asked.tile is None:
        raise msgspec.ValidationError("a play needs a tile")
    if asked.type == "choose_opener" and asked.opener is None:
        raise msgspec.ValidationError("choose_opener needs an opener")
