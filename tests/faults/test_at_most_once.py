"""at-most-once: a move that was stored reaches all four, though nobody was told that it was.

Seen elsewhere: woogles-io/liwords#277. The connection to NATS is lost between the append
and what follows from it: the acknowledgement, and the notice of it to other replicas. NATS
delivers both at most once, so neither comes again; the log has to be read.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.log import (
    Aggregate,
    JetStreamLog,
    Kind,
    NatsSettings,
    connect,
    ensure_streams,
)
from laelo_common.testing.nats import NatsServer
from laelo_common.testing.waiting import until

from services.table.tests.house import TABLE, House, Replica, legal_command
from tests.faults.acting import numbered, ready_to_act
from tests.faults.proxy import Proxy

pytestmark = [pytest.mark.faults, pytest.mark.integration]

AGGREGATE = Aggregate(Kind.TABLE, TABLE)
MOVES = 3


class Server:
    """A NATS server, and two ways to it: one of them can be cut."""

    def __init__(self, proxy: Proxy, straight: JetStreamLog, through: JetStreamLog) -> None:
        self.proxy = proxy
        self.straight = straight
        self.through = through

    async def stored(self) -> list[events_pb2.Commit]:
        """The table's commits."""
        records = await self.straight.tail(AGGREGATE, 0)
        return [events_pb2.Commit.FromString(record.data) for record in records]

    async def until_stored(self, count: int) -> None:
        """Wait until the log has so many commits."""
        async with asyncio.timeout(20):
            while len(await self.stored()) < count:  # noqa: ASYNC110 - it is elsewhere
                await asyncio.sleep(0.002)

    async def lose(self) -> None:
        """Lose the connection that can be lost, and notice it."""
        self.proxy.cut()
        await until(lambda: self.through.reach.out)


@asynccontextmanager
async def server() -> AsyncIterator[Server]:
    with NatsServer() as nats:
        async with Proxy(int(nats.url.rpartition(":")[2])) as proxy:
            straight = await connect(NatsSettings((nats.url,)))
            await ensure_streams(straight)
            through = await connect(NatsSettings((f"nats://127.0.0.1:{proxy.port}",)))
            try:
                yield Server(proxy, JetStreamLog(straight), JetStreamLog(through))
            finally:
                await through.close()
                await straight.close()


@asynccontextmanager
async def replica(log: JetStreamLog) -> AsyncIterator[Replica]:
    house = House()
    house.log = log  # type: ignore[assignment]
    async with house.replica() as made:
        yield made


async def told_to_all(home: Replica, start: int, version: int) -> None:
    """Wait until each seat has the frame of a version; each has all since `start`, once."""
    await home.listener.until(lambda: home.listener.updates[-1].seq >= version)
    for seat in range(4):
        numbers = [frame.seq for frame in numbered(home.listener, seat)]
        assert numbers[-1] == version
        assert [n for n in numbers if n > start] == list(range(start + 1, version + 1))


async def begun(home: Replica) -> int:
    """Four people sit and a match is begun; the version of the table."""
    await home.open()
    await home.start()
    return (await ready_to_act(home)).version


async def test_a_move_whose_acknowledgement_was_lost_reaches_all_four() -> None:
    async with server() as nats, replica(nats.through) as home:
        start = await begun(home)
        for version in range(start + 1, start + 1 + MOVES):
            move: dict[str, Any] = legal_command(await home.state()) | {"command": f"m{version}"}
            nats.proxy.hold_after(b"HPUB " + AGGREGATE.subject.encode())
            asked = asyncio.create_task(home.ask(**move))
            await nats.until_stored(version)
            await nats.lose()
            assert (await asked).code == "TRY_LATER"
            nats.proxy.mend()
            # Nobody asks again: the home itself has to find out.
            await told_to_all(home, start, version)
            again = await home.ask(**move)
            assert (again.code, again.seq) == ("", version)
            assert [c.head.command for c in await nats.stored()][start:] == [
                f"m{number}" for number in range(start + 1, version + 1)
            ]


async def test_a_move_stored_elsewhere_while_the_home_was_cut_off_reaches_all_four() -> None:
    async with (
        server() as nats,
        replica(nats.through) as home,
        replica(nats.straight) as other,
    ):
        start = await begun(home)
        for version in range(start + 1, start + 1 + MOVES):
            await nats.lose()
            await other.must(table_pb2.KIND_WATCH, "ana", seq=version - 1)
            assert (await other.move()).code == ""
            nats.proxy.mend()
            await told_to_all(home, start, version)
