"""The example files, mapped to the engine's values and back."""

import json
from pathlib import Path
from typing import Any

from laelo_rules.engine import (
    TILES,
    Call,
    ChooseOpener,
    End,
    HandEnd,
    MatchEnd,
    Move,
    Pass,
    Phase,
    Play,
    State,
    mask_of,
    tile_id,
    tiles_in,
)

Json = dict[str, Any]

_FILE = Path(__file__).resolve().parents[3] / "tests" / "vectors" / "rules.json"
CASES: list[Json] = json.loads(_FILE.read_text(encoding="utf-8"))["cases"]

ENDS = {None: End.UNNAMED, "left": End.LEFT, "right": End.RIGHT}
END_NAMES = {end: name for name, end in ENDS.items()}


def tile_from(pair: list[int]) -> int:
    tile = tile_id(*pair)
    assert tile is not None
    return tile


def order_from(pairs: list[list[int]]) -> list[int]:
    return [tile_from(pair) for pair in pairs]


def state_from(given: Json) -> State:
    first, second, third, fourth = (mask_of(order_from(hand)) for hand in given["hands"])
    must_open = given["must_open"]
    return State(
        phase=Phase[given["phase"].upper()],
        hands=(first, second, third, fourth),
        ends=None if given["ends"] is None else (given["ends"][0], given["ends"][1]),
        turn=given["turn"],
        must_open=None if must_open is None else tile_from(must_open),
        last_seat=given["last_seat"],
        scores=(given["scores"][0], given["scores"][1]),
        multiplier=given["multiplier"],
        led_5_0=given["led_5_0"],
    )


def move_from(given: Json) -> Move:
    if given["type"] == "play":
        a, b = given["tile"]
        return Play(given["seat"], (a, b), ENDS[given["end"]])
    if given["type"] == "pass":
        return Pass(given["seat"])
    return ChooseOpener(given["seat"], given["opener"])


def short_move_from(given: list[Any]) -> Move:
    names = {"play": ("tile", "end"), "pass": (), "choose_opener": ("opener",)}[given[0]]
    return move_from(dict(zip(("type", "seat", *names), given, strict=True)))


def move_json(move: Move | None) -> Json:
    if isinstance(move, Play):
        tile = list(move.tile)
        return {"type": "play", "seat": move.seat, "tile": tile, "end": END_NAMES[End(move.end)]}
    if isinstance(move, Pass):
        return {"type": "pass", "seat": move.seat}
    assert isinstance(move, ChooseOpener)
    return {"type": "choose_opener", "seat": move.seat, "opener": move.opener}


def state_json(state: State) -> Json:
    """All but chain and sleeping tiles, which the engine does not hold."""
    return {
        "phase": state.phase.name.lower(),
        "hands": [[list(TILES[tile]) for tile in sorted_tiles(hand)] for hand in state.hands],
        "ends": None if state.ends is None else list(state.ends),
        "turn": state.turn,
        "must_open": None if state.must_open is None else list(TILES[state.must_open]),
        "last_seat": state.last_seat,
        "scores": list(state.scores),
        "multiplier": state.multiplier,
        "led_5_0": state.led_5_0,
    }


def sorted_tiles(mask: int) -> list[int]:
    return sorted(tiles_in(mask), key=lambda tile: TILES[tile])


def call_json(call: Call) -> Json:
    out: Json = {"kind": call.kind.name.lower()}
    if len(call.numbers) == 1:
        out["number"] = call.numbers[0]
    elif call.numbers:
        out["numbers"] = list(call.numbers)
    if call.next_multiplier:
        out["next_multiplier"] = call.next_multiplier
    return out


def hand_end_json(end: HandEnd | None) -> Json | None:
    if end is None:
        return None
    out: Json = {**end._asdict(), "reason": end.reason.name.lower(), "counts": list(end.counts)}
    if end.next is not None:
        kind = "tie" if end.next.winner is None else "won"
        out["next"] = {"kind": kind, **end.next._asdict()}
    return out


def match_end_json(end: MatchEnd | None) -> Json | None:
    return None if end is None else {**end._asdict(), "scores": list(end.scores)}
