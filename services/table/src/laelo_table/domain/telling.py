"""The events of a commit as viewers are told them."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.wire import table as wire

from laelo_table.domain import spell
from laelo_table.domain.state import NOBODY, Seat, Table, hand_of

Told = list[wire.TableEvent]


class Context(NamedTuple):
    """A commit's circumstances and the table after it."""

    after: Table
    now_ms: int
    by_clock: bool


def tell(commit: events_pb2.Commit, after: Table) -> tuple[Told, list[tuple[int, Told]]]:
    """What everybody is told, and beside it what persons in seats are told instead.

    Only a deal and a turn look different from a seat.
    """
    head = commit.head
    context = Context(after, head.time_ms, head.actor == log_pb2.ACTOR_CLOCK)
    shared: Told = []
    personal: list[tuple[int, Any, _TellSeat]] = []
    seats: Iterable[int] = ()
    for event in commit.events:
        kind = str(event.WhichOneof("event"))
        message = getattr(event, kind)
        if kind in _TELL_SEAT:
            tell_seat = _TELL_SEAT[kind]
            personal.append((len(shared), message, tell_seat))
            # A deal comes before the turn, and concerns every seat.
            seats = seats or ((message.seat,) if kind == "turn_began" else range(NOBODY))
            shared.append(tell_seat(context, message, NOBODY))
        elif kind in _TELL:
            shared.append(_TELL[kind](context, message))
    own = []
    for seat in seats:
        if after.seats[seat].player:
            told = shared.copy()
            for place, message, tell_seat in personal:
                told[place] = tell_seat(context, message, seat)
            own.append((seat, told))
    return shared, own


def turn_of(state: Table, begun: events_pb2.TurnBegan, viewer: int, now_ms: int) -> wire.Turn:
    """The open turn as a viewer sees it: what may be laid is the business of its seat, and
    so is which clock runs; the others see the long one (R24).
    """
    if viewer == begun.seat:
        left_ms = state.deadline_ms - now_ms
        plays, must_pass = spell.plays(begun.plays), begun.must_pass
    else:
        left_ms = state.turn_ms + state.move_seconds * 1000 - now_ms
        plays, must_pass = (), False
    return wire.Turn(
        seat=begun.seat,
        turn=state.turn,
        choosing=begun.choosing,
        ms=max(0, left_ms) if state.move_seconds else None,
        plays=plays,
        must_pass=must_pass,
    )


def _seat_taken(_: Context, event: events_pb2.SeatTaken) -> wire.SeatChanged:
    who = Seat(event.player, event.name, event.guest, event.level)
    return wire.SeatChanged(event.seat, spell.seat(who))


def _seat_left(_: Context, event: events_pb2.SeatLeft) -> wire.SeatChanged:
    return wire.SeatChanged(event.seat, spell.seat(Seat()))


def _match_started(_: Context, event: events_pb2.MatchStarted) -> wire.MatchStarted:
    return wire.MatchStarted(event.match)


def _deal_committed(_: Context, event: events_pb2.DealCommitted) -> wire.Committed:
    return wire.Committed(event.hand, event.commitment.hex())


def _opener_chosen(context: Context, event: events_pb2.OpenerChosen) -> wire.OpenerChosen:
    return wire.OpenerChosen(event.seat, event.opener, context.by_clock)


def _played(context: Context, event: events_pb2.Played) -> wire.Played:
    after = event.after
    return wire.Played(
        seat=event.seat,
        tile=spell.TILES[event.tile],
        ends=(after.left, after.right),
        calls=spell.calls(event.calls),
        end=spell.ENDS[event.end],
        by_clock=context.by_clock,
    )


def _passed(context: Context, event: events_pb2.Passed) -> wire.Passed:
    return wire.Passed(event.seat, context.by_clock)


def _hand_ended(context: Context, event: events_pb2.HandEnded) -> wire.HandEnded:
    after = context.after
    assert after.game is not None  # noqa: S101 - a hand was played
    next_ms = None if after.match_end else max(0, after.deadline_ms - context.now_ms)
    return wire.HandEnded(spell.hand_end(event, after.game), next_ms)


def _match_ended(_: Context, event: events_pb2.MatchEnded) -> wire.MatchEnded:
    return wire.MatchEnded(spell.match_end(event.end))


def _dealt(context: Context, event: events_pb2.Dealt, viewer: int) -> wire.Dealt:
    after = event.after
    return wire.Dealt(
        hand=event.hand,
        opening=spell.OPENINGS[event.opening],
        multiplier=after.multiplier,
        scores=(after.score_0, after.score_1),
        tiles=() if viewer == NOBODY else spell.tiles(hand_of(after, viewer)),
    )


def _turn_began(context: Context, event: events_pb2.TurnBegan, viewer: int) -> wire.Turn:
    return turn_of(context.after, event, viewer, context.now_ms)


_TellSeat = Callable[[Context, Any, int], wire.TableEvent]

_TELL: Final[dict[str, Callable[[Context, Any], wire.TableEvent]]] = {
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "match_started": _match_started,
    "deal_committed": _deal_committed,
    "opener_chosen": _opener_chosen,
    "played": _played,
    "passed": _passed,
    "hand_ended": _hand_ended,
    "match_ended": _match_ended,
}

_TELL_SEAT: Final[dict[str, _TellSeat]] = {"dealt": _dealt, "turn_began": _turn_began}
