"""Tables end, and leave nothing; after an outage time is given back."""

import asyncio
import random
from typing import Any

import pytest
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.log import Gap
from laelo_common.wire import server
from laelo_table.domain.hosting import OLDEST_MS
from laelo_table.domain.state import Table
from laelo_table.outages import Outages
from laelo_table.warm import Warm

from .house import TABLE, House, Listener, Replica, eventually, fresh_id

WATCH, CLOSE, START = table_pb2.KIND_WATCH, table_pb2.KIND_CLOSE, table_pb2.KIND_START


def nothing_is_left(house: House, replica: Replica) -> bool:
    live = sum(len(hearers) for hearers in house.log._live.values())
    return len(replica.store.tables) == 0 and live == 0


async def test_who_closes_a_table_ends_all_of_it() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(4, move_seconds=15)
        await replica.start()
        assert (await replica.ask(CLOSE, "bia")).code == "NOT_HOST"
        update = await replica.must(CLOSE, "ana")
        assert update.closed
        assert nothing_is_left(house, replica)
        again = await replica.must(WATCH, "bia")
        assert again.closed
        frame = replica.listener.frames(1)[-1]
        assert (frame.d.closed, frame.d.phase) == ("host", "play")
        for kind in (table_pb2.KIND_SIT, START, CLOSE, table_pb2.KIND_PASS):
            assert (await replica.ask(kind, "ana", seat=-1)).code == "TABLE_CLOSED"
        assert (await replica.ask(table_pb2.KIND_OPEN, "ana")).code == "TABLE_EXISTS"
        assert nothing_is_left(house, replica)
        house.ahead_ms += 60_000
        version = len(house.commits())
        await house.clocks.fire()
        assert len(house.commits()) == version


async def test_a_command_to_close_sent_twice_is_answered_twice() -> None:
    async with House().replica() as replica:
        await replica.open(1)
        for _ in range(2):
            assert (await replica.must(CLOSE, "ana", command="close")).seq == 2


@pytest.mark.parametrize("seed", range(5))
async def test_joining_while_a_table_closes_is_in_or_refused(seed: int) -> None:
    """zombie-room"""
    house, chance = House(), random.Random(seed)
    async with house.replica() as one, house.replica() as other:
        await one.open(1)
        asked = [one.ask(CLOSE, "ana")]
        for player in ("bia", "caio"):
            replica = chance.choice((one, other))
            asked.append(replica.ask(table_pb2.KIND_SIT, player, seat=-1))
            asked.append(replica.ask(WATCH, player))
        chance.shuffle(asked)
        answers = await asyncio.gather(*asked)
        assert {answer.code for answer in answers} <= {"", "TABLE_CLOSED"}
        await other.ask(WATCH, "ana")
        await one.ask(WATCH, "ana")
        assert nothing_is_left(house, one)
        assert len(other.store.tables) == 0


async def test_many_tables_that_ended_leave_nothing() -> None:
    """room-leak"""
    house = House()
    async with house.replica() as replica:
        await replica.open(1)
        before = asyncio.all_tasks()
        for _ in range(200):
            table = fresh_id()
            await replica.open(2, table=table, move_seconds=15)
            await replica.start(table)
            await replica.must(CLOSE, "ana", table=table)
        await eventually(lambda: len(replica.store.tables) == 1)
        await eventually(lambda: asyncio.all_tasks() == before)


async def test_an_empty_table_is_closed_by_a_durable_clock() -> None:
    house = House()
    house.bot_after_ms = 20
    async with house.replica() as home:
        await home.open(2)
        for player in ("ana", "bia"):
            await home.ask(table_pb2.KIND_UNWATCH, player)
        await home.ask(table_pb2.KIND_UNWATCH, "")
        await home.until_version(4)
    async with house.replica() as other:
        house.ahead_ms += 290_000
        await house.clocks.fire()
        assert len(house.commits()) == 4
        house.ahead_ms += 20_000
        await house.clocks.fire()
        assert house.commits()[-1].head.command.startswith("empty-")
        assert nothing_is_left(house, other)


async def test_a_lobby_that_all_have_left_is_closed() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(2)
        for player in ("ana", "bia"):
            await replica.must(table_pb2.KIND_LEAVE, player)
        house.ahead_ms += 301_000
        await house.clocks.fire()
        assert house.commits()[-1].events[0].WhichOneof("event") == "table_closed"


async def test_a_lobby_that_was_left_at_the_second_try_is_closed() -> None:
    """The clock of the first one, which an outage kept from being stored, calls too early."""
    house = House()
    async with house.replica() as replica:
        await replica.open(1)
        house.log.reachable = False
        left = await replica.ask(table_pb2.KIND_LEAVE, "ana", command="left")
        assert left.code == "TRY_LATER"
        (first_ms,) = house.clocks._set.values()
        house.ahead_ms += 3_000
        house.log.reachable = True
        await replica.must(table_pb2.KIND_LEAVE, "ana", command="left")
        house.ahead_ms += first_ms - house.now_ms() + 50
        await house.clocks.fire()
        assert not (await replica.state()).closed
        house.ahead_ms += 3_000
        await house.clocks.fire()
        assert (await replica.state()).closed == events_pb2.CLOSING_EMPTY


async def test_whoever_comes_back_keeps_the_table() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(1)
        await replica.must(table_pb2.KIND_LEAVE, "ana")
        await replica.must(table_pb2.KIND_SIT, "ana", seat=0)
        house.ahead_ms += 301_000
        await house.clocks.fire()
        assert len(house.commits()) == 3


async def test_when_the_home_dies_with_the_last_person_another_replica_looks() -> None:
    house = House()
    async with house.replica() as home:
        await home.open(2)
        for player in ("ana", "bia"):
            await home.ask(table_pb2.KIND_UNWATCH, player)
        await eventually(lambda: house.clocks._set)
    async with house.replica():
        for _ in range(2):
            house.ahead_ms += 321_000
            await house.clocks.fire()
        kinds = [c.events[0].WhichOneof("event") for c in house.commits()[2:]]
        assert kinds == ["person_gone", "person_gone", "table_closed"]


async def test_a_look_spares_those_who_are_there() -> None:
    house = House()
    async with house.replica() as home:
        await home.open(1)
        await home.ask(table_pb2.KIND_UNWATCH, "ana")
        await eventually(lambda: house.clocks._set)
        await home.must(WATCH, "ana")
        house.ahead_ms += 330_000
        await house.clocks.fire()
        assert len(house.commits()) == 1


async def test_an_old_table_is_closed_instead_of_a_new_match() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(1)
        house.ahead_ms += OLDEST_MS + 1000
        update = await replica.must(START, "ana")
        assert update.closed
        frame = replica.listener.frames(0)[-1]
        assert isinstance(frame, server.EventFrame)
        assert frame.d.events[0].closing == "old"


async def test_a_table_that_others_took_over_is_let_go(monkeypatch: Any) -> None:
    monkeypatch.setattr("laelo_table.store.LINGER_SECONDS", 0.01)
    house = House()
    async with house.replica() as stale, house.replica() as home:
        await stale.must(table_pb2.KIND_OPEN, "ana")
        await home.must(CLOSE, "ana")
        await eventually(lambda: len(stale.store.tables) == 0)
        assert nothing_is_left(house, stale)


async def on_long_clock(replica: Replica) -> Table:
    """The table with a person's turn of 15 s."""
    await replica.open(4, move_seconds=15)
    await replica.start()
    while True:
        state = await replica.state()
        if state.begun is not None and not state.begun.short_clock:
            return state
        await replica.move()


async def test_what_an_outage_of_the_log_took_is_given_back() -> None:
    house = House()
    async with house.replica() as replica:
        state = await on_long_clock(replica)
        house.ahead_ms += 10_000
        house.log.reachable = False
        house.ahead_ms += 20_000
        house.log.reachable = True
        await replica.timers.on_due(due(state))
        after = await replica.state()
        assert (after.turn, after.version) == (state.turn, state.version + 1)
        moved = house.commits()[-1]
        left_ms = moved.head.deadline_ms - moved.head.time_ms
        assert 4_500 < left_ms <= 5_000
        assert moved.head.command.startswith(f"back-{state.turn}-")
        frame = replica.listener.frames(4)[-1]
        assert frame.d.events[0].ms == left_ms
        house.ahead_ms += 4_000
        assert (await replica.move()).code == ""


def due(state: Table) -> Any:
    from laelo_common.log import Due

    return Due(TABLE, state.turn)


async def test_everybody_has_three_seconds_after_an_outage() -> None:
    house = House()
    async with house.replica() as replica:
        state = await on_long_clock(replica)
        house.ahead_ms += 14_500
        house.log.reachable = False
        house.ahead_ms += 2_000
        house.log.reachable = True
        await replica.timers.on_due(due(state))
        moved = house.commits()[-1].head
        assert moved.deadline_ms - moved.time_ms == 3_000


async def test_after_a_restart_the_turn_goes_on() -> None:
    """restart-flag"""
    house = House()
    async with house.replica() as old:
        state = await on_long_clock(old)
    house.ahead_ms += 20_000
    async with house.replica() as new:
        await new.must(WATCH, "ana")
        await new.until_version(state.version + 1)
        moved = house.commits()[-1].head
        assert moved.deadline_ms - moved.time_ms == 15_000
        assert new.timers.given_back == 1
        house.ahead_ms += 15_001
        await new.timers.on_due(due(state))
        await new.until_version(state.version + 2)
        assert house.commits()[state.version + 1].head.command == f"clock-{state.turn}"
        assert sum(new.timers.lateness.counts) == 1


def test_which_deadlines_fell_into_an_outage() -> None:
    house = House()
    outages = Outages(house.log.reach, 10_000)
    house.log.reach._gaps.append(Gap(100_000, 120_000))
    house.log.reach._gaps.append(Gap(200_000))
    told = {
        10_500: 1,
        10_501: None,
        98_999: None,
        99_000: 99_000,
        110_000: 100_000,
        120_500: 100_000,
        120_501: None,
        250_000: 200_000,
    }
    for deadline_ms, since_ms in told.items():
        assert outages.since(Table(turn_ms=1, deadline_ms=deadline_ms)) == since_ms


async def test_a_closed_table_is_shown_to_nobody_twice() -> None:
    async with House().replica() as replica:
        await replica.open(1)
        other = Listener()
        await replica.ask(WATCH, "eve", other)
        await replica.must(CLOSE, "ana")
        assert other.updates[-1].closed
        assert isinstance(Warm(TABLE).watchers, dict)
