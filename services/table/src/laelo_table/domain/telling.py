"""The events of a commit as viewers are told them, each as JSON text.

Those that come with every move are written by `text`, all others by way of their structs.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest
from laelo_common.wire import table as wire

from laelo_table.domain import spell, text
from laelo_table.domain.state import NOBODY, Table, hand_of, host_seat
from laelo_table.domain.turns import clock_ms

Told = list[str]


class Context(NamedTuple):
    """A commit's circumstances and the table after it."""

    after: Table
    now_ms: int
    by_clock: bool


def tell(commit: events_pb2.Commit, after: Table) -> tuple[Told, list[tuple[int, Told]]]:
    """What everybody is told, and beside it what persons in seats are told instead.

    Only a deal, a turn and its clock look different from a seat.
    """
    head = commit.head
    context = Context(after, head.time_ms, head.actor == log_pb2.ACTOR_CLOCK)
    shared: Told = []
    personal: list[tuple[int, Any, _TellSeat]] = []
    seats: Iterable[int] = ()
    for event in commit.events:
        kind, message = newest(event)
        if kind in _TELL_SEAT:
            tell_seat = _TELL_SEAT[kind]
            personal.append((len(shared), message, tell_seat))
            # A deal comes before the turn, and concerns every seat.
            seats = seats or (range(NOBODY) if kind == "dealt" else (_on_turn(after),))
            shared.append(tell_seat(context, message, NOBODY))
        elif kind in _TELL:
            shared.append(_TELL[kind](context, message))
        elif kind in _SPELL:
            shared.append(text.spelled(_SPELL[kind](context, message)))
    own = []
    for seat in seats:
        if after.seats[seat].player:
            told = shared.copy()
            for place, message, tell_seat in personal:
                told[place] = tell_seat(context, message, seat)
            own.append((seat, told))
    return shared, own


def _on_turn(state: Table) -> int:
    return NOBODY if state.begun is None else state.begun.seat


def turn_of(state: Table, begun: events_pb2.TurnBegan, viewer: int, now_ms: int) -> wire.Turn:
    """The open turn as a viewer sees it: what may be laid is the business of its seat."""
    own = viewer == begun.seat
    return wire.Turn(
        seat=begun.seat,
        turn=state.turn,
        choosing=begun.choosing,
        ms=_left_ms(state, now_ms, own=own),
        plays=spell.plays(begun.plays) if own else (),
        must_pass=own and begun.must_pass,
    )


def _left_ms(state: Table, now_ms: int, *, own: bool) -> int | None:
    """What is left of the clock; which one runs is the business of the seat on turn, the
    others see the long one (R24).
    """
    if not state.move_seconds:
        return None
    if own:
        return max(0, state.deadline_ms - now_ms)
    long_ms = clock_ms(state.move_seconds, state.scale, short=False) + state.given_back_ms
    return max(0, state.turn_ms + long_ms - now_ms)


def _seat_changed(context: Context, event: Any) -> wire.SeatChanged:
    """Any event that is about one seat: how it is after the commit."""
    after, number = context.after, event.seat
    seat = after.seats[number]
    return wire.SeatChanged(number, spell.seat(seat), seat.fence, _host(after))


def _seat_held(_: Context, event: events_pb2.SeatHeld) -> wire.SeatHeld:
    return wire.SeatHeld(event.seat, event.fence)


def _seats_swapped(context: Context, event: events_pb2.SeatsSwapped) -> wire.SeatsSwapped:
    return wire.SeatsSwapped(
        (event.seat, event.other), (event.fence, event.other_fence), _host(context.after)
    )


def _host(state: Table) -> int | None:
    seat = host_seat(state)
    return None if seat == NOBODY else seat


def _bytes_added(_: Context, event: events_pb2.BytesAdded) -> wire.BytesAdded:
    return wire.BytesAdded(event.hand, spell.added(event))


def _table_closed(_: Context, event: events_pb2.TableClosed) -> wire.TableClosed:
    return wire.TableClosed(spell.CLOSINGS[event.closing])


def _match_started(context: Context, event: events_pb2.MatchStarted) -> wire.MatchStarted:
    after = context.after
    next_ms = None if after.begun else max(0, after.deadline_ms - context.now_ms)
    return wire.MatchStarted(event.match, next_ms)


def _deal_committed(_: Context, event: events_pb2.DealCommitted) -> wire.Committed:
    return wire.Committed(event.hand, event.commitment.hex())


def _opener_chosen(context: Context, event: events_pb2.OpenerChosen) -> wire.OpenerChosen:
    return wire.OpenerChosen(event.seat, event.opener, context.by_clock)


def _played(context: Context, event: events_pb2.Played) -> str:
    return text.played(event, by_clock=context.by_clock)


def _passed(context: Context, event: events_pb2.Passed) -> str:
    return text.passed(event, by_clock=context.by_clock)


def _hand_ended(context: Context, event: events_pb2.HandEnded) -> wire.HandEnded:
    after = context.after
    assert after.game is not None  # noqa: S101 - a hand was played
    next_ms = None if after.match_end else max(0, after.deadline_ms - context.now_ms)
    return wire.HandEnded(spell.hand_end(event, after.game, after.added), next_ms)


def _match_ended(_: Context, event: events_pb2.MatchEnded) -> wire.MatchEnded:
    return wire.MatchEnded(spell.match_end(event.end))


def _dealt(context: Context, event: events_pb2.Dealt, viewer: int) -> str:
    after = event.after
    return text.spelled(
        wire.Dealt(
            hand=event.hand,
            opening=spell.OPENINGS[event.opening],
            multiplier=after.multiplier,
            scores=(after.score_0, after.score_1),
            tiles=() if viewer == NOBODY else spell.tiles(hand_of(after, viewer)),
        )
    )


def _deadline_moved(context: Context, _: events_pb2.DeadlineMoved, viewer: int) -> str:
    """What the viewer's clock shows now."""
    after = context.after
    assert after.begun is not None  # noqa: S101 - only a turn's deadline moves
    seat = after.begun.seat
    left_ms = _left_ms(after, context.now_ms, own=viewer == seat)
    return text.spelled(wire.DeadlineMoved(seat, left_ms or 0))


def _turn_began(context: Context, event: events_pb2.TurnBegan, viewer: int) -> str:
    after = context.after
    own = viewer == event.seat
    return text.turn(event, after.turn, _left_ms(after, context.now_ms, own=own), own=own)


_TellSeat = Callable[[Context, Any, int], str]

_TELL: Final[dict[str, Callable[[Context, Any], str]]] = {
    "played": _played,
    "passed": _passed,
}

_SPELL: Final[dict[str, Callable[[Context, Any], wire.TableEvent]]] = {
    "seat_taken": _seat_changed,
    "seat_left": _seat_changed,
    "seat_held": _seat_held,
    "person_gone": _seat_changed,
    "person_back": _seat_changed,
    "bot_stands_in": _seat_changed,
    "seats_swapped": _seats_swapped,
    "bytes_added": _bytes_added,
    "table_closed": _table_closed,
    "match_started": _match_started,
    "deal_committed": _deal_committed,
    "opener_chosen": _opener_chosen,
    "hand_ended": _hand_ended,
    "match_ended": _match_ended,
}

_TELL_SEAT: Final[dict[str, _TellSeat]] = {
    "dealt": _dealt,
    "deadline_moved": _deadline_moved,
    "turn_began": _turn_began,
}
