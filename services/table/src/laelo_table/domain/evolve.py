"""From a commit to the next state. Events carry all that follows: no rules are asked."""

from collections.abc import Callable
from typing import Any, Final

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest

from laelo_table.domain.remembered import with_newest
from laelo_table.domain.state import NOBODY, Deal, Seat, Table, is_deserted

PASS: Final = 31
"""A pass among the turns of a hand."""

LAID_LEFT: Final = 32
LAID_RIGHT: Final = 64
_LAID_AT: Final = {
    rules_pb2.END_UNSPECIFIED: 0,
    rules_pb2.END_LEFT: LAID_LEFT,
    rules_pb2.END_RIGHT: LAID_RIGHT,
}

_TURNS: Final = tuple(bytes((turn,)) for turn in range(128))

_PLACES: Final = {name: place for place, name in enumerate(Table._fields)}

Changes = dict[str, Any]
"""New values of fields of a table."""

NO_MATCH: Final[Changes] = {
    "hand": 0,
    "game": None,
    "dealt": None,
    "opener": NOBODY,
    "turns": b"",
    "begun": None,
    "deal": None,
    "next_deal": None,
    "added": (),
    "next_added": (),
    "hands": (),
    "match_end": None,
}


class UnknownEventError(Exception):
    """A commit of a newer version of this service: nobody can tell what follows from it."""


def evolve(state: Table, commit: events_pb2.Commit) -> Table:
    """The state after a commit. Raises UnknownEventError."""
    head = commit.head
    changes: Changes = {}
    for event in commit.events:
        kind, told = newest(event)
        if kind is None:
            raise UnknownEventError(f"commit {head.version} of table {head.aggregate}")
        _CHANGES[kind](state, changes, told)
    version, turn = head.version, head.turn
    if turn == version:
        changes["turn_ms"] = head.time_ms
        if state.given_back_ms:
            changes["given_back_ms"] = 0
    if version == 1:
        changes["opened_ms"] = head.time_ms
    if "seats" in changes:
        deserted = is_deserted(changes["seats"])
        changes["empty_ms"] = (state.empty_ms or head.time_ms) if deserted else 0
    changes["id"] = head.aggregate
    changes["version"] = version
    changes["turn"] = turn
    changes["deadline_ms"] = head.deadline_ms
    changes["commands"] = with_newest(state.commands, head.command)
    return _changed(state, changes)


def _changed(state: Table, changes: Changes) -> Table:
    """As `state._replace(**changes)`, which looks every field up and not only those that
    change: with this many fields it takes twice as long.
    """
    values = [*state]
    for name, value in changes.items():
        values[_PLACES[name]] = value
    return Table._make(values)


def stands_after(state: Table, head: log_pb2.Head) -> bool:
    """Whether a commit is the next one of this state."""
    return head.version == state.version + 1


def _opened(_: Table, changes: Changes, event: events_pb2.TableOpened) -> None:
    options = event.options
    changes["move_seconds"] = options.move_seconds
    changes["spectators"] = options.spectators
    changes["public"] = options.public
    changes["level"] = options.level
    changes["start_seconds"] = options.start_seconds
    changes["code"] = event.code
    changes["championship"] = options.championship
    changes["official"] = options.match
    changes["scale"] = event.clock_scale or 1.0
    changes["opened_by"] = event.host


def _seat_taken(state: Table, changes: Changes, event: events_pb2.SeatTaken2) -> None:
    # A bot that follows a person: they have left in the same commit, in mid-match.
    vacated = bool(event.bot and state.seats[event.seat].player)
    person = event.person
    seat = Seat(
        player=person.player,
        name=person.guest_name,
        guest=person.HasField("guest_name"),
        level=event.bot,
        fence=event.fence,
        window=person.window,
        vacated=vacated,
        animal=person.animal,
    )
    _set_seat(state, changes, event.seat, seat)


def _seat_left(state: Table, changes: Changes, event: events_pb2.SeatLeft) -> None:
    _set_seat(state, changes, event.seat, Seat(fence=event.fence))


def _seat_held(state: Table, changes: Changes, event: events_pb2.SeatHeld) -> None:
    seat = _seat(state, changes, event.seat)
    held = seat._replace(fence=event.fence, window=event.window)
    _set_seat(state, changes, event.seat, held)


def _person_gone(state: Table, changes: Changes, event: events_pb2.PersonGone) -> None:
    seat = _seat(state, changes, event.seat)
    _set_seat(state, changes, event.seat, seat._replace(gone=True))


def _person_back(state: Table, changes: Changes, event: events_pb2.PersonBack) -> None:
    seat = _seat(state, changes, event.seat)
    back = seat._replace(gone=False, stand_in=0, fence=event.fence)
    _set_seat(state, changes, event.seat, back)


def _bot_stands_in(state: Table, changes: Changes, event: events_pb2.BotStandsIn) -> None:
    seat = _seat(state, changes, event.seat)
    stands_in = seat._replace(stand_in=event.level, fence=event.fence)
    _set_seat(state, changes, event.seat, stands_in)


def _seats_swapped(state: Table, changes: Changes, event: events_pb2.SeatsSwapped) -> None:
    one, other = _seat(state, changes, event.seat), _seat(state, changes, event.other)
    _set_seat(state, changes, event.seat, other._replace(fence=event.fence))
    _set_seat(state, changes, event.other, one._replace(fence=event.other_fence))


def _seat(state: Table, changes: Changes, number: int) -> Seat:
    seat: Seat = changes.get("seats", state.seats)[number]
    return seat


def _set_seat(state: Table, changes: Changes, number: int, seat: Seat) -> None:
    before = changes.get("seats", state.seats)
    changes["seats"] = tuple(seat if n == number else old for n, old in enumerate(before))


def _match_started(_: Table, changes: Changes, event: events_pb2.MatchStarted) -> None:
    changes.update(NO_MATCH, match=event.match)


def _deal_committed(_: Table, changes: Changes, event: events_pb2.DealCommitted) -> None:
    changes["next_deal"] = event


def _dealt(state: Table, changes: Changes, event: events_pb2.Dealt) -> None:
    after = event.after
    opens = after.phase == rules_pb2.PHASE_PLAY
    changes["hand"] = event.hand
    changes["game"] = after
    changes["dealt"] = Deal(event.order, event.opening, event.winner)
    changes["opener"] = after.turn if opens else NOBODY
    changes["turns"] = b""
    changes["deal"] = changes.get("next_deal", state.next_deal)
    changes["next_deal"] = None
    changes["added"] = changes.get("next_added", state.next_added)
    changes["next_added"] = ()


def _bytes_added(state: Table, changes: Changes, event: events_pb2.BytesAdded) -> None:
    changes["next_added"] = (*state.next_added, event)


def _opener_chosen(_: Table, changes: Changes, event: events_pb2.OpenerChosen) -> None:
    changes["game"] = event.after
    changes["opener"] = event.opener
    changes["begun"] = None


def _played(state: Table, changes: Changes, event: events_pb2.Played) -> None:
    changes["game"] = event.after
    changes["turns"] = state.turns + _TURNS[event.tile + _LAID_AT[event.end]]
    changes["begun"] = None


def _passed(state: Table, changes: Changes, event: events_pb2.Passed) -> None:
    changes["game"] = event.after
    changes["turns"] = state.turns + _TURNS[PASS]
    changes["begun"] = None


def _hand_ended(state: Table, changes: Changes, event: events_pb2.HandEnded) -> None:
    changes["hands"] = (*state.hands, event)


def _match_ended(_: Table, changes: Changes, event: events_pb2.MatchEnded) -> None:
    changes["match_end"] = event.end


def _turn_began(_: Table, changes: Changes, event: events_pb2.TurnBegan) -> None:
    changes["begun"] = event


def _deadline_moved(state: Table, changes: Changes, event: events_pb2.DeadlineMoved) -> None:
    changes["given_back_ms"] = state.given_back_ms + event.long_by_ms


def _table_closed(_: Table, changes: Changes, event: events_pb2.TableClosed) -> None:
    changes["closed"] = event.closing


_CHANGES: Final[dict[str, Callable[[Table, Changes, Any], None]]] = {
    "opened": _opened,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "match_started": _match_started,
    "deal_committed": _deal_committed,
    "dealt": _dealt,
    "opener_chosen": _opener_chosen,
    "played": _played,
    "passed": _passed,
    "hand_ended": _hand_ended,
    "match_ended": _match_ended,
    "turn_began": _turn_began,
    "seat_held": _seat_held,
    "person_gone": _person_gone,
    "person_back": _person_back,
    "bot_stands_in": _bot_stands_in,
    "seats_swapped": _seats_swapped,
    "bytes_added": _bytes_added,
    "deadline_moved": _deadline_moved,
    "table_closed": _table_closed,
}
"""What each event changes; `changes` has what the events before it in its commit did."""
