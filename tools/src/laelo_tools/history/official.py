"""What holds at tables of championships, and at no others (R20, R33, R38, R40)."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest
from laelo_table.domain.official import CLOSING_MS, MOVE_SECONDS
from laelo_table.domain.turns import scaled

from laelo_tools.history.errors import WrongError, same
from laelo_tools.history.seating import SEATS

_CHANGES_SEATS: Final = ("seat_taken", "seat_left", "bot_stands_in", "seats_swapped")
_CLOSINGS: Final = (events_pb2.CLOSING_OVER, events_pb2.CLOSING_CANCELLED)


class Standing(NamedTuple):
    """A table before a commit, as far as it is asked for here."""

    turn: int
    deadline_ms: int
    scale: float


def check_opening(commit: events_pb2.Commit) -> None:
    """Four people sit, each another animal, and nobody is named. Raises WrongError."""
    opened, *seats = commit.events
    same("move clock (R20)", opened.opened.options.move_seconds, MOVE_SECONDS)
    if opened.opened.host or opened.opened.code:
        raise WrongError("a championship's table has a host or a code")
    taken = list(seats_taken(seats))
    same("seats that are taken", [seat.seat for seat in taken], list(range(SEATS)))
    people = [seat.person for seat in taken]
    if not all(person.animal for person in people):
        raise WrongError("only people play in championships, and only as animals (R33, R40)")
    if min(len({one.animal for one in people}), len({one.player for one in people})) < SEATS:
        raise WrongError("somebody sits in two seats")


def seats_taken(events: Iterable[events_pb2.Event]) -> Iterator[events_pb2.SeatTaken2]:
    """Who sits down in these events, whatever version they are of."""
    for kind, told in map(newest, events):
        if kind == "seat_taken":
            yield told


def check_later(commit: events_pb2.Commit, before: Standing) -> None:
    """Everybody stays where they are, and the table starts and closes by itself.

    Raises WrongError.
    """
    head = commit.head
    for event in commit.events:
        kind = newest(event)[0]
        if kind in _CHANGES_SEATS:
            raise WrongError(f"{kind} at a championship's table (R33)")
        if kind == "match_started":
            same("command", head.command, f"start-{before.turn}")
        elif kind == "match_ended":
            closes_ms = head.time_ms + scaled(CLOSING_MS, before.scale)
            same("deadline after the match", head.deadline_ms, closes_ms)
        elif kind == "table_closed":
            _check_closing(event.table_closed, head, before)


def check_friendly(commit: events_pb2.Commit) -> None:
    """Nothing of a championship is at another table. Raises WrongError."""
    animals = [taken.person.animal for taken in seats_taken(commit.events)]
    closings = [event.table_closed.closing for event in commit.events]
    if any(animals) or any(closing in _CLOSINGS for closing in closings):
        raise WrongError("this happens at championships' tables only")


def _check_closing(event: events_pb2.TableClosed, head: log_pb2.Head, before: Standing) -> None:
    if event.closing not in _CLOSINGS:
        raise WrongError("a championship's table closes after its match, or is cancelled")
    if event.closing == events_pb2.CLOSING_CANCELLED:
        same("who cancels", head.actor, log_pb2.ACTOR_OPERATOR)
        return
    same("command", head.command, f"over-{before.turn}")
    if head.time_ms < before.deadline_ms:
        raise WrongError("the table closes before its time is up")
