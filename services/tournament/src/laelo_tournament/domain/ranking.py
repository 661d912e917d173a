"""Points and the leaderboard of a week (R39, R42, R44)."""

from collections.abc import Iterable
from typing import NamedTuple

from laelo.tournament.v1 import tournament_pb2

from laelo_tournament.domain.state import Championship
from laelo_tournament.domain.weeks import week_of


class Award(NamedTuple):
    """Points that a player got in one championship."""

    player: str
    points: int
    at_ms: int
    """When they were booked (R42), in milliseconds since 1970 UTC."""


class Row(NamedTuple):
    """A row of the leaderboard."""

    rank: int
    player: str
    points: int
    championships: int


def leaderboard(awards: Iterable[Award], week: str) -> list[Row]:
    """The rows of a week, named by its Monday. Equal points, equal rank, listed by who reached
    them first; at the same moment, by the player's id, so that there is one order only.
    """
    totals: dict[str, tuple[int, int, int]] = {}
    for player, points, at_ms in awards:
        if week_of(at_ms) == week:
            before, count, reached_ms = totals.get(player, (0, 0, at_ms))
            totals[player] = (before + points, count + 1, max(reached_ms, at_ms))
    order = sorted(totals, key=lambda player: (-totals[player][0], totals[player][2], player))
    rows: list[Row] = []
    for position, player in enumerate(order, start=1):
        points, count, _ = totals[player]
        same = rows and rows[-1].points == points
        rows.append(Row(rows[-1].rank if same else position, player, points, count))
    return rows


def awards(state: Championship) -> list[Award]:
    """What the players get, once it is over; all at that moment (R42), each in full (R39)."""
    if state.stage != tournament_pb2.STAGE_OVER:
        return []
    return [
        Award(player, team.place.points, state.ended_ms)
        for team in state.teams
        if team.place is not None
        for player in team.players
    ]
