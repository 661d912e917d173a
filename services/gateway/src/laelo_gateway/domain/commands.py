"""A client's frame as a command to the table service."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.wire import client

_UNSET: Final = 2**32 - 1
"""For options out of range: no table can be set up like this, and the table says so."""
_ENDS: Final = {
    None: rules_pb2.END_UNSPECIFIED,
    "left": rules_pb2.END_LEFT,
    "right": rules_pb2.END_RIGHT,
}
_NO_END: Final = 3
_LEVELS: Final = {"random": table_pb2.BOT_LEVEL_RANDOM, "simple": table_pb2.BOT_LEVEL_SIMPLE}
_ANY_SEAT: Final = -1


class Person(NamedTuple):
    """Who plays: a random id and the shown name."""

    id: str
    name: str
    guest: bool = True


NOBODY: Final = Person("", "")
"""Who has not said hello yet."""


def command_of(frame: Any, person: Person, trace: str) -> table_pb2.Command:
    """The command that a frame asks for, of a type that `is_command`.

    The command's id is the frame's, within the person's own: nobody can use up an id of
    somebody else's, or one of those with which the table's clock and bots act.
    """
    return table_pb2.Command(
        table=frame.table,
        command=f"{person.id}-{frame.id}",
        player=person.id,
        trace=trace,
        **_FIELDS[type(frame)](frame, person),
    )


def is_command(frame: Any) -> bool:
    """Whether the frame goes to a table and changes it."""
    return type(frame) in _FIELDS


def watch_command(table: str, player: str, seq: int) -> table_pb2.Command:
    """See the table from `seq` on."""
    return table_pb2.Command(table=table, kind=table_pb2.KIND_WATCH, player=player, seq=seq)


def check_command(table: str, seq: int) -> table_pb2.Command:
    """Ask for what came after `seq`, if anything."""
    return table_pb2.Command(table=table, kind=table_pb2.KIND_CHECK, seq=seq)


def unwatch_command(table: str) -> table_pb2.Command:
    """See no more of the table."""
    return table_pb2.Command(table=table, kind=table_pb2.KIND_UNWATCH)


def _create(frame: client.CreateFrame, person: Person) -> dict[str, Any]:
    options = frame.d.options
    seconds = options.move_seconds if 0 <= options.move_seconds < _UNSET else _UNSET
    return {
        "kind": table_pb2.KIND_OPEN,
        "options": table_pb2.Options(move_seconds=seconds, spectators=options.spectators),
        "name": person.name,
        "guest": person.guest,
    }


def _sit(frame: client.SitFrame, person: Person) -> dict[str, Any]:
    return {
        "kind": table_pb2.KIND_SIT,
        "seat": _ANY_SEAT if frame.d.seat is None else frame.d.seat,
        "name": person.name,
        "guest": person.guest,
    }


def _leave(_frame: client.LeaveFrame, _person: Person) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_LEAVE}


def _start(frame: client.StartFrame, _person: Person) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_START, "level": _LEVELS[frame.d.level]}


def _seat_bot(frame: client.SeatBotFrame, _person: Person) -> dict[str, Any]:
    level = _LEVELS[frame.d.level]
    return {"kind": table_pb2.KIND_SEAT_BOT, "seat": frame.d.seat, "level": level}


def _unseat_bot(frame: client.UnseatBotFrame, _person: Person) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_UNSEAT_BOT, "seat": frame.d.seat}


def _play(frame: client.PlayFrame, _person: Person) -> dict[str, Any]:
    part = frame.d
    return {
        "kind": table_pb2.KIND_PLAY,
        "turn": part.turn,
        "fence": part.fence,
        "tile_a": _small(part.tile[0]),
        "tile_b": _small(part.tile[1]),
        "end": _ENDS.get(part.end, _NO_END),
    }


def _pass(frame: client.PassFrame, _person: Person) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_PASS, "turn": frame.d.turn, "fence": frame.d.fence}


def _choose(frame: client.ChooseFrame, _person: Person) -> dict[str, Any]:
    return {
        "kind": table_pb2.KIND_CHOOSE_OPENER,
        "turn": frame.d.turn,
        "fence": frame.d.fence,
        "opener": _small(frame.d.opener),
    }


def _small(number: int) -> int:
    """A tile's number or a seat; what fits no field of the command is as wrong as -1."""
    return number if -128 <= number < 128 else -1


_FIELDS: Final[dict[type, Callable[[Any, Person], dict[str, Any]]]] = {
    client.CreateFrame: _create,
    client.SitFrame: _sit,
    client.LeaveFrame: _leave,
    client.StartFrame: _start,
    client.SeatBotFrame: _seat_bot,
    client.UnseatBotFrame: _unseat_bot,
    client.PlayFrame: _play,
    client.PassFrame: _pass,
    client.ChooseFrame: _choose,
}
