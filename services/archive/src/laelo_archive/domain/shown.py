"""What may be told of a match, and to whom: the only way in which anything leaves the archive.

A hand that is not over has no row, so it cannot be told. Of a championship's match it is told who
somebody was once R40 allows it, and to everybody what they are themselves.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from laelo.archive.v1 import archive_pb2
from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import table_pb2

from laelo_archive.domain import turns
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow
from laelo_archive.domain.table import NO_TEAM, NOBODY

HAND_SIZE: Final = 6
ADDED_SIZE: Final = 17
"""Seat and bytes of what a client has added."""

ShowSeats = Callable[[Sequence[str], Sequence[int]], list[archive_pb2.Seat]]


def may_see(match: MatchRow, people: Collection[PersonRow], viewer: str) -> bool:
    """Whether somebody may step through a match: anybody, or only who sat there."""
    return match.spectators or any(person.player == viewer for person in people)


def history_row(
    match: MatchRow, people: Collection[PersonRow], is_open: Collection[str], player: str
) -> archive_pb2.HistoryRow:
    """A match in a player's history; `is_open` are those who may be named."""
    show = show_seats(match, people, {*is_open, player})
    return archive_pb2.HistoryRow(
        table=match.table_id,
        match=match.match,
        championship=match.championship,
        official=match.official,
        started_ms=match.started_ms,
        ended_ms=match.ended_ms,
        hands=match.hands,
        seats=show(match.players, match.bots),
        seat=_seat_of(people, player),
        winner=match.winner,
        score_0=match.score_0,
        score_1=match.score_1,
        buchuda=match.buchuda,
        buchuda_de_re=match.buchuda_de_re,
    )


def replay(
    match: MatchRow,
    people: Collection[PersonRow],
    is_open: Collection[str],
    hands: Sequence[HandRow],
    viewer: str,
) -> archive_pb2.ReplayResponse:
    """A whole match for a viewer; `is_open` are those who may be named."""
    show = show_seats(match, people, {*is_open, viewer})
    end = None
    if match.winner != NO_TEAM:
        end = rules_pb2.MatchEnd(
            team=match.winner,
            score_0=match.score_0,
            score_1=match.score_1,
            buchuda=match.buchuda,
            buchuda_de_re=match.buchuda_de_re,
        )
    return archive_pb2.ReplayResponse(
        table=match.table_id,
        match=match.match,
        championship=match.championship,
        official=match.official,
        move_seconds=match.move_seconds,
        started_ms=match.started_ms,
        ended_ms=match.ended_ms,
        seats=show(match.players, match.bots),
        seat=_seat_of(people, viewer),
        hands=[_hand(hand, show) for hand in hands],
        end=end,
    )


def _seat_of(people: Collection[PersonRow], player: str) -> int:
    """The seat that somebody had; an empty id is nobody's."""
    return next((person.seat for person in people if player and person.player == player), NOBODY)


def show_seats(match: MatchRow, people: Collection[PersonRow], named: Collection[str]) -> ShowSeats:
    """How the seats of a match may be shown to somebody who may know those `named`."""
    known = {person.player: person for person in people}

    def show(players: Sequence[str], bots: Sequence[int]) -> list[archive_pb2.Seat]:
        shown = []
        for player, bot, animal in zip(players, bots, match.animals, strict=True):
            seat = archive_pb2.Seat(level=table_pb2.BotLevel.ValueType(bot), animal=animal)
            if player and (not match.championship or player in named):
                seat.player = player
            if (person := known.get(player)) and person.guest:
                seat.name, seat.guest = person.name, True
            shown.append(seat)
        return shown

    return show


def _hand(row: HandRow, show: ShowSeats) -> archive_pb2.Hand:
    dealt = [_mask(row.tiles[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]) for seat in range(NOBODY)]
    left = dealt.copy()
    shown = []
    for turn in turns.unpack(row.turns):
        if turn.tile < turns.NO_TILE:
            left[turn.seat] ^= 1 << turn.tile
        shown.append(_turn(turn))
    return archive_pb2.Hand(
        number=row.hand,
        dealt_ms=row.dealt_ms,
        opening=rules_pb2.Opening.ValueType(row.opening),
        multiplier=row.multiplier,
        seats=show(row.players, row.bots),
        dealt=dealt,
        chooser=row.chooser,
        chosen_after_ms=row.chosen_after_ms,
        chosen_by=log_pb2.Actor.ValueType(row.chosen_by),
        opener=row.opener,
        turns=shown,
        end=_end(row),
        ended_ms=row.ended_ms,
        score_0=row.score_0,
        score_1=row.score_1,
        left=left,
        commitment=row.commitment,
        seed=row.seed,
        added=_added(row.added),
        method=row.method,
    )


def _turn(turn: turns.Turn) -> archive_pb2.Turn:
    return archive_pb2.Turn(
        seat=turn.seat,
        tile=turn.tile,
        end=rules_pb2.End.ValueType(turn.end),
        calls=[
            rules_pb2.Call(kind=rules_pb2.CallKind.ValueType(kind), number=number, low=low)
            for kind, number, low in turn.calls
        ],
        left=turn.left,
        right=turn.right,
        actor=log_pb2.Actor.ValueType(turn.actor),
        after_ms=turn.after_ms,
    )


def _end(row: HandRow) -> rules_pb2.HandEnd:
    return rules_pb2.HandEnd(
        reason=rules_pb2.Reason.ValueType(row.reason),
        winner=row.winner,
        team=row.team,
        points=row.points,
        counts=row.counts,
        next_opening=rules_pb2.Opening.ValueType(row.next_opening),
        next_multiplier=row.next_multiplier,
    )


def _added(packed: bytes) -> list[archive_pb2.Added]:
    return [
        archive_pb2.Added(seat=packed[at], bytes=packed[at + 1 : at + ADDED_SIZE])
        for at in range(0, len(packed), ADDED_SIZE)
    ]


def _mask(tiles: bytes) -> int:
    return sum(1 << tile for tile in tiles)
