"""Parts of the events of a hand as the log stores them: bytes made without any message.

It is what protobuf would write: fields in the order of their numbers, those that are 0 left out.
"""

from functools import lru_cache
from typing import Final

from google.protobuf.message import Message
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_rules.engine import Call, Phase, State
from laelo_rules.engine.legal import legal_tiles
from laelo_rules.engine.state import Ends, Scores
from laelo_rules.engine.tiles import ENDS_FITTED, SEATS, tiles_in

from laelo_tools.history import spell

_SIZED: Final = 2
"""Wire type of protobuf: what follows has its length before it."""
_MOST_BYTES: Final = 4096


def varint(value: int) -> bytes:
    """A number, seven bits in a byte."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(message: type[Message], field: str, wire_type: int = _SIZED) -> bytes:
    """What stands before the value of a field."""
    number = message.DESCRIPTOR.fields_by_name[field].number
    return varint(number << 3 | wire_type)


def number(message: type[Message], field: str, value: int) -> bytes:
    """A field with a number: nothing at all if it is 0."""
    return tag(message, field, 0) + varint(value) if value else b""


SIZES: Final = tuple(map(varint, range(_MOST_BYTES)))
"""How long something is that follows."""

_EVENT: Final = tag(events_pb2.Commit, "events")
_BEGAN: Final = tag(events_pb2.Event, "turn_began")


def event(kind: bytes, body: bytes) -> bytes:
    """An event of a commit, after the tag of its kind."""
    inner = kind + SIZES[len(body)] + body
    return _EVENT + SIZES[len(inner)] + inner


# The state.


_PHASES: Final = {phase: number(rules_pb2.State, "phase", phase) for phase in Phase}
_HANDS: Final = tuple(tag(rules_pb2.State, f"hand_{seat}", 0) for seat in SEATS)


@lru_cache(maxsize=65_536)
def _hand(seat: int, tiles: int) -> bytes:
    return _HANDS[seat] + varint(tiles) if tiles else b""


@lru_cache(maxsize=4096)
def _table(
    ends: Ends | None, turn: int | None, must_open: int | None, last_seat: int | None
) -> bytes:
    left, right = ends or (spell.NO_NUMBER, spell.NO_NUMBER)
    parts = {
        "left": left,
        "right": right,
        "turn": spell.NO_SEAT if turn is None else turn,
        "must_open": spell.NO_TILE if must_open is None else must_open,
        "last_seat": spell.NO_SEAT if last_seat is None else last_seat,
    }
    return b"".join(number(rules_pb2.State, name, value) for name, value in parts.items())


@lru_cache(maxsize=1024)
def standing(scores: Scores, multiplier: int, led: int | None) -> bytes:
    """What stays as it is during a hand, as fields of the state."""
    parts = {"score_0": scores[0], "score_1": scores[1], "multiplier": multiplier}
    parts["led_5_0"] = spell.NO_TEAM if led is None else led
    return b"".join(number(rules_pb2.State, name, value) for name, value in parts.items())


def after(state: State) -> bytes:
    """A state, with its length before it."""
    phase, (a, b, c, d), ends, turn, must_open, last, scores, multiplier, led = state
    body = (
        _PHASES[phase]
        + _hand(0, a)
        + _hand(1, b)
        + _hand(2, c)
        + _hand(3, d)
        + _table(ends, turn, must_open, last)
        + standing(scores, multiplier, led)
    )
    return SIZES[len(body)] + body


# Calls and turns.


@lru_cache(maxsize=1024)
def called(message: type[Message], call: Call) -> bytes:
    """A call as a field of an event of this kind."""
    (told,) = spell.call_messages([call])
    packed = told.SerializeToString()
    return tag(message, "calls") + SIZES[len(packed)] + packed


_TURN: Final = events_pb2.TurnBegan
_TURNS: Final = tuple(number(_TURN, "seat", seat) for seat in SEATS)
_CHOOSING: Final = number(_TURN, "choosing", 1)
_PLAYS: Final = tag(_TURN, "plays")
_SHORT: Final = number(_TURN, "short_clock", 1)
_MUST_PASS: Final = number(_TURN, "must_pass", 1)
_NO_ENDS: Final = (0,) * len(ENDS_FITTED[0][0])


def turn_began(state: State) -> bytes:
    """The event of the turn that a state opens."""
    seat = state.turn
    assert seat is not None  # noqa: S101 - the hand goes on
    if state.phase is Phase.CHOOSE_OPENER:
        return event(_BEGAN, _TURNS[seat] + _CHOOSING)
    return _to_play(seat, legal_tiles(state), state.ends)


@lru_cache(maxsize=65_536)
def _to_play(seat: int, tiles: int, ends: Ends | None) -> bytes:
    """The event of a turn in which these tiles may be laid at these ends."""
    fitted = ENDS_FITTED[ends[0]][ends[1]] if ends else _NO_ENDS
    plays = bytes(tile + 32 * fitted[tile] for tile in tiles_in(tiles))
    body = _TURNS[seat]
    body += _PLAYS + SIZES[len(plays)] + plays if plays else _MUST_PASS
    body += b"" if tiles & (tiles - 1) else _SHORT
    return event(_BEGAN, body)
