"""From a commit to the next state. Events carry all that follows: no rules are asked."""

from collections.abc import Callable
from typing import Any, Final

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2

from laelo_table.domain.state import NOBODY, REMEMBERED, Deal, Seat, Table

PASS: Final = 31
"""A pass among the turns of a hand."""

LAID_LEFT: Final = 32
LAID_RIGHT: Final = 64
_LAID_AT: Final = {
    rules_pb2.END_UNSPECIFIED: 0,
    rules_pb2.END_LEFT: LAID_LEFT,
    rules_pb2.END_RIGHT: LAID_RIGHT,
}


class UnknownEventError(Exception):
    """A commit of a newer version of this service: nobody can tell what follows from it."""


def evolve(state: Table, commit: events_pb2.Commit) -> Table:
    """The state after a commit. Raises UnknownEventError."""
    head = commit.head
    for event in commit.events:
        kind = event.WhichOneof("event")
        if kind is None:
            raise UnknownEventError(f"commit {head.version} of table {head.aggregate}")
        state = _AFTER[kind](state, getattr(event, kind))
    return state._replace(
        id=head.aggregate,
        version=head.version,
        turn=head.turn,
        turn_ms=head.time_ms if head.turn == head.version else state.turn_ms,
        deadline_ms=head.deadline_ms,
        commands=(*state.commands[1 - REMEMBERED :], head.command),
    )


def stands_after(state: Table, head: log_pb2.Head) -> bool:
    """Whether a commit is the next one of this state."""
    return head.version == state.version + 1


def _opened(state: Table, event: events_pb2.TableOpened) -> Table:
    return state._replace(
        move_seconds=event.options.move_seconds,
        spectators=event.options.spectators,
        opened_by=event.host,
    )


def _seat_taken(state: Table, event: events_pb2.SeatTaken) -> Table:
    seat = Seat(event.player, event.name, event.guest, event.level, event.fence)
    return _with_seat(state, event.seat, seat)


def _seat_left(state: Table, event: events_pb2.SeatLeft) -> Table:
    return _with_seat(state, event.seat, Seat(fence=event.fence))


def _with_seat(state: Table, number: int, seat: Seat) -> Table:
    a, b, c, d = (seat if n == number else old for n, old in enumerate(state.seats))
    return state._replace(seats=(a, b, c, d))


def _match_started(state: Table, event: events_pb2.MatchStarted) -> Table:
    return state._replace(
        match=event.match,
        hand=0,
        game=None,
        dealt=None,
        opener=NOBODY,
        turns=b"",
        begun=None,
        deal=None,
        next_deal=None,
        hands=(),
        match_end=None,
    )


def _deal_committed(state: Table, event: events_pb2.DealCommitted) -> Table:
    return state._replace(next_deal=event)


def _dealt(state: Table, event: events_pb2.Dealt) -> Table:
    after = event.after
    opens = after.phase == rules_pb2.PHASE_PLAY
    return state._replace(
        hand=event.hand,
        game=after,
        dealt=Deal(event.order, event.opening, event.winner),
        opener=after.turn if opens else NOBODY,
        turns=b"",
        deal=state.next_deal,
        next_deal=None,
    )


def _opener_chosen(state: Table, event: events_pb2.OpenerChosen) -> Table:
    return state._replace(game=event.after, opener=event.opener, begun=None)


def _played(state: Table, event: events_pb2.Played) -> Table:
    laid = event.tile + _LAID_AT[event.end]
    return state._replace(game=event.after, turns=state.turns + bytes((laid,)), begun=None)


def _passed(state: Table, event: events_pb2.Passed) -> Table:
    return state._replace(game=event.after, turns=state.turns + bytes((PASS,)), begun=None)


def _hand_ended(state: Table, event: events_pb2.HandEnded) -> Table:
    return state._replace(hands=(*state.hands, event))


def _match_ended(state: Table, event: events_pb2.MatchEnded) -> Table:
    return state._replace(match_end=event.end)


def _turn_began(state: Table, event: events_pb2.TurnBegan) -> Table:
    return state._replace(begun=event)


_AFTER: Final[dict[str, Callable[[Table, Any], Table]]] = {
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
}
