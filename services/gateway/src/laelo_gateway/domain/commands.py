"""A client's frame as a command to the table service."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2
from laelo_common.wire import client
from laelo_common.wire.table import Options

_UNSET: Final = 2**32 - 1
"""For options out of range: no table can be set up like this, and the table says so."""
_ENDS: Final = {
    None: rules_pb2.END_UNSPECIFIED,
    "left": rules_pb2.END_LEFT,
    "right": rules_pb2.END_RIGHT,
}
_NO_END: Final = 3
_LEVELS: Final = {
    None: table_pb2.BOT_LEVEL_UNSPECIFIED,
    "random": table_pb2.BOT_LEVEL_RANDOM,
    "simple": table_pb2.BOT_LEVEL_SIMPLE,
    "easy": table_pb2.BOT_LEVEL_EASY,
    "medium": table_pb2.BOT_LEVEL_MEDIUM,
    "strong": table_pb2.BOT_LEVEL_STRONG,
}
_ANY_SEAT: Final = -1


class Person(NamedTuple):
    """Who plays: a random id and the shown name."""

    id: str
    name: str
    guest: bool = True

    @property
    def nameless(self) -> bool:
        """Whether this is an account whose nickname is still to be chosen."""
        return not self.guest and not self.name


NOBODY: Final = Person("", "")
"""Who has not said hello yet."""


class Sender(NamedTuple):
    """Who sends a command, and from which of their windows."""

    person: Person
    window: str = ""


def command_of(frame: Any, sender: Sender, trace: str) -> table_pb2.Command:
    """The command that a frame asks for, of a type that `is_command`.

    The command's id is the frame's, within the person's own: nobody can use up an id of
    somebody else's, or one of those with which the table's clock and bots act.
    """
    player = sender.person.id
    return table_pb2.Command(
        table=frame.table,
        command=f"{player}-{frame.id}",
        player=player,
        trace=trace,
        **_FIELDS[type(frame)](frame, sender),
    )


def is_command(frame: Any) -> bool:
    """Whether the frame goes to a table and changes it."""
    return type(frame) in _FIELDS


def watch_command(table: str, player: str, seq: int, window: str = "") -> table_pb2.Command:
    """See the table from `seq` on. With a window, the person's seat goes to that window."""
    return table_pb2.Command(
        table=table, kind=table_pb2.KIND_WATCH, player=player, seq=seq, window=window
    )


def check_command(table: str, seq: int) -> table_pb2.Command:
    """Ask for what came after `seq`, if anything."""
    return table_pb2.Command(table=table, kind=table_pb2.KIND_CHECK, seq=seq)


def unwatch_command(table: str, player: str = "") -> table_pb2.Command:
    """See no more of the table; with a player: this person is there no more."""
    return table_pb2.Command(table=table, kind=table_pb2.KIND_UNWATCH, player=player)


def sit_command(table: str, re: str, sender: Sender) -> table_pb2.Command:
    """Take any free seat of a table that was found for `re`."""
    return command_of(client.SitFrame(re, table), sender, "")


def open_command(table: str, re: str, sender: Sender, options: Options) -> table_pb2.Command:
    """Open a table for `re`."""
    return command_of(client.CreateFrame(re, table, client.CreatePart(options)), sender, "")


def _create(frame: client.CreateFrame, sender: Sender) -> dict[str, Any]:
    options = frame.d.options
    return {
        "kind": table_pb2.KIND_OPEN,
        "options": table_pb2.Options(
            move_seconds=_seconds(options.move_seconds),
            spectators=options.spectators,
            public=options.public,
            level=_LEVELS[options.level],
            start_seconds=_seconds(options.start_seconds),
        ),
        **_shown(sender),
    }


def _seconds(number: int) -> int:
    return number if 0 <= number < _UNSET else _UNSET


def _shown(sender: Sender) -> dict[str, Any]:
    """How the table shows the sender. The log has no names of accounts, so they are not sent."""
    person = sender.person
    name = person.name if person.guest else ""
    return {"name": name, "guest": person.guest, "window": sender.window}


def _sit(frame: client.SitFrame, sender: Sender) -> dict[str, Any]:
    seat = _ANY_SEAT if frame.d.seat is None else frame.d.seat
    return {"kind": table_pb2.KIND_SIT, "seat": seat, **_shown(sender)}


def _leave(_frame: client.LeaveFrame, _sender: Sender) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_LEAVE}


def _start(frame: client.StartFrame, _sender: Sender) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_START, "level": _LEVELS[frame.d.level]}


def _kick(frame: client.KickFrame, _sender: Sender) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_KICK, "seat": frame.d.seat}


def _swap(frame: client.SwapFrame, _sender: Sender) -> dict[str, Any]:
    seat, other = frame.d.seats
    return {"kind": table_pb2.KIND_SWAP, "seat": seat, "other": other}


def _close(_frame: client.CloseFrame, _sender: Sender) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_CLOSE}


def _seat_bot(frame: client.SeatBotFrame, _sender: Sender) -> dict[str, Any]:
    level = _LEVELS[frame.d.level]
    return {"kind": table_pb2.KIND_SEAT_BOT, "seat": frame.d.seat, "level": level}


def _unseat_bot(frame: client.UnseatBotFrame, _sender: Sender) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_UNSEAT_BOT, "seat": frame.d.seat}


def _play(frame: client.PlayFrame, _sender: Sender) -> dict[str, Any]:
    part = frame.d
    return {
        "kind": table_pb2.KIND_PLAY,
        "turn": part.turn,
        "fence": part.fence,
        "tile_a": _small(part.tile[0]),
        "tile_b": _small(part.tile[1]),
        "end": _ENDS.get(part.end, _NO_END),
    }


def _pass(frame: client.PassFrame, _sender: Sender) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_PASS, "turn": frame.d.turn, "fence": frame.d.fence}


def _choose(frame: client.ChooseFrame, _sender: Sender) -> dict[str, Any]:
    return {
        "kind": table_pb2.KIND_CHOOSE_OPENER,
        "turn": frame.d.turn,
        "fence": frame.d.fence,
        "opener": _small(frame.d.opener),
    }


def _add_bytes(frame: client.AddBytesFrame, _sender: Sender) -> dict[str, Any]:
    added = bytes.fromhex(frame.d.bytes)
    return {"kind": table_pb2.KIND_ADD_BYTES, "hand": frame.d.hand, "deal_bytes": added}


def _say(frame: client.SayFrame, _sender: Sender) -> dict[str, Any]:
    return {"kind": table_pb2.KIND_SAY, "phrase": frame.d.phrase}


def _small(number: int) -> int:
    """A tile's number or a seat; what fits no field of the command is as wrong as -1."""
    return number if -128 <= number < 128 else -1


_FIELDS: Final[dict[type, Callable[[Any, Sender], dict[str, Any]]]] = {
    client.CreateFrame: _create,
    client.SitFrame: _sit,
    client.LeaveFrame: _leave,
    client.StartFrame: _start,
    client.KickFrame: _kick,
    client.SwapFrame: _swap,
    client.CloseFrame: _close,
    client.SeatBotFrame: _seat_bot,
    client.UnseatBotFrame: _unseat_bot,
    client.PlayFrame: _play,
    client.PassFrame: _pass,
    client.ChooseFrame: _choose,
    client.AddBytesFrame: _add_bytes,
    client.SayFrame: _say,
}
