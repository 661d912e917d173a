"""The score of a match and its end (R26-R28)."""

from typing import Final, NamedTuple

from .hand_end import HandEnd
from .state import Scores

POINTS_TO_WIN: Final = 6


class MatchEnd(NamedTuple):
    """Who won a match, and how."""

    team: int
    scores: Scores
    buchuda: bool
    """The other team has no point (R27)."""
    buchuda_de_re: bool
    """The other team had led 5-0 (R28)."""


def book(scores: Scores, hand_end: HandEnd) -> Scores:
    """The score after a hand."""
    ours, theirs = scores
    if hand_end.team == 0:
        return ours + hand_end.points, theirs
    return ours, theirs + hand_end.points


def leader_5_0(scores: Scores, before: int | None) -> int | None:
    """The team that has led 5-0 in this match, given the one `before` this hand."""
    if scores == (5, 0):
        return 0
    if scores == (0, 5):
        return 1
    return before


def match_end(scores: Scores, led_5_0: int | None) -> MatchEnd | None:
    """The end of the match, if a team has reached 6 points."""
    if max(scores) < POINTS_TO_WIN:
        return None
    team = 0 if scores[0] >= POINTS_TO_WIN else 1
    loser = 1 - team
    return MatchEnd(team, scores, scores[loser] == 0, led_5_0 == loser)
