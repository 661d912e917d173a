"""Whatever is killed in mid-championship, it goes on to its end, and nobody is left in limbo."""

import asyncio
from signal import SIGKILL

import pytest
from laelo_bots.domain.levels import Level
from laelo_tools.bots.player import Style
from laelo_tools.load.visitor import Frame
from laelo_tools.platform import Options, Platform

from .crowd import Crowd, checked, ended, eventually, join_in_turn, nobody_in_limbo

pytestmark = [pytest.mark.integration, pytest.mark.faults]

KILLED = ("matchmaking-1", "tournament-1", "table-1", "gateway-1", "nats", "postgres")
EVERY_FRAMES = 300
"""A match of four has about 700."""
OPTIONS = Options(
    port=0,
    pause_ms=0,
    tables=2,
    tournaments=1,
    matchmaking=1,
    clock_scale=0.05,
    env={"matchmaking": {"LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "0"}},
)
THINKS = Style(Level.RANDOM, (0.0, 0.02))


class Heard:
    """How many events of tables all players have heard of."""

    def __init__(self) -> None:
        self.events = 0

    def __call__(self, _: str, __: bytes, frame: Frame) -> None:
        self.events += frame["t"] == "event"

    async def more(self) -> None:
        """Wait for so many more."""
        mark = self.events + EVERY_FRAMES

        async def enough() -> bool:
            return self.events >= mark

        await eventually(enough)


async def test_it_ends_and_all_can_join_again() -> None:
    """One process after another, each started anew at once, while eight people play."""
    heard = Heard()
    async with Platform(OPTIONS) as platform, Crowd(platform, "Firme") as crowd:
        people = await crowd.come(8, heard, THINKS)
        await join_in_turn(people)
        for name in KILLED:
            await platform.kill(name, SIGKILL)
            await platform.restart(name)
            await heard.more()
        await ended(people)
        name = people[0].bracket["id"]
        report = await checked(platform, name)
        assert report.faults == []
        for member in people:
            assert member.bracket["stage"] == "over"
            assert member.refused == []
        await nobody_in_limbo(platform)
        await join_in_turn(people)
        waits = (m.until(lambda m=m: m.bracket["id"] != name, 60) for m in people)  # type: ignore[misc]
        await asyncio.gather(*waits)
