"""A bracket with two defeats and out (R37, R38): which teams meet, who is out, who has won.

Teams are numbered from 1 in the order of the draw.
"""

from collections.abc import Mapping
from typing import NamedTuple

from laelo_tournament.domain.outcome import (
    ALREADY_DECIDED,
    BAD_SIZE,
    NOT_IN_MATCH,
    NOT_READY,
    UNKNOWN_MATCH,
    Refusal,
)
from laelo_tournament.domain.places import Place
from laelo_tournament.domain.routes import FINAL, SECOND_FINAL, SIZES, Slot, routes

Pair = tuple[int | None, int | None]


class Bracket(NamedTuple):
    """How far a championship's matches are. The mappings are never changed in place."""

    size: int
    matches: Mapping[str, Pair]
    """The two teams of each match, None = not known yet, in the order of the bracket; F2 is
    there once it is needed."""
    results: Mapping[str, tuple[int, int]]
    """Winner and loser of each decided match, in the order of the reports."""
    placed: Mapping[int, Place]
    """What the teams have got that are out, or champion."""
    champion: int | None

    @property
    def over(self) -> bool:
        """Whether there is a champion."""
        return self.champion is not None

    @property
    def open(self) -> list[str]:
        """The matches that can be played now: both teams known, no winner yet."""
        return [
            match
            for match, pair in self.matches.items()
            if None not in pair and match not in self.results
        ]


def new_bracket(size: int) -> Bracket | Refusal:
    """The bracket of so many teams before its first match; BAD_SIZE."""
    if size not in SIZES:
        return BAD_SIZE
    first, names, *_ = routes(size)
    matches: dict[str, Pair] = {match: first.get(match, (None, None)) for match in names}
    matches[FINAL] = (None, None)
    return Bracket(size, matches, {}, {}, None)


def report(bracket: Bracket, match: str, winner: int) -> Bracket | Refusal:
    """The bracket after a match; UNKNOWN_MATCH, ALREADY_DECIDED, NOT_READY or NOT_IN_MATCH,
    the first that applies.
    """
    pair = bracket.matches.get(match)
    if pair is None:
        return UNKNOWN_MATCH
    if match in bracket.results:
        return ALREADY_DECIDED
    team_a, team_b = pair
    if team_a is None or team_b is None:
        return NOT_READY
    if winner not in (team_a, team_b):
        return NOT_IN_MATCH
    loser = team_b if winner == team_a else team_a
    decided = bracket._replace(results={**bracket.results, match: (winner, loser)})
    if match in (FINAL, SECOND_FINAL):
        return _after_final(decided, match, winner, loser)
    return _after(decided, match, winner, loser)


def _after(bracket: Bracket, match: str, winner: int, loser: int) -> Bracket:
    route = routes(bracket.size).after[match]
    matches = dict(bracket.matches)
    _seat(matches, route.winner, winner)
    if route.loser is not None:
        _seat(matches, route.loser, loser)
    if route.out is None:
        return bracket._replace(matches=matches)
    return bracket._replace(matches=matches, placed={**bracket.placed, loser: route.out})


def _seat(matches: dict[str, Pair], slot: Slot, team: int) -> None:
    first, second = matches[slot.match]
    matches[slot.match] = (first, team) if slot.side else (team, second)


def _after_final(bracket: Bracket, match: str, winner: int, loser: int) -> Bracket:
    pair = bracket.matches[match]
    undefeated, _ = pair
    if match == FINAL and loser == undefeated:
        # It was this team's first defeat: once more, between the same two.
        return bracket._replace(matches={**bracket.matches, SECOND_FINAL: pair})
    ranks = routes(bracket.size).places
    placed = {**bracket.placed, loser: ranks.second, winner: ranks.champion}
    return bracket._replace(placed=placed, champion=winner)
