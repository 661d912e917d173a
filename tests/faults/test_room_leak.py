"""room-leak: a table that has ended leaves nothing in memory.

Seen elsewhere: colyseus/colyseus#842, #386. Tables are opened, played at and closed, by
their hosts or because everybody has left, over a real NATS server: afterwards no task, timer,
subscription or consumer is left, and memory does not grow with their number. There are
LAELO_ROOM_LEAK_TABLES of them, some hundreds if that is not set.
"""

import asyncio
import gc
import os
import random
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code
from laelo_common.ids import new_id
from laelo_common.log import (
    Connection,
    JetStreamBoard,
    JetStreamClocks,
    JetStreamLog,
    NatsSettings,
    connect,
    ensure_streams,
)
from laelo_common.testing.nats import NatsServer

from services.table.tests.house import House, Replica, legal_command
from services.table.tests.kit import PEOPLE

pytestmark = [pytest.mark.faults, pytest.mark.integration]

TABLES = int(os.environ.get("LAELO_ROOM_LEAK_TABLES", "300"))
AT_ONCE = 20
MOVES = 6
PARTS = 3
SLOW_MS = 100_000
"""Bots do not move before their table has ended."""
KEPT_MS = 500
STREAMS = ("TBL", "SNAP", "CLOCK", "WAIT")
OURS = "*/src/laelo_*"
BYTES_A_TABLE = 100
"""What a table may leave: less than any object that belongs to one takes."""


class Gateway:
    """Hears everything and keeps only the newest answer."""

    def __init__(self) -> None:
        self.updates: list[table_pb2.Update] = []

    def send(self, update: table_pb2.Update) -> None:
        self.updates = [update] if update.id else self.updates


class Reading(NamedTuple):
    """What there is at a moment."""

    tables: int
    tasks: int
    timers: int
    subscriptions: int
    consumers: int


class Service:
    """The table service in process, over a NATS server."""

    def __init__(self, replica: Replica, connection: Connection) -> None:
        self.replica = replica
        self._connection = connection

    async def reading(self) -> Reading:
        """Count everything that could be left."""
        loop: Any = asyncio.get_running_loop()
        timers = [timer for timer in loop._scheduled if "laelo_table" in repr(timer)]
        wire: Any = self._connection.wire
        js = wire.jetstream()
        consumers = [(await js.stream_info(name)).state.consumer_count for name in STREAMS]
        return Reading(
            tables=len(self.replica.store.tables),
            tasks=len(asyncio.all_tasks()),
            timers=len([timer for timer in timers if not timer.cancelled()]),
            subscriptions=len(wire._subs) + len(wire._direct),
            consumers=sum(consumers),
        )

    async def live_through(self, count: int) -> None:
        """So many tables from the first to the last of them."""
        for first in range(0, count, AT_ONCE):
            some = range(first, min(first + AT_ONCE, count))
            await asyncio.gather(*(self._table(number) for number in some))

    async def _table(self, number: int) -> None:
        """Open a table, play a little, and end it."""
        table, chance = new_id(), random.Random(number)
        gateway: Any = Gateway()
        fields = {"table": table, "listener": gateway}
        options = table_pb2.Options(move_seconds=15, spectators=True, public=True)
        host = PEOPLE[0]
        await self._do(kind=table_pb2.KIND_OPEN, player=host, options=options, **fields)
        for player in PEOPLE[1:]:
            await self._do(kind=table_pb2.KIND_SIT, player=player, seat=-1, **fields)
        for player in (*PEOPLE, "eve"):
            await self._do(kind=table_pb2.KIND_WATCH, player=player, **fields)
        begun = await self._do(kind=table_pb2.KIND_START, player=host, **fields)
        await self.replica.until_version(begun.seq + 1, table)
        for _ in range(chance.randrange(MOVES)):
            await self._do(**legal_command(await self.replica.state(table)), **fields)
        if number % 2:
            await self._do(kind=table_pb2.KIND_CLOSE, player=host, **fields)
        else:
            for player in PEOPLE:
                await self._do(kind=table_pb2.KIND_LEAVE, player=player, **fields)
            self.replica.tables.forget(gateway)

    async def _do(self, **command: Any) -> table_pb2.Update:
        """Send a command, as often as a busy machine makes it necessary."""
        command["command"] = new_id()
        while (answer := await self.replica.ask(**command)).code == Code.TRY_LATER:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        assert not answer.code, answer
        return answer


@asynccontextmanager
async def service() -> AsyncIterator[Service]:
    with NatsServer() as server:
        connection = await connect(NatsSettings((server.url,)))
        await ensure_streams(connection)
        house: Any = House(delay_ms=SLOW_MS)
        house.kept_ms = KEPT_MS
        house.log = JetStreamLog(connection)
        house.clocks = JetStreamClocks(connection)
        house.board = JetStreamBoard(connection)
        async with house.replica(warm_tables=TABLES * 2) as replica:
            yield Service(replica, connection)
        await connection.close()


async def until_as_before(made: Service, before: Reading) -> None:
    """Wait until nothing is left; durable clocks of closed tables still call into nothing."""
    async with asyncio.timeout(60):
        while await made.reading() != before:  # noqa: ASYNC110 - the server is asked
            await asyncio.sleep(0.05)


def traced() -> int:
    """Bytes of objects that our code has made; what the test's own doubles keep is left aside."""
    gc.collect()
    made = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, OURS)])
    return sum(one.size for one in made.traces)


async def test_tables_that_ended_leave_nothing() -> None:
    async with service() as made:
        before = await made.reading()
        await made.live_through(4 * AT_ONCE)  # what is made once and kept
        await until_as_before(made, before)
        tracemalloc.start()
        sizes = [traced()]
        for _ in range(PARTS):
            await made.live_through(TABLES // PARTS)
            await until_as_before(made, before)
            sizes.append(traced())
        tracemalloc.stop()
    # Something else may grow once; what tables leave grows each time.
    assert min(b - a for a, b in pairwise(sizes)) < BYTES_A_TABLE * TABLES // PARTS
