"""A soak tells what grows, and nothing else."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bench.soak.__main__ import FEW, SETTLED_MINUTES, grown


def samples(tasks: list[float], consumers: list[int]) -> list[dict[str, Any]]:
    return [
        {
            "minute": SETTLED_MINUTES + number,
            "services": {"table": {"tasks": held, "memory_mb": 50.0 * (number + 1)}},
            "log": {"consumers": some},
        }
        for number, (held, some) in enumerate(zip(tasks, consumers, strict=True))
    ]


@given(st.floats(1, 1000), st.integers(6, 60))
def test_what_stays_or_fills_up_at_first_is_no_growth(held: float, count: int) -> None:
    rising_first = [held * number / (count // 3) for number in range(count // 3)]
    tasks = rising_first + [held] * (count - len(rising_first))
    assert grown(samples(tasks, [4] * count)) == {}


@given(st.integers(9, 60))
def test_a_task_for_each_table_that_ended_is_growth(count: int) -> None:
    found = grown(samples([10.0 * (number + FEW) for number in range(count)], [4] * count))
    assert list(found) == ["table tasks"]


def test_a_consumer_more_is_growth() -> None:
    assert list(grown(samples([10.0] * 9, [4] * 6 + [5] * 3))) == ["consumers"]


def test_a_short_run_says_nothing() -> None:
    short = samples([10.0, 100.0, 1000.0], [1, 2, 3])
    for sample in short:
        sample["minute"] -= SETTLED_MINUTES
    assert grown(short) == {}
