"""What is told of matches of the past: the only way in which any of it leaves the gateway.

The archive names nobody who may not be named (R40), except to themselves; here that is left out,
too: at a championship's table one is an animal also to oneself until one's team is shown to all.
Ids of people leave as what a history is filtered by, never in a replay.
"""

from collections.abc import Iterable, Mapping

from laelo.archive.v1 import archive_pb2
from laelo_common.wire import replay as shapes
from laelo_common.wire import table as wire

from laelo_gateway.replays.domain import spell

Names = Mapping[str, str]
"""Nicknames of accounts by id; a missing one is not known now."""
Four = tuple[wire.Seat, wire.Seat, wire.Seat, wire.Seat]


def wanted_in_history(answer: archive_pb2.HistoryResponse) -> set[str]:
    """Whose nicknames are needed."""
    return spell.ids(seat for row in answer.rows for seat in row.seats)


def wanted_in_replay(answer: archive_pb2.ReplayResponse) -> set[str]:
    """Whose nicknames are needed."""
    sat = [*answer.seats, *(seat for hand in answer.hands for seat in hand.seats)]
    return spell.ids(sat)


def history(answer: archive_pb2.HistoryResponse, viewer: str, names: Names) -> shapes.History:
    """One's own matches."""
    return shapes.History(tuple([_row(row, viewer, names) for row in answer.rows]), answer.next)


def replay(answer: archive_pb2.ReplayResponse, viewer: str, names: Names) -> shapes.Replay:
    """One match."""
    hidden = viewer if answer.championship else ""
    return shapes.Replay(
        table=answer.table,
        match=answer.match,
        started=answer.started_ms,
        seats=_seats(answer.seats, hidden, names),
        hands=tuple([_hand(hand, hidden, names) for hand in answer.hands]),
        move_seconds=answer.move_seconds,
        me=answer.seat if answer.seat < spell.NO_SEAT else None,
        ended=answer.ended_ms or None,
        end=spell.match_end(answer.end) if answer.HasField("end") else None,
        championship=answer.championship,
        official=answer.official,
    )


def _row(row: archive_pb2.HistoryRow, viewer: str, names: Names) -> shapes.HistoryRow:
    return shapes.HistoryRow(
        table=row.table,
        match=row.match,
        started=row.started_ms,
        hands=row.hands,
        seats=_seats(row.seats, viewer if row.championship else "", names),
        me=row.seat,
        scores=(row.score_0, row.score_1),
        ended=row.ended_ms or None,
        winner=row.winner if row.winner < spell.NO_TEAM else None,
        partner=row.seats[(row.seat + 2) % 4].player,
        buchuda=row.buchuda,
        buchuda_de_re=row.buchuda_de_re,
        championship=row.championship,
        official=row.official,
    )


def _hand(hand: archive_pb2.Hand, hidden: str, names: Names) -> shapes.PastHand:
    return shapes.PastHand(
        number=hand.number,
        at=hand.dealt_ms,
        opening=spell.OPENINGS[hand.opening],
        multiplier=hand.multiplier,
        seats=_seats(hand.seats, hidden, names),
        dealt=tuple([spell.tiles(mask) for mask in hand.dealt]),
        opener=hand.opener,
        moves=tuple([spell.move(turn) for turn in hand.turns]),
        end=spell.hand_end(hand),
        ended=hand.ended_ms,
        commitment=hand.commitment.hex(),
        choice=spell.choice(hand),
    )


def _seats(seats: Iterable[archive_pb2.Seat], hidden: str, names: Names) -> Four:
    a, b, c, d = [shown_seat(seat, hidden, names) for seat in seats]
    return a, b, c, d


def shown_seat(seat: archive_pb2.Seat, hidden: str, names: Names) -> wire.Seat:
    """Who sits there; `hidden` is who is not to be named yet."""
    level = spell.LEVELS.get(seat.level)
    if not seat.player and not seat.animal:
        return wire.Seat("bot", level=level) if level else wire.Seat("empty")
    name = ""
    if seat.player and seat.player != hidden:
        name = seat.name if seat.guest else names.get(seat.player, "")
    return wire.Seat("person", name, seat.guest, stand_in=level, animal=seat.animal)
