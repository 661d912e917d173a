"""Every example of the rules, with its exact answer."""

from typing import Any

import pytest
from laelo_rules.engine import (
    TILES,
    DealError,
    End,
    Outcome,
    Refusal,
    State,
    can_pass,
    clock_seconds,
    deal,
    judge,
    legal_plays,
    timeout_move,
)

from . import vectors
from .vectors import CASES, Json


def answer_deal(given: Json) -> Json:
    order = vectors.order_from(given["order"])
    winner = given["previous"].get("winner")
    state = deal(order, winner, tuple(given["scores"]), given["multiplier"], given["led_5_0"])
    if isinstance(state, DealError):
        return {"ok": False, "error": "INVALID_DEAL"}
    return {"ok": True, "after": vectors.state_json(state)}


def answer_legal(given: Json) -> Json:
    state = vectors.state_from(given["state"])
    plays = [
        {
            "tile": list(TILES[play.tile]),
            "ends": [vectors.END_NAMES[end] or "any" for end in play.ends],
        }
        for play in legal_plays(state)
    ]
    return {"plays": sorted(plays, key=lambda play: play["tile"]), "can_pass": can_pass(state)}


def answer_move(given: Json) -> Json:
    verdict = judge(vectors.state_from(given["state"]), vectors.move_from(given["move"]))
    if isinstance(verdict, Refusal):
        return {"ok": False, "error": verdict.name}
    return {
        "ok": True,
        "after": vectors.state_json(verdict.state)
        | {"chain": chain_after(given["state"], given["move"], verdict)},
        "calls": [vectors.call_json(call) for call in verdict.calls],
        "hand_end": vectors.hand_end_json(verdict.hand_end),
        "match_end": vectors.match_end_json(verdict.match_end),
    }


def chain_after(before: Json, move: Json, verdict: Outcome) -> list[list[int]]:
    """The chain, laid by what the verdict says about end and numbers."""
    chain: list[list[int]] = list(before["chain"])
    if move["type"] != "play":
        return chain
    assert verdict.state.ends is not None
    left, right = verdict.state.ends
    if verdict.laid_at is End.LEFT:
        return [[left, before["ends"][0]], *chain]
    if verdict.laid_at is End.RIGHT:
        return [*chain, [before["ends"][1], right]]
    return [[left, right]]


def answer_timer(given: Json) -> Json:
    return {"seconds": clock_seconds(vectors.state_from(given["state"]))}


def answer_timeout(given: Json) -> Json:
    return {"move": vectors.move_json(timeout_move(vectors.state_from(given["state"])))}


def answer_replay(given: Json) -> Json:
    hand_ends: list[Any] = []
    last: Outcome | None = None
    winner, scores, multiplier, led = None, (0, 0), 1, None
    for hand in given["hands"]:
        state = deal(vectors.order_from(hand["order"]), winner, scores, multiplier, led)
        assert isinstance(state, State)
        for short in hand["moves"]:
            verdict = judge(state, vectors.short_move_from(short))
            assert isinstance(verdict, Outcome), (short, verdict)
            state, last = verdict.state, verdict
        assert last is not None
        assert last.hand_end is not None
        hand_ends.append(vectors.hand_end_json(last.hand_end))
        scores, led = state.scores, state.led_5_0
        if last.hand_end.next is not None:
            winner, multiplier = last.hand_end.next
    return {"hand_ends": hand_ends, "match_end": last and vectors.match_end_json(last.match_end)}


ANSWERS = {
    "deal": answer_deal,
    "legal": answer_legal,
    "move": answer_move,
    "timer": answer_timer,
    "timeout": answer_timeout,
    "replay": answer_replay,
}


def comparable(expect: Json) -> Json:
    """Without the sleeping tiles, which are the rest, and the chain of a deal, which is empty."""
    if "after" not in expect:
        return expect
    left_out = {"boneyard"} if "calls" in expect else {"boneyard", "chain"}
    after = {name: value for name, value in expect["after"].items() if name not in left_out}
    return {**expect, "after": after}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_answer_is_the_example(case: Json) -> None:
    assert ANSWERS[case["op"]](case["given"]) == comparable(case["expect"])


def test_all_examples_are_there() -> None:
    assert len({case["id"] for case in CASES}) == 76
