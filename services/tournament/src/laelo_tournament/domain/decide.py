"""From a command to what follows: events or a refusal, which changes nothing.

No events mean that the command was done before: there is nothing to append, and whoever asks
is answered as the first time.
"""

from collections.abc import Iterator
from typing import Final

from laelo.tournament.v1 import events_pb2, tournament_pb2

from laelo_tournament.domain.bracket import Bracket, new_bracket, report
from laelo_tournament.domain.commands import AnyCommand, Cancel, Result, Start
from laelo_tournament.domain.draw import SEED_BYTES, Drawn, commitment, draw
from laelo_tournament.domain.evolve import apply
from laelo_tournament.domain.outcome import (
    BAD_SIZE,
    CHAMPIONSHIP_OVER,
    UNKNOWN_CHAMPIONSHIP,
    Facts,
    Refusal,
)
from laelo_tournament.domain.state import TEAMS, Championship
from laelo_tournament.domain.tables import table_of

REASON_LENGTH: Final = 200

_NO_SEED: Final = Refusal("BAD_REQUEST", f"a draw needs a seed of {SEED_BYTES} bytes")
_NO_PLAYERS: Final = Refusal("BAD_REQUEST", "players are as many as the size says, each once")
_OTHER_START: Final = Refusal("BAD_REQUEST", "another championship was begun under this id")
_NO_REASON: Final = Refusal("BAD_REQUEST", f"a reason has 1 to {REASON_LENGTH} characters")
_NO_OPERATOR: Final = Refusal("BAD_REQUEST", "who cancels a championship has to be named")

Events = list[events_pb2.Event]


def decide(state: Championship, command: AnyCommand, facts: Facts) -> Events | Refusal:
    """What follows from a command."""
    if isinstance(command, Start):
        return _start(state, command, facts)
    if not state.version:
        return UNKNOWN_CHAMPIONSHIP
    if isinstance(command, Cancel):
        return _cancel(state, command)
    return _result(state, command, facts)


def _start(state: Championship, command: Start, facts: Facts) -> Events | Refusal:
    championship, tier, players = command
    if state.version:
        same = (state.tier, state.players) == (tier, players)
        return [] if same else _OTHER_START
    bracket = new_bracket(TEAMS.get(tier, 0))
    if isinstance(bracket, Refusal):
        return BAD_SIZE
    if "" in players or not len(players) == len(set(players)) == 2 * bracket.size:
        return _NO_PLAYERS
    if len(facts.seed) != SEED_BYTES:
        return _NO_SEED
    started = events_pb2.ChampionshipStarted(
        tier=tier, players=players, commitment=commitment(facts.seed), seed=facts.seed
    )
    events = [
        events_pb2.Event(started=started),
        *(_team_drawn(number, team) for number, team in enumerate(draw(facts.seed, players), 1)),
    ]
    after = state._replace(id=championship)
    for event in events:
        after = apply(after, event, facts.now_ms)
    return [*events, *_called(after, bracket, facts)]


def _team_drawn(number: int, team: Drawn) -> events_pb2.Event:
    drawn = events_pb2.TeamDrawn(number=number, players=team.players, animals=team.animals)
    return events_pb2.Event(team_drawn=drawn)


def _cancel(state: Championship, command: Cancel) -> Events | Refusal:
    if state.stage == tournament_pb2.STAGE_CANCELLED:
        return []
    if state.stage == tournament_pb2.STAGE_OVER:
        return CHAMPIONSHIP_OVER
    if not 1 <= len(command.reason.strip()) <= len(command.reason) <= REASON_LENGTH:
        return _NO_REASON
    if not command.operator:
        return _NO_OPERATOR
    cancelled = events_pb2.ChampionshipCancelled(reason=command.reason)
    return [events_pb2.Event(cancelled=cancelled)]


def _result(state: Championship, command: Result, facts: Facts) -> Events | Refusal:
    decided = events_pb2.MatchDecided(**command._asdict())
    if decided == state.decided.get(command.match):
        return []
    if state.stage == tournament_pb2.STAGE_CANCELLED:
        return CHAMPIONSHIP_OVER
    bracket = report(state.bracket, command.match, command.winner)
    if isinstance(bracket, Refusal):
        return bracket
    return [
        events_pb2.Event(match_decided=decided),
        *_placed(state.bracket, bracket),
        *_called(state, bracket, facts),
        *_ended(bracket),
    ]


def _placed(before: Bracket, after: Bracket) -> Iterator[events_pb2.Event]:
    for team, place in after.placed.items():
        if team not in before.placed:
            placed = events_pb2.TeamPlaced(team=team, **place._asdict())
            yield events_pb2.Event(team_placed=placed)


def _called(state: Championship, bracket: Bracket, facts: Facts) -> Iterator[events_pb2.Event]:
    """The matches whose teams are known now, each after the pause of both (R41)."""
    for match, (team_a, team_b) in bracket.matches.items():
        if team_a and team_b and match not in state.called:
            # The time of a commit may be a little behind one before it, of another replica.
            free_ms = (state.teams[team - 1].free_ms for team in (team_a, team_b))
            called = events_pb2.MatchCalled(
                match=match,
                team_a=team_a,
                team_b=team_b,
                table=table_of(state.seed, state.id, match),
                starts_ms=max(facts.now_ms, *free_ms) + facts.pause_ms,
            )
            yield events_pb2.Event(match_called=called)


def _ended(bracket: Bracket) -> Iterator[events_pb2.Event]:
    if bracket.champion is not None:
        ended = events_pb2.ChampionshipEnded(champion=bracket.champion)
        yield events_pb2.Event(ended=ended)
