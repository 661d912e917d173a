"""What leaves the service of a championship: `public` for anybody, `entries` for the gateway.

Who is who stays hidden until a team is out or champion (R40); the seed and the order of the
queue, which tell it of everybody, until it is over or cancelled.
"""

from laelo.tournament.v1 import events_pb2, tournament_pb2

from laelo_tournament.domain.bracket import Pair
from laelo_tournament.domain.state import Championship, Team, is_running

_NOT_CALLED = events_pb2.MatchCalled()
_NOT_DECIDED = events_pb2.MatchDecided()


def public(state: Championship) -> tournament_pb2.Championship:
    """A championship as anybody may see it."""
    shown = without_matches(state)
    shown.matches.extend(
        _match(state, match, pair) for match, pair in state.bracket.matches.items()
    )
    return shown


def without_matches(state: Championship) -> tournament_pb2.Championship:
    """The same for a list of championships."""
    shown = tournament_pb2.Championship(
        id=state.id,
        version=state.version,
        tier=state.tier,
        stage=state.stage,
        started_ms=state.started_ms,
        ended_ms=state.ended_ms,
        commitment=state.commitment,
        teams=[_team(team) for team in state.teams],
        champion=state.bracket.champion or 0,
        reason=state.reason,
    )
    if not is_running(state):
        shown.seed = state.seed
        shown.players.extend(state.players)
    return shown


def entries(state: Championship) -> list[tournament_pb2.Entry]:
    """Who is who, by team. For the gateway alone: an entry goes to no client but its player's."""
    return [
        tournament_pb2.Entry(
            player=player, team=team.number, place=place, animal=team.animals[place]
        )
        for team in state.teams
        for place, player in enumerate(team.players)
    ]


def _team(team: Team) -> tournament_pb2.Team:
    shown = tournament_pb2.Team(number=team.number, animals=team.animals)
    if team.place is not None:
        shown.players.extend(team.players)
        shown.best, shown.worst, shown.points = team.place
    return shown


def _match(state: Championship, match: str, pair: Pair) -> tournament_pb2.Match:
    team_a, team_b = pair
    called = state.called.get(match, _NOT_CALLED)
    decided = state.decided.get(match, _NOT_DECIDED)
    return tournament_pb2.Match(
        id=match,
        team_a=team_a or 0,
        team_b=team_b or 0,
        table=called.table,
        starts_ms=called.starts_ms,
        winner=decided.winner,
        score_a=decided.score_a,
        score_b=decided.score_b,
    )
