"""Tables and their log: replicas that race, take over and hear late; a log that is away or lies."""

import asyncio
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.table.v1 import table_pb2
from laelo_common.log import Aggregate, Conflict, Due, Recorded, Refused
from laelo_common.wire.server import EventFrame
from laelo_table.app import TRIES
from laelo_table.store import READ_AT_ONCE
from laelo_table.warm import Warm

from .house import TABLE, House, eventually, fresh_id, legal_command, play_match


@given(st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_two_replicas_racing_make_one_history(seed: int) -> None:
    async def race() -> None:
        house, chance = House(pause_ms=60_000), random.Random(seed)
        async with house.replica() as one, house.replica() as other:
            await one.open()
            await one.start()
            for _ in range(40):
                state = await one.state()
                if state.begun is None:
                    break
                fields = legal_command(state)
                rivals = [one.ask(**fields), other.ask(**fields), other.ask(**fields)]
                chance.shuffle(rivals)
                codes = sorted([answer.code for answer in await asyncio.gather(*rivals)])
                assert codes == ["", "STALE_TURN", "STALE_TURN"]
            assert await one.state() == await other.state()
        versions = [commit.head.version for commit in house.commits()]
        assert versions == list(range(1, len(versions) + 1))

    asyncio.run(race())


async def test_a_table_is_taken_over_in_mid_hand() -> None:
    house = House()
    async with house.replica() as one:
        await one.open()
        await one.start()
        for _ in range(3):
            await one.move()
        state = await one.state()
    async with house.replica() as other:
        await other.must(table_pb2.KIND_WATCH, "bia", seq=state.version - 2)
        events = [frame for frame in other.listener.frames(1) if isinstance(frame, EventFrame)]
        assert [frame.seq for frame in events] == [state.version - 1, state.version]
        assert await other.state() == state
        await play_match(other)


async def test_commits_of_another_replica_are_pushed_here() -> None:
    house = House()
    async with house.replica() as home, house.replica() as other:
        await home.open()
        await home.start()
        for _ in range(5):
            update = await other.move()
            assert not update.code
            seq = update.seq
            await home.listener.until_seq(seq)
        assert [u.seq for u in home.listener.updates[-5:]] == list(range(7, 12))


async def test_notices_lost_in_an_outage_are_made_good() -> None:
    house = House()
    async with house.replica() as home:
        await home.open()
        home_live = house.log._live.copy()
        async with house.replica() as other:
            house.log._live.clear()
            await other.must(table_pb2.KIND_START, "ana")
            house.log._live.update(home_live)
            assert home.listener.updates[-1].seq == 4
            house.log.reachable = False
            house.log.reachable = True
            await home.listener.until_seq(5)


async def test_a_table_that_nobody_watches_is_read_when_it_is_used() -> None:
    house = House()
    async with house.replica() as home, house.replica() as other:
        await home.open()
        await other.start()
        await home.listener.until_seq(6)
        reads = other.store.tables.get(TABLE)
        assert reads is not None
        await home.move()
        await asyncio.sleep(0)
        assert reads.state.version == 6
        assert (await other.state()).version == 7


async def test_a_command_that_names_a_newer_turn_has_the_log_read() -> None:
    house = House()
    async with house.replica() as stale, house.replica() as other:
        await stale.open()
        house.log._live.clear()
        await other.start()
        fields = legal_command(await other.state())
        assert (await stale.ask(**fields)).code == ""


async def test_a_stored_commit_whose_answer_was_lost_is_found() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        house.log.lose_answers(1)
        update = await replica.move()
        assert (update.code, update.seq) == ("", 7)
        assert len(update.views) == 2
        assert len(house.commits()) == 7


async def test_while_the_log_is_away_commands_are_to_be_tried_later() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        state = await replica.state()
        house.log.reachable = False
        assert (await replica.ask(**legal_command(state))).code == "TRY_LATER"
        assert (
            await replica.ask(table_pb2.KIND_WATCH, "ana", table=fresh_id())
        ).code == "TRY_LATER"
        house.log.reachable = True
        assert (await replica.ask(**legal_command(state))).code == ""


async def test_while_the_rules_are_away_commands_are_to_be_tried_later() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()
        await replica.start()
        house.rules_away = True
        assert (await replica.move()).code == "TRY_LATER"
        house.rules_away = False
        assert (await replica.move()).code == ""


async def test_what_the_log_does_not_take_is_a_fault_of_ours(monkeypatch: Any) -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()

        async def refuse(*_: object) -> int:
            raise Refused("too big")

        with monkeypatch.context() as patch:
            patch.setattr(house.log, "append", refuse)
            assert (await replica.ask(table_pb2.KIND_START, "ana")).code == "INTERNAL"
        await replica.start()


async def test_when_others_always_come_first_it_is_to_be_tried_later(monkeypatch: Any) -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()

        async def lose(*_: object) -> int:
            raise Conflict

        with monkeypatch.context() as patch:
            patch.setattr(house.log, "append", lose)
            assert (await replica.ask(table_pb2.KIND_START, "ana")).code == "TRY_LATER"
        assert replica.tables.counts.anew == TRIES
        await replica.start()


async def test_a_broken_log_is_a_fault_that_is_said() -> None:
    house = House()
    async with house.replica() as one:
        await one.open()
    stream = house.log._streams["TBL"]
    del stream[1]
    async with house.replica() as other:
        assert (await other.ask(table_pb2.KIND_WATCH, "ana")).code == "INTERNAL"
        assert len(other.store.tables) == 0
    assert sum(len(live) for live in house.log._live.values()) == 0


async def test_what_comes_while_somebody_is_at_work_is_told_afterwards() -> None:
    house = House()
    async with house.replica() as home, house.replica() as other:
        await home.open()

        async def work(_: Warm) -> None:
            await other.start()
            await eventually(lambda: home.store.tables.all()[0].heard > 4)

        await home.store.use(TABLE, work)
        await home.listener.until_seq(5)


async def test_a_notice_that_cannot_be_followed_is_followed_later(monkeypatch: Any) -> None:
    house = House()
    async with house.replica() as home, house.replica() as other:
        await home.open()
        warm = home.store.tables.all()[0]
        append = house.log.append

        async def append_and_vanish(*values: Any) -> int:
            sequence = await append(*values)
            house.log.reachable = False
            return sequence

        with monkeypatch.context() as patch:
            patch.setattr(house.log, "append", append_and_vanish)
            await other.must(table_pb2.KIND_START, "ana")
        await eventually(lambda: warm.heard > warm.sequence and not warm.lock.locked())
        house.log.reachable = True
        await home.listener.until_seq(5)


async def test_a_clock_for_a_turn_not_heard_of_has_the_log_read() -> None:
    house = House()
    async with house.replica() as stale, house.replica() as other:
        await stale.open(move_seconds=15)
        house.log._live.clear()
        await other.start()
        house.ahead_ms += 20_000
        await stale.timers.on_due(Due(TABLE, 6))
        assert "clock-6" in {commit.head.command for commit in house.commits()}


async def test_a_doubt_that_comes_while_the_log_is_read_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open()
        warm = replica.store.tables.get(TABLE)
        assert warm is not None
        read = house.log.tail

        async def doubted(*where: Any) -> Any:
            warm.suspect()
            return await read(*where)

        warm.suspect()
        with monkeypatch.context() as patched:
            patched.setattr(house.log, "tail", doubted)
            await replica.state()
        assert warm.heard > warm.sequence
        await eventually(lambda: warm.heard <= warm.sequence)


async def test_after_an_outage_tables_are_read_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house, tables, under_way, most, done = House(), 3 * READ_AT_ONCE, 0, 0, 0
    tail = house.log.tail

    async def counted(aggregate: Aggregate, after: int) -> list[Recorded]:
        nonlocal under_way, most, done
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        done += 1
        return await tail(aggregate, after)

    async with house.replica(warm_tables=tables) as replica:
        for _ in range(tables):
            await replica.open(1, fresh_id())
        monkeypatch.setattr(house.log, "tail", counted)
        house.log.reachable = False
        house.log.reachable = True
        await eventually(lambda: done == tables)
    assert most == READ_AT_ONCE
