"""Plays brackets to the end, in any order of the matches, and checks what R37-R39 say of all."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from laelo_tournament.domain.bracket import Bracket, new_bracket, report

SIZES = (4, 8, 16)

MATCHES = {4: (6, 7), 8: (14, 15), 16: (30, 31)}
"""How many are played: without and with the second final (R38)."""

PUT_OUT = {
    4: {"L1": (4, 4, 1), "L2": (3, 3, 2), "F": (2, 2, 4), "champion": (1, 1, 8)},
    8: {
        "L1": (7, 8, 1),
        "L2": (5, 6, 2),
        "L3": (4, 4, 4),
        "L4": (3, 3, 8),
        "F": (2, 2, 16),
        "champion": (1, 1, 32),
    },
    16: {
        "L1": (13, 16, 1),
        "L2": (9, 12, 2),
        "L3": (7, 8, 4),
        "L4": (5, 6, 8),
        "L5": (4, 4, 16),
        "L6": (3, 3, 32),
        "F": (2, 2, 64),
        "champion": (1, 1, 128),
    },
}
"""The table of R39: best and worst place, points."""

POINTS = {4: 15, 8: 66, 16: 276}
"""Of all teams together."""

REMATCHES_FROM = {4: 2, 8: 3, 16: 4}
"""The first round of the losers' side in which two may meet again."""


class Played(NamedTuple):
    """A decided match."""

    match: str
    winner: int
    loser: int


class Run(NamedTuple):
    """A bracket and the matches that led to it."""

    bracket: Bracket
    played: tuple[Played, ...] = ()


def empty(size: int) -> Run:
    """Before the first match."""
    bracket = new_bracket(size)
    assert isinstance(bracket, Bracket)
    return Run(bracket)


def step(run: Run, match: str, winner: int) -> Run:
    """After one more match, which has to be one that can be played."""
    (loser,) = set(run.bracket.matches[match]) - {winner}
    assert loser is not None
    bracket = report(run.bracket, match, winner)
    assert isinstance(bracket, Bracket), bracket
    return Run(bracket, (*run.played, Played(match, winner, loser)))


def play(size: int, chance: Random) -> Run:
    """To the end, the next match and its winner at random."""
    run = empty(size)
    while not run.bracket.over:
        match = chance.choice(run.bracket.open)
        run = step(run, match, chance.choice(teams_of(run, match)))
    return run


def every(run: Run) -> Iterator[Run]:
    """All ends that a run can come to, by all orders of the matches and all winners."""
    if run.bracket.over:
        yield run
    for match in run.bracket.open:
        for winner in teams_of(run, match):
            yield from every(step(run, match, winner))


def teams_of(run: Run, match: str) -> list[int]:
    """The teams of a match that can be played."""
    return [team for team in run.bracket.matches[match] if team is not None]


def check_defeats(run: Run) -> None:
    """The champion has at most one, every other exactly two; nobody plays on after that."""
    bracket = run.bracket
    defeats = Counter(played.loser for played in run.played)
    others = set(range(1, bracket.size + 1)) - {bracket.champion}
    assert bracket.champion is not None
    assert defeats[bracket.champion] <= 1
    assert {defeats[team] for team in others} == {2}
    last = run.played[-1]
    assert last.winner == bracket.champion


def check_matches(run: Run) -> None:
    """As many as R38 says, each once, none left, the second final only when it is needed."""
    bracket = run.bracket
    names = [played.match for played in run.played]
    without, with_second = MATCHES[bracket.size]
    beaten = {played.loser for played in run.played if not played.match.startswith("F")}
    first_final = next(played for played in run.played if played.match == "F1")
    assert ("F2" in names) == (first_final.loser not in beaten)
    assert len(names) == len(set(names)) == (with_second if "F2" in names else without)
    assert set(names) == set(bracket.matches) == set(bracket.results)
    assert bracket.open == []


def check_places(run: Run) -> None:
    """Each team gets what R39 says of the round of its second defeat."""
    bracket = run.bracket
    table = PUT_OUT[bracket.size]
    expected = {played.loser: table[round_of(played.match)] for played in run.played[:-1]
                if not played.match.startswith("W")}  # fmt: skip
    expected[run.played[-1].loser] = table["F"]
    expected[run.played[-1].winner] = table["champion"]
    assert dict(bracket.placed) == expected
    assert len(expected) == bracket.size
    assert sum(place.points for place in bracket.placed.values()) == POINTS[bracket.size]


def round_of(match: str) -> str:
    """Its name in the table: L1, L2, ..., F."""
    return "F" if match.startswith("F") else match.partition("-")[0]


def check_rematches(run: Run) -> None:
    """Nobody meets again before the round that R37 names."""
    met: set[frozenset[int]] = set()
    for match, winner, loser in run.played:
        pair = frozenset((winner, loser))
        assert pair not in met or may_be_rematch(run.bracket.size, match), (match, pair)
        met.add(pair)


def may_be_rematch(size: int, match: str) -> bool:
    """Whether its two may have met before."""
    name = round_of(match)
    return name == "F" or (name.startswith("L") and int(name[1:]) >= REMATCHES_FROM[size])


def check(run: Run) -> None:
    """All of it."""
    check_defeats(run)
    check_matches(run)
    check_places(run)
    check_rematches(run)
