"""The orderly end: a replica goes on serving until the gateways watch their tables elsewhere."""

import asyncio

import pytest
from laelo.table.v1 import table_pb2
from laelo_table import leaving
from laelo_table.leaving import hand_over

from .house import TABLE, House, Replica


async def begun(replica: Replica) -> "asyncio.Task[None]":
    """The orderly end, begun."""
    task = asyncio.create_task(hand_over(replica.store, nothing_is_open))
    await asyncio.sleep(0)
    return task


async def nothing_is_open() -> None:
    """In the place of ending the streams."""


async def test_streams_end_when_nobody_watches_any_more() -> None:
    async with House().replica() as replica:
        await replica.open()
        await replica.start()
        end = await begun(replica)
        assert not end.done()
        await replica.must(table_pb2.KIND_WATCH, "ana")
        assert not end.done(), "it still serves"
        replica.tables.unwatch(TABLE, replica.listener)
        async with asyncio.timeout(20):
            await end


async def test_who_does_not_leave_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leaving, "HAND_OVER_SECONDS", 0.1)
    async with House().replica() as replica:
        await replica.open()
        async with asyncio.timeout(20):
            await (await begun(replica))


async def test_without_watchers_streams_end_at_once() -> None:
    async with House().replica() as replica:
        assert (await begun(replica)).done()
