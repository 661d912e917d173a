"""From the rules' answers back to the words of the files."""

from typing import Any, Final

from laelo.rules.v1 import rules_pb2 as pb

from laelo_tools.conformance.shapes import Tile
from laelo_tools.conformance.to_wire import ACTS, NO_NUMBER, NO_SEAT, NO_TEAM, NO_TILE

Json = dict[str, Any]

TILES: Final[list[Tile]] = [(low, high) for high in range(7) for low in range(high + 1)]
WHOLE_SET: Final = (1 << len(TILES)) - 1
_TYPES: Final = {act: name for name, act in ACTS.items()}
_END_NAMES: Final = {pb.END_UNSPECIFIED: None, pb.END_LEFT: "left", pb.END_RIGHT: "right"}
_ENDS_OF: Final = {0: ["any"], 1: ["left"], 2: ["right"], 3: ["left", "right"]}
_OTHER_NAMES: Final = {"NOT_A_WHOLE_SET": "INVALID_DEAL"}
"""Refusals that the files call by another name."""


def name_of(enum: Any, value: int) -> str:
    """The word of an enum's value: REASON_LA_E_LO is `la_e_lo`."""
    prefix = enum.Name(0).removesuffix("UNSPECIFIED")
    return str(enum.Name(value)).removeprefix(prefix).lower()


def tiles_json(mask: int) -> list[list[int]]:
    """The tiles of a hand, in the order of their numbers."""
    return sorted(list(tile) for number, tile in enumerate(TILES) if mask >> number & 1)


def lay(chain: list[Tile], answer: pb.JudgeResponse) -> list[Tile]:
    """The chain after an act."""
    if answer.act != pb.ACT_PLAY:
        return chain
    low, high = TILES[answer.tile]
    if not chain:
        return [(low, high)]
    if answer.end == pb.END_LEFT:
        touching = chain[0][0]
        return [(low + high - touching, touching), *chain]
    touching = chain[-1][1]
    return [*chain, (touching, low + high - touching)]


def state_json(state: pb.State, chain: list[Tile]) -> Json:
    """A state but for the sleeping tiles."""
    hands = (state.hand_0, state.hand_1, state.hand_2, state.hand_3)
    return {
        "phase": name_of(pb.Phase, state.phase),
        "hands": [tiles_json(hand) for hand in hands],
        "chain": [list(tile) for tile in chain],
        "ends": None if state.left == NO_NUMBER else [state.left, state.right],
        "turn": _seat(state.turn),
        "must_open": None if state.must_open == NO_TILE else list(TILES[state.must_open]),
        "last_seat": _seat(state.last_seat),
        "scores": [state.score_0, state.score_1],
        "multiplier": state.multiplier,
        "led_5_0": None if state.led_5_0 == NO_TEAM else state.led_5_0,
    }


def sleeping(state: pb.State) -> list[list[int]]:
    """The tiles that nobody was dealt."""
    return tiles_json(WHOLE_SET & ~(state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3))


def move_json(answer: pb.JudgeResponse) -> Json:
    """The move that was made."""
    move: Json = {"type": _TYPES[answer.act], "seat": answer.seat}
    if answer.act == pb.ACT_PLAY:
        return {**move, "tile": list(TILES[answer.tile]), "end": _END_NAMES[answer.end]}
    return {**move, "opener": answer.opener} if answer.act == pb.ACT_CHOOSE_OPENER else move


def plays_json(plays: bytes) -> list[Json]:
    """What may be laid, and where."""
    found = [{"tile": list(TILES[code & 31]), "ends": _ENDS_OF[code >> 5]} for code in plays]
    return sorted(found, key=lambda play: play["tile"])


def call_json(call: pb.Call) -> Json:
    """Something called."""
    kind = name_of(pb.CallKind, call.kind)
    if kind in ("end", "all", "double"):
        return {"kind": kind, "number": call.number}
    if kind == "opening":
        return {"kind": kind, "numbers": [call.number, call.low]}
    return {"kind": kind, "next_multiplier": call.number} if kind == "tie" else {"kind": kind}


def refusal_json(answer: pb.JudgeResponse) -> Json:
    """An answer that refuses."""
    name = pb.Refusal.Name(answer.refusal).removeprefix("REFUSAL_")
    refusal: Json = {"ok": False, "error": _OTHER_NAMES.get(name, name)}
    if answer.refusal == pb.REFUSAL_BAD_REQUEST:
        refusal["reason"] = answer.reason
    return refusal


def hand_end_json(answer: pb.JudgeResponse) -> Json | None:
    """The end of a hand, if the act ended it."""
    if not answer.HasField("hand_end"):
        return None
    end = answer.hand_end
    return {
        "reason": name_of(pb.Reason, end.reason),
        "winner": _seat(end.winner),
        "team": None if end.team == NO_TEAM else end.team,
        "points": end.points,
        "counts": list(end.counts),
        "next": _next_json(end),
    }


def _next_json(end: pb.HandEnd) -> Json | None:
    if end.next_opening == pb.OPENING_UNSPECIFIED:
        return None
    kind = name_of(pb.Opening, end.next_opening)
    return {"kind": kind, "winner": _seat(end.winner), "multiplier": end.next_multiplier}


def match_end_json(answer: pb.JudgeResponse) -> Json | None:
    """The end of a match, if the act ended it."""
    if not answer.HasField("match_end"):
        return None
    end = answer.match_end
    return {
        "team": end.team,
        "scores": [end.score_0, end.score_1],
        "buchuda": end.buchuda,
        "buchuda_de_re": end.buchuda_de_re,
    }


def _seat(seat: int) -> int | None:
    return None if seat == NO_SEAT else seat
