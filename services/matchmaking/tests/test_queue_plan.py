"""R35: when championships start, and with whom."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_matchmaking.domain import plan
from laelo_matchmaking.domain.triggers import next_start

from .kit import GOLD, people

VECTORS = Path(__file__).resolve().parents[3] / "tests" / "vectors" / "league.json"
CASES = [c for c in json.loads(VECTORS.read_text())["cases"] if c["op"] == "queue"]
WAIT = 180

QUEUES = st.lists(st.integers(0, 500), max_size=100).map(
    lambda times: list(zip(people(len(times)), times, strict=True))
)
"""Joining times in any order: who has an old place back joined later than those behind."""


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_of_the_vectors(case: dict[str, Any]) -> None:
    given_, expected = case["given"], case["expect"]
    queue = [(player, joined) for player, joined in given_["queue"]]
    planned = plan(queue, given_["now"], given_["wait"])
    starts = [{"name": start.name, "players": start.players} for start in planned.starts]
    assert starts == expected["start"]
    assert planned.left == expected["left"]
    assert planned.look_again_at == expected["look_again_at"]


def test_all_cases_of_the_queue_are_there() -> None:
    assert len(CASES) == 8


@given(QUEUES, st.integers(500, 1000))
def test_nobody_is_lost_and_the_order_is_kept(queue: list[tuple[str, int]], now: int) -> None:
    planned = plan(queue, now, WAIT)
    called = chain.from_iterable(start.players for start in planned.starts)
    assert [*called, *planned.left] == [player for player, _ in queue]


@given(QUEUES, st.integers(500, 1000))
def test_the_rule_is_applied_until_it_calls_for_nothing(
    queue: list[tuple[str, int]], now: int
) -> None:
    planned = plan(queue, now, WAIT)
    left = queue[len(queue) - len(planned.left) :]
    assert plan(left, now, WAIT) == ([], planned.left, planned.look_again_at)
    assert len(left) < 32
    if len(left) < 8:
        assert planned.look_again_at is None
    else:
        assert planned.look_again_at == left[7][1] + WAIT > now


@given(QUEUES, st.integers(500, 1000))
def test_sizes_are_the_biggest_there_may_be(queue: list[tuple[str, int]], now: int) -> None:
    remaining = len(queue)
    for start in plan(queue, now, WAIT).starts:
        size = len(start.players)
        assert size == max(size for size in (8, 16, 32) if size <= remaining)
        assert {"bronze": 8, "silver": 16, "gold": 32}[start.name] == size
        remaining -= size


@given(QUEUES, st.integers(500, 1000))
def test_what_starts_next_starts_then_and_not_before(
    queue: list[tuple[str, int]], now: int
) -> None:
    left = queue[len(queue) - len(plan(queue, now, WAIT).left) :]
    upcoming = next_start(left, WAIT)
    if upcoming is None:
        assert not plan(left, 10**9, WAIT).starts
        return
    assert not plan(left, upcoming.at - 1, WAIT).starts
    assert plan(left, upcoming.at, WAIT).starts[0].tier == upcoming.tier


def test_gold_starts_at_once_even_if_another_clock_is_ahead() -> None:
    queue = [(player, 1000) for player in people(32)]
    planned = plan(queue, 999, WAIT)
    assert [start.tier for start in planned.starts] == [GOLD]
    assert next_start(queue, WAIT) == (GOLD, 1000)
