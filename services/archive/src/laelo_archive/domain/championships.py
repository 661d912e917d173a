"""From the commits of a championship to its row, and to who is who in it."""

from typing import Final

import msgspec
from laelo.tournament.v1 import events_pb2, tournament_pb2
from msgspec.structs import replace

from laelo_archive.domain.rows import ChampionshipRow, EntryRow, Row
from laelo_archive.domain.tables import UnknownEventError


class Team(msgspec.Struct, frozen=True, array_like=True):
    """Two players, and how far they came."""

    number: int
    players: tuple[str, ...]
    animals: tuple[str, ...]
    best: int = 0
    worst: int = 0
    points: int = 0


class Championship(msgspec.Struct, frozen=True, array_like=True):
    """A championship after some commit."""

    tier: int = 0
    stage: int = 0
    started_ms: int = 0
    ended_ms: int = 0
    champion: int = 0
    teams: tuple[Team, ...] = ()


NO_CHAMPIONSHIP: Final = Championship()


def fold(before: Championship, commit: events_pb2.Commit) -> tuple[Championship, list[Row]]:
    """The championship after a commit, and the rows that are new or changed.

    Raises UnknownEventError.
    """
    head = commit.head
    after = before
    for event in commit.events:
        kind = event.WhichOneof("event")
        if kind is None:
            raise UnknownEventError(f"commit {head.version}")
        after = _step(after, event, head.time_ms)
    rows: list[Row] = []
    shown = _row(head.aggregate, after)
    if shown != _row(head.aggregate, before):
        rows.append(shown)
    known = set(_entries(head.aggregate, before))
    rows += [entry for entry in _entries(head.aggregate, after) if entry not in known]
    return after, rows


def _step(state: Championship, event: events_pb2.Event, now_ms: int) -> Championship:
    match event.WhichOneof("event"):
        case "started":
            tier = event.started.tier
            return replace(state, tier=tier, stage=tournament_pb2.STAGE_RUNNING, started_ms=now_ms)
        case "team_drawn":
            drawn = event.team_drawn
            team = Team(drawn.number, tuple(drawn.players), tuple(drawn.animals))
            return replace(state, teams=(*state.teams, team))
        case "team_placed":
            placed = event.team_placed
            teams = [
                replace(team, best=placed.best, worst=placed.worst, points=placed.points)
                if team.number == placed.team
                else team
                for team in state.teams
            ]
            return replace(state, teams=tuple(teams))
        case "ended":
            champion = event.ended.champion
            return replace(
                state, stage=tournament_pb2.STAGE_OVER, ended_ms=now_ms, champion=champion
            )
        case "cancelled":
            return replace(state, stage=tournament_pb2.STAGE_CANCELLED, ended_ms=now_ms)
    return state


def _row(championship: str, state: Championship) -> ChampionshipRow:
    return ChampionshipRow(
        id=championship,
        tier=state.tier,
        stage=state.stage,
        started_ms=state.started_ms,
        ended_ms=state.ended_ms,
        champion=state.champion,
    )


def _entries(championship: str, state: Championship) -> list[EntryRow]:
    """Who is who. Once it is over or cancelled the draw's seed is told, and with it everybody."""
    is_open = state.stage in (tournament_pb2.STAGE_OVER, tournament_pb2.STAGE_CANCELLED)
    return [
        EntryRow(
            championship=championship,
            player=player,
            team=team.number,
            place=place,
            animal=team.animals[place],
            open=is_open or team.best > 0,
            best=team.best,
            worst=team.worst,
            points=team.points,
        )
        for team in state.teams
        for place, player in enumerate(team.players)
    ]
