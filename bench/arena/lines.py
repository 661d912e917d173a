"""The line protocol: what an outside program is asked and may answer, a JSON object a line
(docs/arena.md). Tiles are [low, high], seats 0-3 clockwise.
"""

import json
from typing import Any, Final

from laelo_bots.domain.position import placements
from laelo_bots.domain.view import NO_TILE, NOBODY, Opening, Turn, View, turns_of
from laelo_rules.engine import (
    TILES,
    ChooseOpener,
    End,
    Move,
    Pass,
    Phase,
    Play,
    partner_of,
    tiles_in,
)

from .players import PlayerError, position_of

PROTO: Final = 1
_ENDS: Final = {"left": End.LEFT, "right": End.RIGHT, None: End.UNNAMED}
_NAMES: Final = {end: name for name, end in _ENDS.items()}

Line = dict[str, Any]


def hello() -> Line:
    """The first line."""
    return {"t": "hello", "proto": PROTO}


def question(number: int, view: View, seed: int) -> Line:
    """What is asked: the view, and every move that may be made."""
    return {"t": "choose", "id": number, "seed": seed, "view": _view(view), "moves": _moves(view)}


def move_of(line: str, number: int, seat: int) -> Move:
    """The move of an answer; whether it is legal is seen later. Raises PlayerError."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise PlayerError(f"this is no JSON: {line[:200]!r}") from error
    if not isinstance(answer, dict) or answer.get("id") != number:
        raise PlayerError(f'question {number} has to be answered with its "id": {line[:200]!r}')
    move = _move(answer, seat)
    if move is None:
        raise PlayerError(
            'an answer has "tile": [low, high] and perhaps "end": "left" or "right", or'
            f' "opener": seat, or "pass": true: {line[:200]!r}'
        )
    return move


def _move(answer: Line, seat: int) -> Move | None:
    opener, tile, end = answer.get("opener"), answer.get("tile"), answer.get("end")
    if answer.get("pass") is True:
        return Pass(seat)
    if isinstance(opener, int):
        return ChooseOpener(seat, opener)
    is_tile = isinstance(tile, list) and len(tile) == 2 and all(type(n) is int for n in tile)
    if tile is None or not is_tile or not isinstance(end, str | None) or end not in _ENDS:
        return None
    return Play(seat, (tile[0], tile[1]), _ENDS[end])


def _view(view: View) -> Line:
    position = position_of(view)
    ends = position.state.ends
    turns = turns_of(view)
    return {
        "seat": view.seat,
        "hand": [list(TILES[tile]) for tile in tiles_in(view.hand)],
        "opener": None if view.opener == NOBODY else view.opener,
        "opening": Opening(view.opening).name.lower(),
        "turns": [_turn(turn) for turn in turns if isinstance(turn, Turn)],
        "ends": None if ends is None else list(ends),
        "must_open": None if view.must_open == NO_TILE else list(TILES[view.must_open]),
        "scores": [view.score_us, view.score_them],
        "multiplier": view.multiplier,
        "target": view.target,
    }


def _turn(turn: Turn) -> Line:
    if turn.tile is None:
        return {"seat": turn.seat, "pass": True}
    return {"seat": turn.seat} | _tile(turn.tile, turn.end)


def _moves(view: View) -> list[Line]:
    position = position_of(view)
    if position.state.phase is Phase.CHOOSE_OPENER:
        return [{"opener": seat} for seat in (view.seat, partner_of(view.seat))]
    return [_tile(tile, end) for tile, end in placements(position)] or [{"pass": True}]


def _tile(tile: int, end: int) -> Line:
    name = _NAMES[End(end)]
    return {"tile": list(TILES[tile])} | ({"end": name} if name else {})
