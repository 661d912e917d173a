"""From a commit to the next state."""

from collections.abc import Callable
from typing import Any, Final

from laelo.tournament.v1 import events_pb2, tournament_pb2

from laelo_tournament.domain.bracket import Bracket, new_bracket, report
from laelo_tournament.domain.outcome import Refusal
from laelo_tournament.domain.places import Place
from laelo_tournament.domain.state import TEAMS, Championship, Team


class UnknownEventError(Exception):
    """A commit of a newer version of this service, or one that cannot follow on this state:
    nobody can tell what follows from it.
    """


def evolve(state: Championship, commit: events_pb2.Commit) -> Championship:
    """The state after a commit. Raises UnknownEventError."""
    head = commit.head
    after = state._replace(id=head.aggregate, version=head.version)
    for event in commit.events:
        after = apply(after, event, head.time_ms)
    return after


def apply(state: Championship, event: events_pb2.Event, time_ms: int) -> Championship:
    """The state after one event of a commit that was made at a moment."""
    kind = event.WhichOneof("event")
    if kind is None:
        raise UnknownEventError(f"championship {state.id}, after version {state.version}")
    after = _CHANGES[kind](state, getattr(event, kind), time_ms)
    return after._replace(history=(*state.history, (time_ms, event)))


def _started(
    state: Championship, event: events_pb2.ChampionshipStarted, time_ms: int
) -> Championship:
    return state._replace(
        tier=event.tier,
        stage=tournament_pb2.STAGE_RUNNING,
        started_ms=time_ms,
        commitment=event.commitment,
        seed=event.seed,
        players=tuple(event.players),
        bracket=_accepted(state, new_bracket(TEAMS.get(event.tier, 0))),
    )


def _team_drawn(state: Championship, event: events_pb2.TeamDrawn, time_ms: int) -> Championship:
    first, second = event.players
    animal, other = event.animals
    team = Team(event.number, (first, second), (animal, other), time_ms)
    return state._replace(teams=(*state.teams, team))


def _match_called(state: Championship, event: events_pb2.MatchCalled, _: int) -> Championship:
    if not all(1 <= team <= len(state.teams) for team in (event.team_a, event.team_b)):
        raise UnknownEventError(f"championship {state.id}: a match of teams that were not drawn")
    return state._replace(called={**state.called, event.match: event})


def _match_decided(
    state: Championship, event: events_pb2.MatchDecided, time_ms: int
) -> Championship:
    bracket = _accepted(state, report(state.bracket, event.match, event.winner))
    played = bracket.results[event.match]
    teams = tuple(
        team._replace(free_ms=time_ms) if team.number in played else team for team in state.teams
    )
    decided = {**state.decided, event.match: event}
    return state._replace(bracket=bracket, teams=teams, decided=decided)


def _team_placed(state: Championship, event: events_pb2.TeamPlaced, _: int) -> Championship:
    place = Place(event.best, event.worst, event.points)
    teams = tuple(
        team._replace(place=place) if team.number == event.team else team for team in state.teams
    )
    return state._replace(teams=teams)


def _ended(state: Championship, _: events_pb2.ChampionshipEnded, time_ms: int) -> Championship:
    return state._replace(stage=tournament_pb2.STAGE_OVER, ended_ms=time_ms)


def _cancelled(
    state: Championship, event: events_pb2.ChampionshipCancelled, time_ms: int
) -> Championship:
    cancelled = tournament_pb2.STAGE_CANCELLED
    return state._replace(stage=cancelled, ended_ms=time_ms, reason=event.reason)


def _accepted(state: Championship, bracket: Bracket | Refusal) -> Bracket:
    if isinstance(bracket, Refusal):
        raise UnknownEventError(
            f"championship {state.id}, version {state.version}: {bracket.reason}"
        )
    return bracket


_CHANGES: Final[dict[str, Callable[[Championship, Any, int], Championship]]] = {
    "started": _started,
    "team_drawn": _team_drawn,
    "match_called": _match_called,
    "match_decided": _match_decided,
    "team_placed": _team_placed,
    "ended": _ended,
    "cancelled": _cancelled,
}
"""What each event changes."""
