"""join-mid-move: who joins while somebody moves sees each frame once, none twice, none lost.

Seen elsewhere: chaitu236/TakServer#15. A snapshot comes first, then every later frame, at
random joining times: at a table in process, where a join falls between any two steps of a
move, and through gateways, where frames for all and an answer for one cross each other.
"""

import asyncio
import json
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.wire.server import SnapshotFrame
from laelo_tools.platform import Options, Platform
from websockets.asyncio.client import connect

from services.table.tests.house import House, Listener, Replica
from tests.faults.acting import numbered, ready_to_act
from tests.integration.player import Player

pytestmark = [pytest.mark.faults, pytest.mark.integration]

JOINS = 40
SPECTATOR = 4


def check_numbers(kinds: list[str], numbers: list[int]) -> None:
    """A snapshot, then the next number each time."""
    assert kinds[0] == "snapshot"
    assert set(kinds[1:]) <= {"event"}
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


class Joiner:
    """Comes at a random moment and writes down what it is sent, as it is sent."""

    def __init__(self, url: str, table: str) -> None:
        self._url = url.replace("http", "ws", 1) + "/ws"
        self._table = table
        self.kinds: list[str] = []
        self.numbers: list[int] = []

    async def watch(self) -> None:
        """Join, and look on to the end of the match."""
        async with connect(self._url, ping_interval=None) as socket:
            hello = {"t": "hello", "id": "h", "d": {"proto": 1, "name": "Edu"}}
            watch = {"t": "watch", "id": "w", "table": self._table}
            await socket.send(json.dumps(hello))
            await socket.send(json.dumps(watch))
            async for text in socket:
                frame = json.loads(text)
                if "seq" in frame:
                    self.kinds.append(frame["t"])
                    self.numbers.append(frame["seq"])
                if is_over(frame):
                    return


def is_over(frame: dict[str, Any]) -> bool:
    data = frame.get("d", {})
    events = data.get("events", ())
    return "match_end" in data or any(event["k"] == "match_ended" for event in events)


async def test_joiners_through_two_gateways_get_each_frame_once() -> None:
    chance = random.Random(11)
    async with AsyncExitStack() as stack:
        options = Options(port=0, pause_ms=0, bot_delay_ms="0-4", gateways=2)
        platform = await stack.enter_async_context(Platform(options))
        urls = [f"http://{platform.addresses[f'gateway-{n}']}" for n in (1, 2)]
        ana = await stack.enter_async_context(Player(urls[0], "Ana", seed=1))
        table = await ana.create()
        await ana.start()
        joiners: list[Joiner] = []
        async with asyncio.TaskGroup() as group:
            while len(joiners) < JOINS:
                seen = ana.seq
                await ana.until(lambda seen=seen: ana.seq > seen or ana.matches)  # type: ignore[misc]
                for _ in range(chance.randrange(4)):
                    await asyncio.sleep(chance.uniform(0, 0.004))
                    joiners.append(Joiner(chance.choice(urls), table))
                    group.create_task(joiners[-1].watch())
        await ana.played(1)
        assert len({joiner.numbers[0] for joiner in joiners}) > 10, "they came at various times"
        for joiner in joiners:
            check_numbers(joiner.kinds, joiner.numbers)
            assert joiner.numbers[-1] == ana.seq


async def join(replica: Replica, listener: Listener, player: str, seq: int) -> None:
    await replica.must(table_pb2.KIND_WATCH, player, listener=listener, seq=seq)


@pytest.mark.parametrize("seed", range(5))
async def test_joiners_between_any_two_steps_of_a_move(seed: int) -> None:
    chance = random.Random(seed)
    house = House()
    async with house.replica() as home, house.replica() as other:
        await home.open()
        await home.start()
        playing = asyncio.create_task(play_on(home, moves=60))
        listeners: list[Listener] = []
        async with asyncio.TaskGroup() as group:
            while not playing.done():
                for _ in range(chance.randrange(6)):
                    await asyncio.sleep(0)
                listeners.append(Listener())
                at = chance.choice((home, other))
                group.create_task(join(at, listeners[-1], "", 0))
        await playing
        last = (await home.state()).version
        assert len(listeners) > 50
        for listener in listeners:
            await listener.until_seq(last)
            frames = numbered(listener, SPECTATOR)
            kinds = ["snapshot" if isinstance(f, SnapshotFrame) else "event" for f in frames]
            check_numbers(kinds, [frame.seq for frame in frames])
            assert frames[-1].seq == last


async def play_on(replica: Replica, moves: int) -> None:
    for _ in range(moves):
        await ready_to_act(replica)
        assert (await replica.move()).code == ""
