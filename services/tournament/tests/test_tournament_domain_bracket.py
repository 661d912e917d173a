"""The bracket: what holds whatever is reported, the examples, and what is refused."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_tournament.domain.bracket import Bracket, new_bracket, report
from laelo_tournament.domain.outcome import Refusal

from services.tournament.tests import brackets

VECTORS = Path(__file__).resolve().parents[3] / "tests" / "vectors" / "bracket.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]

SIZES = st.sampled_from(brackets.SIZES)
CHANCE = st.randoms(use_true_random=False)


# Whatever is reported.


def test_all_results_of_four_teams_in_all_orders() -> None:
    runs = list(brackets.every(brackets.empty(4)))
    # Two orders of each pair of matches; six results, and a seventh for each half of them.
    assert len(runs) == 2 * 2 * (2**5 + 2**6)
    assert len({run.played for run in runs}) == len(runs)
    for run in runs:
        brackets.check(run)


@pytest.mark.parametrize("size", [8, 16])
def test_two_thousand_random_results(size: int) -> None:
    for number in range(2_000):
        brackets.check(brackets.play(size, Random(number)))


@pytest.mark.slow
@pytest.mark.parametrize("size", [8, 16])
def test_a_hundred_thousand_random_results(size: int) -> None:
    for number in range(100_000):
        brackets.check(brackets.play(size, Random(-1 - number)))


@pytest.mark.parametrize("size", [4, 8, 16])
def test_rematches_happen_in_the_first_round_in_which_they_may(size: int) -> None:
    first = f"L{brackets.REMATCHES_FROM[size]}"
    assert any(has_rematch(brackets.play(size, Random(number)), first) for number in range(200))


def has_rematch(run: brackets.Run, name: str) -> bool:
    met = {
        frozenset(played[1:]) for played in run.played if brackets.round_of(played.match) != name
    }
    return any(
        frozenset(played[1:]) in met
        for played in run.played
        if brackets.round_of(played.match) == name
    )


@given(SIZES, CHANCE)
def test_the_order_of_the_reports_changes_nothing_else(size: int, chance: Random) -> None:
    run = brackets.play(size, chance)
    winners = {played.match: played.winner for played in run.played}
    other = brackets.empty(size)
    while not other.bracket.over:
        match = chance.choice(other.bracket.open)
        other = brackets.step(other, match, winners[match])
    assert dict(other.bracket.matches) == dict(run.bracket.matches)
    assert dict(other.bracket.results) == dict(run.bracket.results)
    assert dict(other.bracket.placed) == dict(run.bracket.placed)
    assert other.bracket.champion == run.bracket.champion


@given(SIZES, CHANCE, st.text(max_size=5), st.integers(-1, 17))
def test_a_refused_report_is_refused_for_the_first_reason(
    size: int, chance: Random, name: str, team: int
) -> None:
    run = brackets.empty(size)
    for _ in range(chance.randrange(2 * size)):
        if not run.bracket.over:
            match = chance.choice(run.bracket.open)
            run = brackets.step(run, match, chance.choice(brackets.teams_of(run, match)))
    for match in (name, "L9-1", *run.bracket.matches):
        came = report(run.bracket, match, team)
        expected = reason(run.bracket, match, team)
        assert (came.code if isinstance(came, Refusal) else None) == expected


def reason(bracket: Bracket, match: str, team: int) -> str | None:
    """R39's last line, once more."""
    if match not in bracket.matches:
        return "UNKNOWN_MATCH"
    if match in bracket.results:
        return "ALREADY_DECIDED"
    if None in bracket.matches[match]:
        return "NOT_READY"
    return None if team in bracket.matches[match] else "NOT_IN_MATCH"


@given(st.integers(-100, 100).filter(lambda size: size not in brackets.SIZES))
def test_other_sizes_are_refused(size: int) -> None:
    came = new_bracket(size)
    assert isinstance(came, Refusal)
    assert came.code == "BAD_SIZE"


def test_a_report_leaves_the_bracket_before_it_as_it_was() -> None:
    before = new_bracket(8)
    assert isinstance(before, Bracket)
    report(before, "W1-1", 2)
    assert before == new_bracket(8)


# The examples.


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_vectors(case: dict[str, Any]) -> None:
    bracket = new_bracket(case["given"]["size"])
    assert isinstance(bracket, Bracket)
    for match, winner in case["given"]["results"]:
        bracket = report(bracket, match, winner)
        assert isinstance(bracket, Bracket)
    if case["op"] == "bracket":
        assert as_json(bracket) == case["expect"]
        assert list(bracket.matches) == list(case["expect"]["matches"])
    else:
        refused = report(bracket, *case["given"]["report"])
        assert isinstance(refused, Refusal)
        assert refused.code == case["expect"]["error"]


def as_json(bracket: Bracket) -> dict[str, Any]:
    return {
        "matches": {match: list(pair) for match, pair in bracket.matches.items()},
        "open": bracket.open,
        "results": {match: list(result) for match, result in bracket.results.items()},
        "placed": {str(team): list(place) for team, place in bracket.placed.items()},
        "champion": bracket.champion,
        "over": bracket.over,
    }
