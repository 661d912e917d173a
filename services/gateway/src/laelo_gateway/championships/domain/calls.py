"""Who is called to which match."""

from typing import Final

import msgspec
from laelo.tournament.v1 import tournament_pb2
from laelo_common.wire import championship as wire
from laelo_common.wire import server

from laelo_gateway.championships.domain.bracket import TIERS, is_placed, is_running

_encode: Final = msgspec.json.encode


def is_in(championship: tournament_pb2.Championship, entry: tournament_pb2.Entry | None) -> bool:
    """Whether somebody is in a championship that their team is not yet out of (R34)."""
    return entry is not None and is_running(championship) and not _is_out(championship, entry)


def open_match(
    championship: tournament_pb2.Championship, entry: tournament_pb2.Entry
) -> tournament_pb2.Match | None:
    """The match that somebody is called to and that is not decided: there is one at most."""
    if not is_running(championship):
        return None
    for match in championship.matches:
        if match.table and not match.winner and entry.team in (match.team_a, match.team_b):
            return match
    return None


def call_of(
    championship: tournament_pb2.Championship, entry: tournament_pb2.Entry, now: int
) -> wire.MatchCall | None:
    """The call to that match, for this player's own windows; None if there is no such match.
    Seats: the first team sits in 0 and 2, the second in 1 and 3.
    """
    match = open_match(championship, entry)
    if match is None:
        return None
    return wire.MatchCall(
        championship=championship.id,
        tier=TIERS[championship.tier],
        match=match.id,
        table=match.table,
        seat=2 * entry.place + (entry.team == match.team_b),
        team=entry.team,
        animal=entry.animal,
        ms=max(0, match.starts_ms - now),
    )


def frame_of(call: wire.MatchCall, now: int) -> bytes:
    """The frame that calls."""
    return _encode(server.CalledFrame(now=now, d=call))


def _is_out(championship: tournament_pb2.Championship, entry: tournament_pb2.Entry) -> bool:
    return any(team.number == entry.team and is_placed(team) for team in championship.teams)
