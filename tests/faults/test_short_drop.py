"""short-drop: frames are numbered, and a lost one is there within one ping period.

Seen elsewhere: the opponent's move was missed in a short drop, then the game was lost on time
(gbtami/pychess-variants#468). If a later frame comes, its number shows the loss; if none
comes, the client's ping does, which tells what it has. The page pings every 2.5 s at a table,
and takes two pings for a period: what one ping finds on its way, the next finds lost.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from functools import partial

import pytest
from laelo_tools.platform import Options, Platform

from .line import Frame, Line, begin, fence_of, move, open_turn

pytestmark = [pytest.mark.faults, pytest.mark.integration]

PING_SECONDS = 2.5
PINGS_IN_A_PERIOD = 2
LOSSES = 3


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with Platform(Options(port=0, pause_ms=50, bot_delay_ms="0", tables=1)) as platform:
        yield platform.url


async def act(line: Line, table: str, turn: Frame) -> None:
    kind, data = move(turn, fence_of(line))
    await line.send({"t": kind, "id": f"turn-{turn['turn']}", "table": table, "d": data})


async def test_a_gap_is_filled_at_once(url: str) -> None:
    async with Line(url) as line:
        table = await begin(line)
        turn = open_turn(line)
        assert turn is not None
        # The answer to one's own move is lost, the bots' moves after it arrive.
        line.loses = lambda frame: frame["t"] == "event" and not line.lost
        await act(line, table, turn)
        await line.until(lambda frame: frame["t"] == "event" and frame["seq"] > line.seq + 1)
        held = line.seq
        await line.ask("sync", table, seq=held)
        assert line.lost[0]["seq"] == held + 1
        assert line.events()[held + 1] == line.lost[0]["d"]
        assert line.seq >= max(line.events())


def tells_own_turn(frame: Frame) -> bool:
    """Whether nothing comes after this frame by itself."""
    events = frame["d"].get("events", ()) if frame["t"] == "event" else ()
    return any(event["k"] == "turn" and event["seat"] == 0 for event in events)


def is_lost(line: Line, count: int, frame: Frame) -> bool:
    return tells_own_turn(frame) and len(line.lost) < count


async def test_a_lost_last_frame_is_there_within_a_ping_period(url: str) -> None:
    async with Line(url) as line:
        table = await begin(line)
        for losses in range(1, LOSSES + 1):
            turn = open_turn(line)
            assert turn is not None
            line.loses = partial(is_lost, line, losses)
            await ping(line, table)
            await act(line, table, turn)
            await lost(line, losses)
            missing = line.lost[-1]
            pings = await pings_until(line, table, missing["seq"])
            assert pings <= PINGS_IN_A_PERIOD
            assert line.events()[missing["seq"]] == missing["d"]


async def lost(line: Line, count: int) -> None:
    """Wait until so many frames have got lost."""
    async with asyncio.timeout(20):
        while len(line.lost) < count:  # noqa: ASYNC110 - nobody is told of what is lost
            await asyncio.sleep(0.01)


async def ping(line: Line, table: str) -> None:
    have = [{"table": table, "seq": line.seq}]
    await line.send({"t": "ping", "d": {"client": time.monotonic(), "have": have}})


async def pings_until(line: Line, table: str, seq: int) -> int:
    """Ping as the page does until a frame is there; how many pings that took."""
    for pings in range(1, 5):
        await asyncio.sleep(PING_SECONDS)  # the page's own pace
        await ping(line, table)
        try:
            async with asyncio.timeout(PING_SECONDS):
                await line.numbered(seq)
        except TimeoutError:
            continue
        return pings
    raise AssertionError("the lost frame never came")
