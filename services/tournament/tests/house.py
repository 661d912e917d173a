"""A world for tests, and replicas of the service in it."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_common.errors import LaeloError
from laelo_common.ids import new_id
from laelo_common.log import Aggregate, Kind, Log, LogError, MemoryLog
from laelo_common.testing.waiting import until
from laelo_tournament.app import Championships
from laelo_tournament.domain.commands import Start
from laelo_tournament.domain.state import Championship
from laelo_tournament.feed import Feed
from laelo_tournament.mirror import Mirror, load
from laelo_tournament.ports import Records, Tables, World
from laelo_tournament.records import Recorder
from laelo_tournament.steward import Stewards

from .memory_records import MemoryRecords
from .self_playing import SelfPlayingTables, by_chance

PLAYERS = {
    tournament_pb2.TIER_BRONZE: 8,
    tournament_pb2.TIER_SILVER: 16,
    tournament_pb2.TIER_GOLD: 32,
}


@dataclass(frozen=True, slots=True)
class Replica:
    """One process of the service, as `main` wires it."""

    mirror: Mirror
    championships: Championships
    stewards: Stewards
    feed: Feed
    recorder: Recorder


class House:
    """What the replicas share: log, tables, records and time."""

    def __init__(
        self,
        *,
        records: Records | None = None,
        log: Log | None = None,
        wins: Callable[[str, str], int] = by_chance,
    ) -> None:
        self.ahead_ms = 0
        self.memory = MemoryLog(self.now_ms)
        self.log: Log = log or self.memory
        self.tables = SelfPlayingTables(self.log, self.now_ms, wins)
        self.records: Records = records or MemoryRecords()
        self.pause_ms = 15_000

    def now_ms(self) -> int:
        """Wall time, moved on by what a test wants."""
        return time.time_ns() // 1_000_000 + self.ahead_ms

    @property
    def world(self) -> World:
        """The world as one replica is given it."""
        return World(
            log=self.log,
            tables=self.tables,
            records=self.records,
            now_ms=self.now_ms,
            seed=lambda: random.randbytes(32),
            pause_ms=self.pause_ms,
            read_seconds=0.0,
            look_seconds=1.0,
        )

    @asynccontextmanager
    async def replica(self, world: World | None = None) -> AsyncIterator[Replica]:
        """A replica that runs until the end of the block, where it goes without a trace."""
        world = world or self.world
        mirror = Mirror(world.log)
        championships = Championships(world, mirror)
        stewards = Stewards(world, mirror, championships)
        recorder = Recorder(world.log, world.records)
        recording = asyncio.create_task(recorder.run())
        try:
            await mirror.start()
            feed = Feed(mirror)
            stewards.start()
            yield Replica(mirror, championships, stewards, feed, recorder)
            await feed.close()
        finally:
            recording.cancel()
            await stewards.close()
            await mirror.close()
            await asyncio.gather(recording, return_exceptions=True)

    async def story(self, championship: str) -> list[events_pb2.Commit]:
        """The log of a championship."""
        tail = await self.log.tail(Aggregate(Kind.CHAMPIONSHIP, championship), 0)
        return [events_pb2.Commit.FromString(recorded.data) for recorded in tail]

    async def state(self, championship: str) -> Championship:
        """A championship as the log has it."""
        return (await load(self.log, championship)).state


def people(tier: tournament_pb2.Tier.ValueType) -> tuple[str, ...]:
    """As many new people as a championship takes."""
    return tuple(new_id() for _ in range(PLAYERS[tier]))


def a_start(
    tier: tournament_pb2.Tier.ValueType = tournament_pb2.TIER_BRONZE, championship: str = ""
) -> Start:
    """A championship of new people."""
    return Start(championship or new_id(), tier, people(tier))


async def begin(replica: Replica, start: Start) -> None:
    """Begin a championship as matchmaking does: again and again, until it is acknowledged."""
    while True:
        try:
            refusal = await replica.championships.run(start.championship, start)
        except (LaeloError, LogError):
            await asyncio.sleep(0)
            continue
        assert refusal is None, refusal
        return


async def until_over(replica: Replica, championship: str, seconds: float = 20.0) -> Championship:
    """Wait until a championship is over and recorded; its last state."""
    await until(lambda: championship in replica.mirror.recent, seconds)
    folded = replica.mirror.recent[championship]
    async with asyncio.timeout(seconds):
        await replica.recorder.recorded_to(folded.sequence)
    return folded.state


def with_parts(
    world: World,
    *,
    log: Log | None = None,
    tables: Tables | None = None,
    records: Records | None = None,
) -> World:
    """The world with some of its parts exchanged."""
    return replace(
        world,
        log=log or world.log,
        tables=tables or world.tables,
        records=records or world.records,
    )


def opened(house: House) -> dict[str, table_pb2.Options]:
    """How the tables were opened that there are, by id."""
    return {
        table: commits[0].events[0].opened.options
        for table, commits in house.tables.commits.items()
        if commits
    }
