"""Where a hand of dominoes stands: all that the rules need to judge the next move."""

from enum import IntEnum
from typing import NamedTuple

Hands = tuple[int, int, int, int]
Ends = tuple[int, int]
Scores = tuple[int, int]


class Phase(IntEnum):
    """What is being waited for."""

    CHOOSE_OPENER = 1
    PLAY = 2
    HAND_OVER = 3
    MATCH_OVER = 4


class State(NamedTuple):
    """A hand in progress, or just over. Seats are 0-3, teams 0-1, tiles 0-27.

    The sleeping tiles and the chain are not here: no verdict depends on them.
    """

    phase: Phase
    hands: Hands
    """The tiles that each seat holds, as bit masks."""
    ends: Ends | None
    """The open numbers at the left and at the right; None on the empty table."""
    turn: int | None
    """The seat that has to act; while choosing, the winner of the hand before."""
    must_open: int | None
    """The double that has to open (R4)."""
    last_seat: int | None
    """Who laid the latest tile of this hand."""
    scores: Scores
    """The points of team 0 and team 1 in this match."""
    multiplier: int
    """What this hand counts (R19)."""
    led_5_0: int | None
    """The team that has led this match 5-0 (R28)."""


def team_of(seat: int) -> int:
    """The team of a seat (R1)."""
    return seat & 1


def next_seat(seat: int) -> int:
    """Who comes after this seat (R1)."""
    return (seat + 1) & 3


def partner_of(seat: int) -> int:
    """The seat opposite."""
    return seat ^ 2
