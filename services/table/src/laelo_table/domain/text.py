"""The events that come with every move, and the frames around all events, as JSON text.

Four people are told of each move, so this is where a table spends its time. Most of a
frame is the same from move to move; written as text around its few numbers, instead of
built from the structs of `laelo_common.wire` and then encoded, it costs a third of it: 8 of
a move's 130 us. The tests hold every byte against the structs.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import msgspec
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2

from laelo_table.domain import spell

_encode: Final = msgspec.json.Encoder().encode


def spelled(shape: msgspec.Struct | tuple[int, int]) -> str:
    """Anything as text, by its struct."""
    return _encode(shape).decode()


_TILES: Final = tuple(spelled(tile) for tile in spell.TILES)
_PLAYS: Final = tuple(spelled(play) if play else "" for play in spell.PLAYS)
_LAID_AT: Final = tuple(f',"end":"{end}"' if end else "" for end in spell.ENDS)


def event_frame(table: str, version: int, now_ms: int, events: Iterable[str]) -> bytes:
    """The frame of a commit, from the texts of its events."""
    told = ",".join(events)
    return (
        f'{{"t":"event","table":"{table}","seq":{version},"now":{now_ms},'
        f'"d":{{"events":[{told}]}}}}'
    ).encode()


def played(event: events_pb2.Played, *, by_clock: bool) -> str:
    """As wire.Played."""
    after = event.after
    calls = ",".join([_call(call.kind, call.number, call.low) for call in event.calls])
    return (
        f'{{"k":"played","seat":{event.seat},"tile":{_TILES[event.tile]},'
        f'"ends":[{after.left},{after.right}],"calls":[{calls}]{_LAID_AT[event.end]}'
        f"{_by(by_clock)}}}"
    )


def passed(event: events_pb2.Passed, *, by_clock: bool) -> str:
    """As wire.Passed."""
    return f'{{"k":"passed","seat":{event.seat}{_by(by_clock)}}}'


def turn(begun: events_pb2.TurnBegan, number: int, left_ms: int | None, *, own: bool) -> str:
    """As wire.Turn; what may be laid is told with the viewer's `own` turn only."""
    text = f'{{"k":"turn","seat":{begun.seat},"turn":{number}'
    if begun.choosing:
        text += ',"choosing":true'
    if left_ms is not None:
        text += f',"ms":{left_ms}'
    if own:
        plays = ",".join([play for code in begun.plays if (play := _PLAYS[code])])
        if plays:
            text += f',"plays":[{plays}]'
        if begun.must_pass:
            text += ',"must_pass":true'
    return text + "}"


def _by(clock: bool) -> str:
    return ',"by_clock":true' if clock else ""


@lru_cache(maxsize=256)
def _call(kind: rules_pb2.CallKind.ValueType, number: int, low: int) -> str:
    return spelled(spell.call(kind, number, low))
