"""What a team gets when it is out, or champion (R39)."""

from typing import NamedTuple


class Place(NamedTuple):
    """Places from `best` to `worst`, shared by all teams put out in the same round, and the
    points of each player of such a team.
    """

    best: int
    worst: int
    points: int


class Places(NamedTuple):
    """The places of a bracket."""

    out: tuple[Place, ...]
    """Of those put out in the rounds of the losers' side, L1 first."""
    second: Place
    champion: Place


def places(size: int, rounds: tuple[int, ...]) -> Places:
    """The places of a bracket of so many teams; `rounds` are the numbers of matches in the
    rounds of its losers' side. Points double from place to place, from 1.
    """
    out: list[Place] = []
    left = size
    for matches in rounds:
        out.append(Place(left - matches + 1, left, 2 ** len(out)))
        left -= matches
    points = 2 ** len(out)
    return Places(tuple(out), Place(2, 2, points), Place(1, 1, 2 * points))
