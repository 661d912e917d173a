"""A state as a message and back, so that a load need not read all of a table's log."""

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain.state import Deal, Seat, Table


def save(state: Table, digest: bytes) -> events_pb2.Snapshot:
    """The message of a state; `digest` is the SHA-256 of its newest commit's stored bytes."""
    first = state.version - len(state.commands) + 1
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
            command=state.commands[-1],
        ),
        hash=digest,
        opened=events_pb2.TableOpened(
            options=table_pb2.Options(move_seconds=state.move_seconds, spectators=state.spectators),
            host=state.opened_by,
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
        commands=state.commands,
        command_versions=range(first, state.version + 1),
        turn_ms=state.turn_ms,
    )


def restore(kept: events_pb2.Snapshot) -> Table:
    """The state that was saved."""
    head, options = kept.head, kept.opened.options
    dealt = None
    if kept.HasField("dealt"):
        dealt = Deal(kept.dealt.order, kept.dealt.opening, kept.dealt.winner)
    a, b, c, d = (
        Seat(seat.player, seat.name, seat.guest, seat.level, seat.fence) for seat in kept.seats
    )
    return Table(
        id=head.aggregate,
        version=head.version,
        turn=head.turn,
        turn_ms=kept.turn_ms,
        deadline_ms=head.deadline_ms,
        move_seconds=options.move_seconds,
        spectators=options.spectators,
        opened_by=kept.opened.host,
        seats=(a, b, c, d),
        match=kept.match,
        hand=kept.hand,
        game=kept.game if kept.HasField("game") else None,
        dealt=dealt,
        opener=kept.opener,
        turns=kept.turns,
        begun=kept.turn if kept.HasField("turn") else None,
        deal=_deal(kept, kept.hand),
        next_deal=_deal(kept, kept.hand + 1),
        hands=tuple(kept.hands),
        match_end=kept.match_end.end if kept.HasField("match_end") else None,
        commands=tuple(kept.commands),
    )


def _seat(number: int, seat: Seat) -> events_pb2.SeatTaken:
    return events_pb2.SeatTaken(
        seat=number,
        player=seat.player,
        name=seat.name,
        guest=seat.guest,
        level=table_pb2.BotLevel.ValueType(seat.level),
        fence=seat.fence,
    )


def _deal(kept: events_pb2.Snapshot, hand: int) -> events_pb2.DealCommitted | None:
    return next((deal for deal in kept.deals if deal.hand == hand), None)
