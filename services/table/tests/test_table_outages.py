"""Each outage gives its time back once, and no turn hangs on it."""

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.log import Gap
from laelo_table.domain.commands import GiveBack
from laelo_table.domain.remembered import remember
from laelo_table.domain.state import Table
from laelo_table.outages import Outages

from .house import House, eventually


def test_an_outage_gives_its_time_back_once() -> None:
    house = House()
    outages = Outages(house.log.reach, 10_000)
    house.log.reach._gaps.append(Gap(100_000, 120_000))
    turn = Table(version=9, turn=9, turn_ms=95_000, deadline_ms=110_000)
    since_ms = outages.since(turn)
    assert since_ms == 100_000
    given = turn._replace(version=10, commands=remember([GiveBack(9, since_ms).command]))
    assert outages.since(given) is None
    soon = given._replace(deadline_ms=120_100)
    assert outages.since(soon) is None


def test_a_second_restart_gives_back_what_the_first_gave() -> None:
    outages = Outages(House().log.reach, 50_000)
    turn = Table(version=9, turn=9, turn_ms=10_000, deadline_ms=25_000)
    assert outages.since(turn) == 10_000
    given = turn._replace(
        version=10,
        deadline_ms=45_000,
        given_back_ms=20_000,
        commands=remember([GiveBack(9, 10_000).command]),
    )
    assert outages.since(given) == 30_000


@pytest.mark.parametrize("away_ms", [4_000, 16_000])
async def test_a_turn_ends_although_the_service_dies_in_it_again_and_again(away_ms: int) -> None:
    house = House()
    async with house.replica() as first:
        await first.open(4, move_seconds=15)
        await first.start()
        turn = (await first.state()).turn
    for _ in range(3):
        house.ahead_ms += away_ms
        async with house.replica() as replica:
            stored = len(house.commits())
            await replica.must(table_pb2.KIND_WATCH, "ana")
            await replica.until_version(stored + 1)
    async with house.replica() as last:
        await last.must(table_pb2.KIND_WATCH, "ana")
        house.ahead_ms += away_ms
        await house.clocks.fire()
        await eventually(lambda: house.commits()[-1].head.turn > turn)
