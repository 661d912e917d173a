"""The consumer of due turns can be deleted and made anew while all goes on.

Replicas that share it ask until there is one again, and then hear of every turn that was due
meanwhile (docs/operations/consumer-reset.md).
"""

import asyncio

import pytest
from laelo_common.ids import new_id
from laelo_common.log import Due, JetStreamClocks, NatsSettings, connect
from laelo_common.log.streams import DUE_CONSUMER, ensure_streams
from laelo_common.testing.nats import NatsServer

pytestmark = [pytest.mark.faults, pytest.mark.integration]


class Called:
    """The turns that were called."""

    def __init__(self) -> None:
        self.turns: set[int] = set()
        self._news = asyncio.Event()

    async def __call__(self, due: Due) -> None:
        self.turns.add(due.turn)
        self._news.set()

    async def until(self, turn: int) -> None:
        """Wait for a turn."""
        async with asyncio.timeout(20):
            while turn not in self.turns:
                self._news.clear()
                await self._news.wait()


async def test_turns_that_were_due_without_a_consumer_are_called_when_there_is_one() -> None:
    table, called = new_id(), Called()
    with NatsServer() as server:
        connection = await connect(NatsSettings(servers=(server.url,)))
        try:
            await ensure_streams(connection)
            clocks = JetStreamClocks(connection)
            due = await clocks.due(called)
            await clocks.set(table, 1, connection.now_ms())
            await called.until(1)
            delete = f"$JS.API.CONSUMER.DELETE.CLOCK.{DUE_CONSUMER}"
            _, answer = await connection.inbox.ask(delete.encode(), b"")
            assert b'"success":true' in answer
            await clocks.set(table, 2, connection.now_ms())
            await ensure_streams(connection)
            await called.until(2)
            await clocks.set(table, 3, connection.now_ms())
            await called.until(3)
            await due.close()
        finally:
            await connection.close()
