"""What records can hold: whatever PostgreSQL would refuse is found before it is asked.

One championship that it refuses would stop all that are recorded after it, so what makes it do
that makes no sense, as far as records go.
"""

from collections.abc import Iterator
from typing import Final

from laelo.tournament.v1 import tournament_pb2

from laelo_tournament.domain.ranking import awards
from laelo_tournament.domain.state import Championship

MOST: Final = 2**15 - 1
"""No team has a greater number, and nobody gets more points in one championship."""
MOST_MS: Final = 253_402_300_799_999
"""The end of the year 9999, for times since 1970."""
MOST_BYTES: Final = 1000
"""No text is longer: of two such ones PostgreSQL still makes a line of an index."""

_OVER: Final = (tournament_pb2.STAGE_OVER, tournament_pb2.STAGE_CANCELLED)


def misfit(state: Championship) -> str:
    """What of a championship that is over or cancelled could not be recorded; empty = nothing."""
    return next(_misfits(state), "")


def _misfits(state: Championship) -> Iterator[str]:
    if state.stage not in _OVER:
        yield "its stage"
    if not all(0 <= moment <= MOST_MS for moment in (state.started_ms, state.ended_ms)):
        yield "its times"
    numbers = [team.number for team in state.teams]
    if len(set(numbers)) < len(numbers) or not all(0 <= number <= MOST for number in numbers):
        yield "its teams' numbers"
    players = [player for team in state.teams for player in team.players]
    if len(set(players)) < len(players):
        yield "a player in two places"
    animals = (animal for team in state.teams for animal in team.animals)
    if not all(_is_text(text) for text in (state.id, *players, *animals)):
        yield "a name"
    if not all(0 < award.points <= MOST for award in awards(state)):
        yield "its points"


def _is_text(text: str) -> bool:
    return "\0" not in text and len(text.encode()) <= MOST_BYTES
