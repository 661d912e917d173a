"""A state as a message and back, so that a load need not read all of a table's log."""

from collections.abc import Iterable

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain.remembered import ids_of, remember
from laelo_table.domain.state import NOBODY, Deal, Seat, Table


def save(state: Table, digest: bytes) -> events_pb2.Snapshot:
    """The message of a state; `digest` is the SHA-256 of its newest commit's stored bytes."""
    commands = ids_of(state.commands)
    first = state.version - len(commands) + 1
    dealt = None
    if state.dealt is not None:
        order, opening, winner = state.dealt
        dealt = events_pb2.Dealt(hand=state.hand, order=order, opening=opening, winner=winner)
    ended = state.match_end
    return events_pb2.Snapshot(
        head=log_pb2.Head(
            aggregate=state.id,
            version=state.version,
            turn=state.turn,
            deadline_ms=state.deadline_ms,
            command=commands[-1],
        ),
        hash=digest,
        opened=events_pb2.TableOpened(
            options=options(state),
            host=state.opened_by,
            code=state.code,
            clock_scale=0 if state.scale == 1 else state.scale,
        ),
        seats=[_seat(number, seat) for number, seat in enumerate(state.seats)],
        match=state.match,
        hand=state.hand,
        game=state.game,
        dealt=dealt,
        opener=state.opener,
        turns=state.turns,
        turn=state.begun,
        deals=[deal for deal in (state.deal, state.next_deal) if deal is not None],
        hands=state.hands,
        match_end=None if ended is None else events_pb2.MatchEnded(end=ended),
        commands=commands,
        command_versions=range(first, state.version + 1),
        turn_ms=state.turn_ms,
        gone=_mask(seat.gone for seat in state.seats),
        stand_ins=[
            events_pb2.BotStandsIn(seat=number, level=_level(seat.stand_in))
            for number, seat in enumerate(state.seats)
            if seat.stand_in
        ],
        added=(*state.added, *state.next_added),
        closed=_closed(state),
        empty_ms=state.empty_ms,
        given_back_ms=state.given_back_ms,
        opened_ms=state.opened_ms,
        vacated=_mask(seat.vacated for seat in state.seats),
    )


def restore(kept: events_pb2.Snapshot) -> Table:
    """The state that was saved. Raises ValueError if it is not whole."""
    if len(kept.seats) != NOBODY:
        raise ValueError(f"a table has {NOBODY} seats, not {len(kept.seats)}")
    head, options = kept.head, kept.opened.options
    dealt = None
    if kept.HasField("dealt"):
        dealt = Deal(kept.dealt.order, kept.dealt.opening, kept.dealt.winner)
    a, b, c, d = (_seat_of(kept, number) for number in range(NOBODY))
    next_hand = kept.hand + 1
    return Table(
        id=head.aggregate,
        version=head.version,
        turn=head.turn,
        turn_ms=kept.turn_ms,
        deadline_ms=head.deadline_ms,
        move_seconds=options.move_seconds,
        spectators=options.spectators,
        public=options.public,
        level=options.level,
        start_seconds=options.start_seconds,
        code=kept.opened.code,
        championship=options.championship,
        official=options.match,
        scale=kept.opened.clock_scale or 1.0,
        opened_by=kept.opened.host,
        opened_ms=kept.opened_ms,
        seats=(a, b, c, d),
        match=kept.match,
        hand=kept.hand,
        game=kept.game if kept.HasField("game") else None,
        dealt=dealt,
        opener=kept.opener,
        turns=kept.turns,
        begun=kept.turn if kept.HasField("turn") else None,
        deal=_deal(kept, kept.hand),
        next_deal=_deal(kept, next_hand),
        added=tuple(added for added in kept.added if added.hand != next_hand),
        next_added=tuple(added for added in kept.added if added.hand == next_hand),
        hands=tuple(kept.hands),
        match_end=kept.match_end.end if kept.HasField("match_end") else None,
        given_back_ms=kept.given_back_ms,
        empty_ms=kept.empty_ms,
        closed=kept.closed.closing,
        commands=remember(kept.commands),
    )


def options(state: Table) -> table_pb2.Options:
    """How a table is set up."""
    return table_pb2.Options(
        move_seconds=state.move_seconds,
        spectators=state.spectators,
        public=state.public,
        level=_level(state.level),
        start_seconds=state.start_seconds,
        championship=state.championship,
        match=state.official,
    )


def _seat(number: int, seat: Seat) -> events_pb2.SeatTaken:
    return events_pb2.SeatTaken(
        seat=number,
        player=seat.player,
        name=seat.name,
        guest=seat.guest,
        level=_level(seat.level),
        fence=seat.fence,
        window=seat.window,
        animal=seat.animal,
    )


def _seat_of(kept: events_pb2.Snapshot, number: int) -> Seat:
    seat = kept.seats[number]
    return Seat(
        player=seat.player,
        name=seat.name if seat.guest else "",
        guest=seat.guest,
        level=seat.level,
        fence=seat.fence,
        window=seat.window,
        gone=bool(kept.gone >> number & 1),
        stand_in=next((bot.level for bot in kept.stand_ins if bot.seat == number), 0),
        vacated=bool(kept.vacated >> number & 1),
        animal=seat.animal,
    )


def _level(level: int) -> table_pb2.BotLevel.ValueType:
    return table_pb2.BotLevel.ValueType(level)


def _mask(flags: Iterable[bool]) -> int:
    return sum(flag << number for number, flag in enumerate(flags))


def _closed(state: Table) -> events_pb2.TableClosed | None:
    if not state.closed:
        return None
    return events_pb2.TableClosed(closing=events_pb2.Closing.ValueType(state.closed))


def _deal(kept: events_pb2.Snapshot, hand: int) -> events_pb2.DealCommitted | None:
    return next((deal for deal in kept.deals if deal.hand == hand), None)
