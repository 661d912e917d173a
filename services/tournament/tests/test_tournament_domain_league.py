"""Weeks of Recife and their leaderboard: beside the standard library, and the examples."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_tournament.domain.ranking import Award, leaderboard
from laelo_tournament.domain.weeks import WEEK_MS, begins_ms, week_of

VECTORS = Path(__file__).resolve().parents[3] / "tests" / "vectors" / "league.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]
WEEK = "2024-06-03"

RECIFE = timezone(timedelta(hours=-3))
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(0, 2**46)
"""Until the year 4199."""


def ms(text: str) -> int:
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(milliseconds=1)


def moment(moment_ms: int) -> datetime:
    return (EPOCH + timedelta(milliseconds=moment_ms)).astimezone(RECIFE)


def of(op: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["op"] == op]


# Weeks.


@given(MOMENTS)
def test_the_week_is_that_of_the_calendar(moment_ms: int) -> None:
    day = moment(moment_ms).date()
    assert week_of(moment_ms) == (day - timedelta(days=day.weekday())).isoformat()


@given(MOMENTS)
def test_a_week_begins_at_its_mondays_midnight_and_lasts_seven_days(moment_ms: int) -> None:
    week = week_of(moment_ms)
    begin = begins_ms(week)
    assert begin is not None
    assert moment(begin) == datetime.combine(date.fromisoformat(week), datetime.min.time(), RECIFE)
    assert begin <= moment_ms < begin + WEEK_MS
    assert week_of(begin) == week_of(begin + WEEK_MS - 1) == week
    assert week_of(begin - 1) < week < week_of(begin + WEEK_MS)


@given(st.dates(min_value=date(1970, 1, 5)))
def test_only_mondays_begin_a_week(day: date) -> None:
    assert (begins_ms(day.isoformat()) is not None) == (day.weekday() == 0)


@pytest.mark.parametrize(
    "text",
    ["", "2024-06-04", "2024-6-3", "2024-06-03 ", "2024-06-03\n", "24-06-03", "2023-02-29",
     "2024-13-02", "2024-00-01", "2024-06-00", "2024-04-31", "monday", "٢٠٢٤-٠٦-٠٣"],
)  # fmt: skip
def test_what_names_no_week(text: str) -> None:
    assert begins_ms(text) is None


@pytest.mark.parametrize("case", of("week"))
def test_vectors_of_weeks(case: dict[str, Any]) -> None:
    assert week_of(ms(case["given"]["instant"])) == case["expect"]["monday"]


# The leaderboard.

AWARDS = st.lists(
    st.builds(
        Award,
        st.sampled_from("abcdef"),
        st.sampled_from([1, 2, 4, 8]),
        st.integers(ms("2024-06-02T12:00:00-03:00"), ms("2024-06-11T12:00:00-03:00")),
    ),
    max_size=20,
)


@given(AWARDS, st.randoms(use_true_random=False))
def test_the_order_in_which_awards_are_told_means_nothing(awards: list[Award], order: Any) -> None:
    shuffled = list(awards)
    order.shuffle(shuffled)
    assert leaderboard(shuffled, WEEK) == leaderboard(awards, WEEK)


@given(AWARDS)
def test_the_leaderboard_is_what_the_rules_say(awards: list[Award]) -> None:
    rows = leaderboard(awards, WEEK)
    begin = begins_ms(WEEK)
    assert begin is not None
    inside = [award for award in awards if begin <= award.at_ms < begin + WEEK_MS]
    assert {row.player for row in rows} == {award.player for award in inside}
    assert len({row.player for row in rows}) == len(rows)
    for row in rows:
        own = [award for award in inside if award.player == row.player]
        assert (row.points, row.championships) == (sum(a.points for a in own), len(own))
        assert row.rank == 1 + sum(other.points > row.points for other in rows)
    for one, other in pairwise(rows):
        assert one.points >= other.points
        if one.points == other.points:
            assert reached(inside, one.player) <= reached(inside, other.player)


def reached(awards: list[Award], player: str) -> int:
    """When the points of now were first had: points only grow."""
    return max(award.at_ms for award in awards if award.player == player)


def test_ranks_are_shared_and_then_left_out() -> None:
    at_ms = ms("2024-06-05T12:00:00-03:00")
    points = {"ana": 8, "bia": 4, "caio": 4, "davi": 1}
    rows = leaderboard([Award(player, n, at_ms) for player, n in points.items()], WEEK)
    assert [row.rank for row in rows] == [1, 2, 2, 4]


@pytest.mark.parametrize("case", of("leaderboard"))
def test_vectors_of_leaderboards(case: dict[str, Any]) -> None:
    awards = [Award(player, points, ms(at)) for player, points, at in case["given"]["awards"]]
    rows = leaderboard(awards, case["given"]["monday"])
    assert [[row.rank, row.player, row.points] for row in rows] == case["expect"]["rows"]
