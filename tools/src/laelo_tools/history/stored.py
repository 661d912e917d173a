"""Moves, and what follows from them, as the log stores them: bytes made without any message.

It is what protobuf would write: fields in the order of their numbers, those that are 0 left out.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from google.protobuf.message import Message
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_rules.engine import (
    TILES,
    Call,
    CallKind,
    Outcome,
    Pass,
    Play,
    State,
    judge,
    timeout_move,
)
from laelo_rules.engine.legal import legal_tiles
from laelo_rules.engine.tiles import ENDS_FITTED, NUMBERS, SEATS, tiles_in

from laelo_tools.history import spell

_LENGTH: Final = 2
"""Wire type of protobuf: what follows has its length before it."""
_MOST_BYTES: Final = 4096


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _tag(message: type[Message], field: str, wire_type: int = _LENGTH) -> bytes:
    number = message.DESCRIPTOR.fields_by_name[field].number
    return _varint(number << 3 | wire_type)


def _number(message: type[Message], field: str, value: int) -> bytes:
    """A number as it is stored: nothing at all if it is 0."""
    return _tag(message, field, 0) + _varint(value) if value else b""


_LENGTHS: Final = tuple(map(_varint, range(_MOST_BYTES)))
_EVENT: Final = _tag(events_pb2.Commit, "events")
HEAD: Final = _tag(events_pb2.Commit, "head")[0]
_PLAYED: Final = _tag(events_pb2.Event, "played")
_PASSED: Final = _tag(events_pb2.Event, "passed")
_BEGAN: Final = _tag(events_pb2.Event, "turn_began")
_PLAYED_AFTER: Final = _tag(events_pb2.Played, "after")
_PASSED_AFTER: Final = _tag(events_pb2.Passed, "after")
_SEAT: Final = _tag(events_pb2.Played, "seat", 0)[0]
_TILE: Final = _tag(events_pb2.Played, "tile", 0)[0]
_END: Final = _tag(events_pb2.Played, "end", 0)[0]
_PLAYS: Final = _tag(events_pb2.TurnBegan, "plays")
_SHORT: Final = _number(events_pb2.TurnBegan, "short_clock", 1)
_MUST_PASS: Final = _number(events_pb2.TurnBegan, "must_pass", 1)

_SEATS: Final = tuple(_number(events_pb2.Played, "seat", seat) for seat in SEATS)
_TILES: Final = tuple(_number(events_pb2.Played, "tile", tile) for tile in range(len(TILES)))
_ENDS: Final = tuple(_number(events_pb2.Played, "end", end) for end in range(3))
_TURNS: Final = tuple(_number(events_pb2.TurnBegan, "seat", seat) for seat in SEATS)
_HANDS: Final = tuple(_tag(rules_pb2.State, f"hand_{seat}", 0) for seat in SEATS)
_PHASE: Final = _number(rules_pb2.State, "phase", rules_pb2.PHASE_PLAY)
_OPEN_ENDS: Final = tuple(
    tuple(
        _number(rules_pb2.State, "left", left) + _number(rules_pb2.State, "right", right)
        for right in NUMBERS
    )
    for left in NUMBERS
)
_ON_TURN: Final = tuple(
    tuple(
        _number(rules_pb2.State, "turn", turn)
        + _number(rules_pb2.State, "must_open", spell.NO_TILE)
        + _number(rules_pb2.State, "last_seat", last)
        for last in SEATS
    )
    for turn in SEATS
)


@lru_cache(maxsize=65_536)
def _hand(seat: int, tiles: int) -> bytes:
    return _HANDS[seat] + _varint(tiles) if tiles else b""


@lru_cache(maxsize=1024)
def _score(scores: tuple[int, int], multiplier: int, led: int | None) -> bytes:
    parts = {"score_0": scores[0], "score_1": scores[1], "multiplier": multiplier}
    parts["led_5_0"] = spell.NO_TEAM if led is None else led
    return b"".join(_number(rules_pb2.State, name, value) for name, value in parts.items())


def _called(message: type[Message], kind: CallKind, numbers: tuple[int, ...]) -> bytes:
    """One call as a field of an event."""
    (call,) = spell.call_messages([Call(kind, numbers)])
    packed = call.SerializeToString()
    return _tag(message, "calls") + _LENGTHS[len(packed)] + packed


_TILE_CALLS: Final[dict[CallKind, dict[tuple[int, ...], bytes]]] = {
    **{
        kind: {(number,): _called(events_pb2.Played, kind, (number,)) for number in NUMBERS}
        for kind in (CallKind.END, CallKind.ALL, CallKind.DOUBLE)
    },
    CallKind.OPENING: {
        (high, low): _called(events_pb2.Played, CallKind.OPENING, (high, low))
        for low, high in TILES
    },
}
"""What is called for a tile after which the hand goes on, by kind and numbers."""
_CALLS: Final[Sequence[Mapping[tuple[int, ...], bytes]]] = (
    {},
    *(_TILE_CALLS.get(kind, {}) for kind in CallKind),
)
_PASS_CALL: Final = _called(events_pb2.Passed, CallKind.PASS, ())


@lru_cache(maxsize=65_536)
def _began(seat: int, tiles: int, left: int, right: int) -> bytes:
    """The event of a turn in which these tiles may be laid at these ends."""
    fitted = ENDS_FITTED[left][right]
    plays = bytes(tile + 32 * fitted[tile] for tile in tiles_in(tiles))
    body = _TURNS[seat]
    body += _PLAYS + _LENGTHS[len(plays)] + plays if plays else _MUST_PASS
    body += b"" if tiles & (tiles - 1) else _SHORT
    return _event(_BEGAN, body)


def _event(tag: bytes, body: bytes) -> bytes:
    inner = tag + _LENGTHS[len(body)] + body
    return _EVENT + _LENGTHS[len(inner)] + inner


def _after(state: State) -> bytes:
    """A state in which the hand goes on, as a field with its length."""
    _, (a, b, c, d), ends, turn, _, last, scores, multiplier, led = state
    assert ends is not None  # noqa: S101 - a tile lies
    assert turn is not None  # noqa: S101 - the hand goes on
    assert last is not None  # noqa: S101 - somebody has laid it
    body = (
        _PHASE
        + _hand(0, a)
        + _hand(1, b)
        + _hand(2, c)
        + _hand(3, d)
        + _OPEN_ENDS[ends[0]][ends[1]]
        + _ON_TURN[turn][last]
        + _score(scores, multiplier, led)
    )
    return _LENGTHS[len(body)] + body


def follows(game: State, told: bytes, *, by_clock: bool) -> tuple[State, bytes] | None:
    """What follows from the move that is told of, and how all of it is stored; None if the hand
    ends with it, if it is no move, or if it is against the rules.
    """
    at = 3 if told[1] > 127 else 2
    kind = told[at]
    if kind == _PLAYED[0]:
        at += 3 if told[at + 1] > 127 else 2
        seat = tile = 0
        if told[at] == _SEAT:
            seat, at = told[at + 1], at + 2
        if told[at] == _TILE:
            tile, at = told[at + 1], at + 2
        end = told[at + 1] if told[at] == _END else 0
        # Whatever was read here: all of it is compared.
        move = Play(seat, TILES[tile], end)
        if by_clock and move != timeout_move(game):
            return None
        outcome = judge(game, move)
        if not isinstance(outcome, Outcome) or outcome.hand_end is not None:
            return None
        body = _SEATS[seat] + _TILES[tile] + _ENDS[outcome.laid_at]
        (call,) = outcome.calls
        body += _CALLS[call.kind][call.numbers] + _PLAYED_AFTER + _after(outcome.state)
        event = _event(_PLAYED, body)
    elif kind == _PASSED[0]:
        seat = game.turn or 0
        outcome = judge(game, Pass(seat))
        if not isinstance(outcome, Outcome):
            return None
        body = _SEATS[seat] + _PASS_CALL
        event = _event(_PASSED, body + _PASSED_AFTER + _after(outcome.state))
    else:
        return None
    after = outcome.state
    turn, ends = after.turn, after.ends
    assert turn is not None and ends is not None  # noqa: S101, PT018 - the hand goes on
    return after, event + _began(turn, legal_tiles(after), *ends)
