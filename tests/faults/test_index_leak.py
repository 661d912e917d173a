"""index-leak: 100,000 joins and leaves leave nothing behind.

Seen elsewhere: heroiclabs/nakama PR 737: a matchmaker's index grew with each ticket that was
ever in it. The queue's state holds who waits, who plays and 64 command ids; beside it stand the
newest of people's commands, here 128. Its log is read from the last snapshot on.
"""

import gc
import tracemalloc

import pytest
from laelo_common.log import Aggregate, MemoryLog
from laelo_matchmaking.domain.snapshot import save
from laelo_matchmaking.store import SNAPSHOT_EVERY

from services.matchmaking.tests.town import Hall, Town

pytestmark = pytest.mark.faults

PAIRS = 50_000
MEASURED = 5_000
FLAT_BYTES = 64 * 1024
"""Less than two bytes for each pair: one more entry of any index is at least fifty."""

_OURS = tracemalloc.Filter(True, "*/laelo_matchmaking/*")


class CopyingLog(MemoryLog):
    """A log in memory that stores copies, so that what it keeps is not counted as ours."""

    async def append(
        self, aggregate: Aggregate, data: bytes, expected: int, message_id: str
    ) -> int:
        """Store one commit."""
        return await super().append(aggregate, bytes(bytearray(data)), expected, message_id)


def held() -> int:
    """Bytes that the service's own code holds; the log in memory, which grows, is not its."""
    gc.collect()
    taken = tracemalloc.take_snapshot().filter_traces([_OURS])
    return sum(statistic.size for statistic in taken.statistics("filename"))


async def come_and_go(hall: Hall, first: int, pairs: int) -> None:
    """So many new people come to a gateway, join, and leave again by themselves or by dropping."""
    for number in range(first, first + pairs):
        player = f"player-{number}"
        hall.people.came("gateway", (player,))
        assert await hall.join(player) is None
        if number % 2:
            hall.people.went("gateway", (player,))
        assert await hall.leave(player) is None
        hall.people.went("gateway", (player,))


async def test_the_queue_is_empty_and_memory_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laelo_matchmaking.store.ASKED_KEPT", 128)
    town = Town()
    town.log = CopyingLog(town.now_ms)
    async with town.replica() as hall:
        await come_and_go(hall, 0, PAIRS - MEASURED)
        assert len(town.recorded()) == 2 * (PAIRS - MEASURED)
        size = len(save(hall.state, "main", b"").SerializeToString())
        tracemalloc.start()
        await come_and_go(hall, PAIRS, 100)
        before = held()
        await come_and_go(hall, PAIRS + 100, MEASURED - 100)
        grown = held() - before
        tracemalloc.stop()
        assert len(town.recorded()) == 2 * PAIRS
        assert grown < FLAT_BYTES
        assert not hall.state.line
        assert not hall.people.sight.doubts
        assert len(hall.people) == 0
        assert len(save(hall.state, "main", b"").SerializeToString()) <= size + 64 * 8


async def test_a_load_is_short_however_long_the_log_is() -> None:
    town = Town()
    async with town.replica() as hall:
        await come_and_go(hall, 0, 1000)
        loaded = await town.log.load(hall.store.aggregate)
    assert loaded.snapshot is not None
    assert len(loaded.commits) < SNAPSHOT_EVERY
    async with town.replica() as again:
        assert again.state == hall.state
