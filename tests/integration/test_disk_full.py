"""When the log has no room left, it says so at once, and goes on when it has room.

Nothing that was acknowledged is lost, nothing that was refused is stored, and room is given to
a server that runs (docs/operations/disk-full.md).
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_common.ids import new_id
from laelo_common.log import (
    Aggregate,
    Connection,
    JetStreamLog,
    Kind,
    NatsSettings,
    Unavailable,
    connect,
)
from laelo_common.log.streams import ensure_streams
from laelo_common.testing.nats import NatsServer

pytestmark = [pytest.mark.faults, pytest.mark.integration]

LITTLE, ENOUGH = 500_000, 50_000_000
LARGE = "x" * 20_000


class Writer:
    """Stores one commit of a table after the other."""

    def __init__(self, connection: Connection) -> None:
        self.log = JetStreamLog(connection)
        self.table = Aggregate(Kind.TABLE, new_id())
        self.stored = 0
        self._sequence = 0

    async def store(self) -> None:
        """Store the next one. Raises Unavailable."""
        command = f"command-{self.stored + 1}"
        head = Head(aggregate=self.table.id, version=self.stored + 1, command=command, trace=LARGE)
        data = AnyCommit(head=head).SerializeToString()
        name = f"{self.table.id}:{command}"
        self._sequence = await self.log.append(self.table, data, self._sequence, name)
        self.stored += 1

    async def store_all(self) -> None:
        """Store until there is no room. Raises Unavailable."""
        while True:
            await self.store()


@pytest.fixture
async def writer() -> AsyncIterator[tuple[NatsServer, Writer]]:
    server = NatsServer("always")
    server.most_bytes = LITTLE
    with server:
        connection = await connect(NatsSettings(servers=(server.url,)))
        try:
            await ensure_streams(connection, 1)
            yield server, Writer(connection)
        finally:
            await connection.close()


async def test_a_full_log_refuses_at_once_and_goes_on_with_more_room(
    writer: tuple[NatsServer, Writer],
) -> None:
    server, writing = writer
    with pytest.raises(Unavailable, match="insufficient resources"):
        await writing.store_all()
    assert writing.stored > 0
    with pytest.raises(Unavailable, match="insufficient resources"):
        await writing.store()
    tail = await writing.log.tail(writing.table, 0)
    assert len(tail) == writing.stored, "all that was acknowledged, nothing that was refused"
    server.most_bytes = ENOUGH
    server.reload()
    full = writing.stored
    async with asyncio.timeout(20):
        while writing.stored == full:
            try:
                await writing.store()
            except Unavailable:
                await asyncio.sleep(0.05)
    assert len(await writing.log.tail(writing.table, 0)) == full + 1
