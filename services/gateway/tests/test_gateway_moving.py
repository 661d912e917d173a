"""Tables move to other homes a few at a time, and nobody misses anything meanwhile."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_gateway.adapters import tables
from laelo_gateway.adapters.addresses import Addresses
from laelo_gateway.moving import AT_ONCE, Moving
from laelo_gateway.testing.gateway import eventually, gateway_of
from laelo_gateway.testing.tables import replicas

from services.gateway.tests.test_gateway_tables import (
    PLAY,
    addresses,
    assert_dense,
    by_home,
    seated,
)

NAMES = st.lists(st.integers(0, 200), max_size=300)


@given(NAMES, st.data())
def test_each_is_moved_once_and_only_so_many_at_once(
    numbers: list[int], data: st.DataObject
) -> None:
    begun: list[str] = []
    under_way: list[Callable[[], None]] = []

    def move(name: str, over: Callable[[], None]) -> bool:
        begun.append(name)
        if int(name) % 3:
            under_way.append(over)
        return bool(int(name) % 3)

    moving = Moving(move)
    for number in numbers:
        moving.add(str(number))
    moving.go()
    while under_way:
        assert len(under_way) <= AT_ONCE
        under_way.pop(data.draw(st.integers(0, len(under_way) - 1)))()
    assert begun == [str(number) for number in dict.fromkeys(numbers)]


async def test_until_a_table_is_watched_at_its_new_home_the_old_one_tells(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)
        home, other = by_home(table_id, started)
        # The new home does what it is asked, but takes its time to let anybody watch.
        other.keeps_watchers_waiting = True
        await home.serve(False)
        await eventually(lambda: gateway.link.ready == {other.address})
        assert home.watchers[table_id]
        await players[0].ask("play", table=table_id, d=PLAY)
        for player in players:
            await player.reach(5)
            assert_dense(player, 5, 5)
        other.keeps_watchers_waiting = False
        await eventually(lambda: other.watchers.get(table_id))
        await eventually(lambda: not home.watchers[table_id])


async def test_a_replica_that_leaves_the_list_is_kept_until_its_tables_have_moved(
    table_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "LEAVING_SECONDS", 0.2)
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id, 2)
        home, other = by_home(table_id, started)
        listed = {other.address}

        async def resolved(_: Addresses) -> frozenset[str]:
            return frozenset(listed)

        monkeypatch.setattr(Addresses, "resolve", resolved)
        await gateway.link.resolve()
        assert gateway.link.ready == {other.address}
        assert home.streams.sessions
        await eventually(lambda: not home.streams.sessions)
        await players[0].ask("play", table=table_id, d=PLAY)
        await players[1].reach(3)
        assert_dense(players[1], 3, 3)


async def test_who_is_about_to_stop_is_asked_while_there_is_nobody_else(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id, 2)
        await started[0].serve(False)
        assert (await players[0].ask("play", table=table_id, d=PLAY))["seq"] == 3
        await players[1].reach(3)
