"""What a gateway is told that follows: everything at first, then each change, never too much."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.testing.waiting import until
from laelo_tournament import feed as feeding
from laelo_tournament.domain.commands import Cancel
from laelo_tournament.domain.public import entries, public

from .house import House, a_start, begin

Told = tournament_pb2.FollowResponse


async def take(following: AsyncGenerator[Told, None], count: int) -> list[Told]:
    async with asyncio.timeout(20):
        return [await anext(following) for _ in range(count)]


async def test_all_that_run_are_told_and_then_each_change() -> None:
    house = House()
    house.tables.holds = True
    async with house.replica() as replica, house.replica() as other:
        starts = [a_start() for _ in range(3)]
        for start in starts:
            await begin(replica, start)
        await until(lambda: len(other.mirror.running) == 3)
        async with aclosing(other.feed.follow()) as following:
            first = await take(following, 4)
            assert [one.complete for one in first] == [False, False, False, True]
            for start, told in zip(starts, first, strict=False):
                state = await house.state(start.championship)
                assert told.championship == public(state)
                assert list(told.entries) == entries(state)
            new = a_start()
            await begin(replica, new)
            assert (await take(following, 1))[0].championship.id == new.championship
            await replica.championships.run(new.championship, Cancel("x", "o"))
            (last,) = await take(following, 1)
            assert last.championship.stage == tournament_pb2.STAGE_CANCELLED
            assert len(other.feed) == 1
        assert len(other.feed) == 0


async def test_a_slow_reader_is_owed_only_what_is_newest() -> None:
    house = House()
    async with house.replica() as replica, aclosing(replica.feed.follow()) as following:
        assert (await take(following, 1))[0].complete
        start = a_start()
        await begin(replica, start)
        await until(lambda: start.championship in replica.mirror.recent)
        (only,) = await take(following, 1)
        assert only.championship.stage == tournament_pb2.STAGE_OVER
        assert only.championship.version == len(await house.story(start.championship))
        (reader,) = replica.feed._readers
        assert reader.owed == 0


async def test_who_never_reads_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "MOST_OWED", 5)
    house = House()
    house.tables.holds = True
    async with house.replica() as replica, aclosing(replica.feed.follow()) as following:
        await take(following, 1)
        for _ in range(20):
            await begin(replica, a_start())
        (reader,) = replica.feed._readers
        assert reader.owed <= 7
        with pytest.raises(LaeloError) as error:
            await take(following, 1)
        assert error.value.code is Code.OVERLOADED


async def test_at_the_end_all_readers_are_told_no_more() -> None:
    house = House()
    async with house.replica() as replica:
        following = replica.feed.follow()
        await take(following, 1)
        waiting = asyncio.ensure_future(anext(following, None))
        await asyncio.sleep(0)
        await replica.feed.close()
        async with asyncio.timeout(20):
            assert await waiting is None
        assert [told async for told in replica.feed.follow()] == []
