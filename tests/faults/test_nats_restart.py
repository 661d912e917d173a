"""nats-restart: NATS restarted 20 times under load; every consumer's lag returns to 0.

Seen elsewhere: pull consumers that stay dead after a restart, a first publish after a
reconnect that fails (nats-io/nats.py#504, #529).
"""

import asyncio
import itertools

import pytest
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_common.log import (
    Aggregate,
    JetStreamClocks,
    JetStreamLog,
    Kind,
    LogError,
    NatsSettings,
    Stale,
    Unavailable,
    append_once,
    connect,
    ensure_streams,
)
from laelo_common.log.commit import head_of
from laelo_common.testing.nats import NatsServer

pytestmark = [pytest.mark.faults, pytest.mark.integration]

RESTARTS = 20
WRITERS = 8
PATIENCE_SECONDS = 30


async def until(condition):
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 - of what has no event
            await asyncio.sleep(0.01)


class Load:
    """Tables that append and set a clock without a pause, each retried until it is stored."""

    def __init__(self, log, clocks):
        self.log, self.clocks = log, clocks
        self.stored = {f"T{number}": [] for number in range(WRITERS)}
        self.ending = False

    async def run(self):
        await asyncio.gather(*(self._write(Aggregate(Kind.TABLE, id_)) for id_ in self.stored))

    @property
    def written(self):
        return sum(map(len, self.stored.values()))

    async def _write(self, table):
        expected = 0
        for turn in itertools.count(1):
            if self.ending:
                return
            expected = await self._until_stored(table, turn, expected)
            self.stored[table.id].append(expected)
            await asyncio.sleep(0.002)

    async def _until_stored(self, table, turn, expected):
        data = AnyCommit(head=Head(aggregate=table.id, command=str(turn))).SerializeToString()
        while True:
            try:
                await self.clocks.set(table.id, turn, 0)
                stored = await append_once(self.log, table, data, expected)
                return stored.tail[-1].sequence if stored.tail else stored.sequence
            except Stale as stale:
                expected = stale.tail[-1].sequence if stale.tail else expected
            except Unavailable:
                await asyncio.sleep(0.02)


async def test_consumers_catch_up_after_every_restart_and_leave_no_task():
    before = asyncio.all_tasks()
    with NatsServer() as server:
        connection = await connect(NatsSettings((server.url,)))
        await ensure_streams(connection)
        log, clocks = JetStreamLog(connection), JetStreamClocks(connection)
        followed, due, heard = [], set(), set()

        async def on_due(turn):
            due.add((turn.table, turn.turn))

        following = await log.follow(Kind.TABLE, 0, followed.append)
        running = await clocks.due(on_due)
        elsewhere = await connect(NatsSettings((server.url,)))
        live = await JetStreamLog(elsewhere).live(Aggregate(Kind.TABLE, "T0"), heard.add)
        load = Load(log, clocks)
        writing = asyncio.create_task(load.run())
        for restart in range(RESTARTS):
            written = load.written
            await until(lambda: load.written > written + 20)  # noqa: B023 - waited for here
            server.restart(kill=restart % 2 == 0)
            await until(lambda: connection.counters.reconnects > restart)  # noqa: B023
        load.ending = True
        await writing

        await until(lambda: following.position == max(map(max, load.stored.values())))
        every_turn = {
            (table, turn + 1) for table, all_ in load.stored.items() for turn in range(len(all_))
        }
        await until(lambda: every_turn <= due)
        await check_once_and_in_order(log, load, followed)
        last = load.stored["T0"][-1]
        first_after = await log.append(Aggregate(Kind.TABLE, "T0"), b"", last, "T0:last")
        await until(lambda: first_after in heard)

        live.close()
        await running.close()
        await following.close()
        await elsewhere.close()
        await connection.close()
    assert asyncio.all_tasks() == before


async def check_once_and_in_order(log, load, followed):
    assert [c.sequence for c in followed] == sorted({c.sequence for c in followed})
    for id_, sequences in load.stored.items():
        table = Aggregate(Kind.TABLE, id_)
        read = await log.tail(table, 0)
        assert [c.sequence for c in read] == sequences
        assert [head_of(c.data).command for c in read] == [
            str(turn + 1) for turn in range(len(sequences))
        ]
        assert read == [c for c in followed if c.subject == table.subject]


async def test_the_first_append_after_a_reconnect_is_stored():
    with NatsServer() as server:
        connection = await connect(NatsSettings((server.url,)))
        await ensure_streams(connection)
        log, table, last = JetStreamLog(connection), Aggregate(Kind.TABLE, "T"), 0
        for restart in range(3):
            server.kill()
            await until(lambda: not connection.is_connected)
            with pytest.raises(LogError):
                await log.append(table, b"too early", last, f"T:early{restart}")
            server.start()
            await until(lambda: not log.reach.out)
            last = await log.append(table, b"first", last, f"T:{restart}")
        assert [c.data for c in await log.tail(table, 0)] == [b"first"] * 3
        await connection.close()
