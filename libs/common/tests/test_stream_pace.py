"""Frames wait for company only where company comes."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.stream import Pace
from laelo_common.stream.frames import PacedWriter

RATES = st.floats(min_value=0, max_value=1e6)


@given(RATES)
def test_the_pace_keeps_its_bounds(rate: float) -> None:
    pace = Pace(most=0.02)
    assert pace.least <= pace.after(rate) <= pace.most


@given(RATES, RATES)
def test_the_busier_the_longer_until_frames_are_full(one: float, other: float) -> None:
    pace = Pace(most=0.02, full=40)
    less, more = sorted((one, other))
    if more * pace.most <= pace.full:
        assert pace.after(less) <= pace.after(more)
    else:
        assert pace.after(more) == pytest.approx(max(pace.least, pace.full / more))


def test_a_slow_stream_waits_the_least_and_a_busy_one_the_most() -> None:
    pace = Pace(least=0.001, most=0.021, calm=100, busy=500, full=42)
    assert pace.after(10) == pace.after(100) == pace.least
    assert pace.after(300) == pytest.approx(0.011)
    assert pace.after(500) == pace.after(2000) == pace.most
    assert pace.after(4000) == pytest.approx(0.0105)


class Feed:
    """Hands a writer so many items a frame and notes when frames were written."""

    def __init__(self, items_each: int, frames: int) -> None:
        self.writer: PacedWriter[Any] = PacedWriter(
            lambda items: items, Pace(0.001, 0.02, full=1e9)
        )
        self.items_each = items_each
        self.left = frames
        self.times: list[float] = []

    async def write(self, _frame: Any) -> None:
        self.times.append(asyncio.get_running_loop().time())
        self.left -= 1
        if self.left:
            self.writer.send_all([None] * self.items_each)
        else:
            self.writer.finish()

    @property
    def shortest(self) -> float:
        gaps = [after - before for before, after in zip(self.times, self.times[1:], strict=False)]
        return min(gaps[len(gaps) // 2 :])


@pytest.mark.parametrize(("items_each", "least"), [(1, 0.001), (200, 0.02)])
async def test_the_pace_follows_the_traffic(items_each: int, least: float) -> None:
    feed = Feed(items_each, frames=40)
    feed.writer.send_all([None] * items_each)
    await feed.writer.run(feed.write)
    assert len(feed.times) == 40
    assert feed.shortest >= least * 0.9
