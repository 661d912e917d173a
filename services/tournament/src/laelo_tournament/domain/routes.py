"""How the matches of a bracket hang together: where winner and loser of each go (R37, R38)."""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from laelo_tournament.domain.places import Place, Places, places

FINAL: Final = "F1"
SECOND_FINAL: Final = "F2"

SIZES: Final = (4, 8, 16)
"""Numbers of teams that a bracket can have."""

_DOWN: Final[dict[int, dict[int, tuple[int, ...]]]] = {
    4: {2: (1,)},
    8: {2: (2, 1), 4: (1,)},
    16: {2: (4, 3, 2, 1), 4: (1, 2), 6: (1,)},
}
"""For each even round of the losers' side: from which matches of the winners' side the losers
come down into its matches, in their order. Crosswise, so that nobody meets again early.
"""


class Slot(NamedTuple):
    """A team's place in a match: 0 = first, 1 = second."""

    match: str
    side: int


class Route(NamedTuple):
    """Where the teams of a match go."""

    winner: Slot
    loser: Slot | None
    """None: its loser is out."""
    out: Place | None
    """What its loser gets then."""


class Routes(NamedTuple):
    """A whole bracket."""

    first: dict[str, tuple[int, int]]
    """The matches whose teams are known from the draw."""
    matches: tuple[str, ...]
    """All but the finals, in the order of the bracket."""
    after: dict[str, Route]
    """Where it goes on after each match but the finals."""
    places: Places


@cache
def routes(size: int) -> Routes:
    """The bracket of so many teams, one of SIZES."""
    winners = _winners_rounds(size)
    losers = _losers_rounds(size)
    ranks = places(size, tuple(len(matches) for matches in losers))
    down = dict(_coming_down(size, winners, losers))
    after = dict(_winners_side(winners, down))
    for number, matches in enumerate(losers):
        for place, match in enumerate(matches):
            after[match] = Route(_upwards(losers, number, place), None, ranks.out[number])
    first = {match: (2 * place + 1, 2 * place + 2) for place, match in enumerate(winners[0])}
    return Routes(first, tuple(after), after, ranks)


_Rounds = list[list[str]]


def _names(side: str, number: int, count: int) -> list[str]:
    return [f"{side}{number}-{place}" for place in range(1, count + 1)]


def _winners_rounds(size: int) -> _Rounds:
    """Names of the matches of W1, W2, ...: each round has half as many as the one before."""
    return [_names("W", number, size >> number) for number in range(1, size.bit_length())]


def _losers_rounds(size: int) -> _Rounds:
    """Names of the matches of L1, L2, ...: two rounds of each length."""
    lengths = [size >> half for half in range(2, size.bit_length()) for _ in range(2)]
    return [_names("L", number, length) for number, length in enumerate(lengths, start=1)]


def _coming_down(size: int, winners: _Rounds, losers: _Rounds) -> Iterator[tuple[str, Slot]]:
    """Where the loser of each match of the winners' side goes."""
    for place, match in enumerate(winners[0]):
        yield match, Slot(losers[0][place // 2], place % 2)
    for number, sources in _DOWN[size].items():
        for place, source in enumerate(sources):
            yield winners[number // 2][source - 1], Slot(losers[number - 1][place], 1)


def _winners_side(rounds: _Rounds, down: dict[str, Slot]) -> Iterator[tuple[str, Route]]:
    for number, matches in enumerate(rounds, start=1):
        for place, match in enumerate(matches):
            last = number == len(rounds)
            up = Slot(FINAL, 0) if last else Slot(rounds[number][place // 2], place % 2)
            yield match, Route(up, down[match], None)


def _upwards(rounds: _Rounds, number: int, place: int) -> Slot:
    """Where the winner of a match of the losers' side goes: after an odd round to meet one
    who comes down, after an even one its neighbour.
    """
    if number + 1 == len(rounds):
        return Slot(FINAL, 1)
    following = rounds[number + 1]
    if len(following) == len(rounds[number]):
        return Slot(following[place], 0)
    return Slot(following[place // 2], place % 2)
