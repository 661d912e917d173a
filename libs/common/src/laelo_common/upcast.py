"""Events of older versions, read as those of today: only here is known that there were others.

An event that changes its shape gets a new message, and its old one a line in `_UPCASTS`. What is
stored stays as it is, byte for byte, so that hashes hold; who reads it knows one version only.
"""

from collections.abc import Callable
from typing import Any, Final

from laelo.table.v1 import events_pb2


def newest(event: events_pb2.Event) -> tuple[str | None, Any]:
    """What happened at a table, under the name of its first version, and the event in its newest.

    None for what is not known here: the commit is of a newer version of the house.
    """
    kind = event.WhichOneof("event")
    if kind is None:
        return None, None
    read = _READ.get(kind)
    return read(event) if read else (kind, getattr(event, kind))


def seat_taken(old: events_pb2.SeatTaken) -> events_pb2.SeatTaken2:
    """Version 1 held the name of whoever sat down; that of an account is left behind."""
    new = events_pb2.SeatTaken2(seat=old.seat, fence=old.fence)
    if old.level:
        new.bot = old.level
    if old.player:
        new.person.player, new.person.window = old.player, old.window
        if old.guest:
            new.person.guest_name = old.name
        elif old.animal:
            new.person.animal = old.animal
    return new


_READ: Final[dict[str, Callable[[events_pb2.Event], tuple[str, Any]]]] = {
    "seat_taken": lambda event: ("seat_taken", seat_taken(event.seat_taken)),
    "seat_taken_2": lambda event: ("seat_taken", event.seat_taken_2),
}
"""Of each event that has more than one version, and each of its versions."""
