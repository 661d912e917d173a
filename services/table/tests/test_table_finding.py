"""Tables are found by code and on the board, and start by themselves."""

import asyncio
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import LogError
from laelo_table.domain.codes import ALPHABET, code_of, is_code
from laelo_table.domain.commands import Gone
from laelo_table.domain.state import in_match
from laelo_table.finding import claim_code

from .house import TABLE, House, Replica, fresh_id
from .kit import PEOPLE


@given(st.text(max_size=26), st.integers(0, 99))
def test_a_code_can_be_said_aloud(table: str, attempt: int) -> None:
    code = code_of(table, attempt)
    assert re.fullmatch("[A-HJ-NP-Z2-9]{6}", code)
    assert is_code(code)
    assert code == code_of(table, attempt)


@pytest.mark.parametrize("text", ["", "ABCDE", "ABCDEFG", "ABCDE0", "ABCDE1", "ABCDEO", "abcdef"])
def test_what_is_no_code(text: str) -> None:
    assert not is_code(text)
    assert len(ALPHABET) == 32


async def test_a_table_is_found_by_its_code_as_long_as_it_is_open() -> None:
    house = House()
    async with house.replica() as replica, house.replica() as other:
        await replica.open(2, move_seconds=30, level=table_pb2.BOT_LEVEL_RANDOM)
        code = (await replica.state()).code
        found = await other.tables.find(code)
        assert (found.table, found.free, found.playing) == (TABLE, 2, False)
        assert (found.options.move_seconds, found.options.level) == (30, 1)
        assert len(other.store.tables) == 0
        await replica.start()
        found = await replica.tables.find(code)
        assert (found.free, found.playing) == (0, True)
        await replica.must(table_pb2.KIND_CLOSE, "ana")
        for text in (code, "ABCDEF", "nonsense"):
            with pytest.raises(LaeloError) as refused:
                await replica.tables.find(text)
            assert refused.value.code is Code.UNKNOWN_TABLE
            assert str(refused.value) == "UNKNOWN_TABLE: no open table has this code"


async def test_a_table_opened_twice_has_one_code() -> None:
    house = House()
    async with house.replica() as one, house.replica() as other:
        fields: dict[str, Any] = {"kind": table_pb2.KIND_OPEN, "player": "ana", "command": "open"}
        await asyncio.gather(one.must(**fields), other.must(**fields))
        assert (await one.state()).code == (await other.state()).code == code_of(TABLE, 0)


async def test_a_code_that_is_taken_is_passed_over() -> None:
    house = House()
    for attempt in range(2):
        await house.log.claim(code_of(TABLE, attempt), b"another")
    assert await claim_code(house.log, TABLE) == code_of(TABLE, 2)
    assert await claim_code(house.log, TABLE) == code_of(TABLE, 2)
    for attempt in range(2, 20):
        await house.log.claim(code_of("full", attempt), b"another")
    for attempt in range(2):
        await house.log.claim(code_of("full", attempt), b"another")
    with pytest.raises(LaeloError):
        await claim_code(house.log, "full")


async def test_while_the_log_is_away_nothing_is_found() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(1)
        code = (await replica.state()).code
        house.log.reachable = house.board.reachable = False
        for asked in (replica.tables.find(code), replica.tables.waiting()):
            with pytest.raises(LaeloError) as refused:
                await asked
            assert refused.value.code is Code.TRY_LATER
        house.log.reachable = True
        assert (await replica.tables.find(code)).table == TABLE


async def waiting(replica: Replica) -> list[tuple[str, int]]:
    return [(table.table, table.free) for table in await replica.tables.waiting()]


async def test_public_tables_are_on_the_board_while_they_wait_for_players() -> None:
    house = House()
    async with house.replica() as replica, house.replica() as other:
        first, second, private = fresh_id(), fresh_id(), fresh_id()
        await replica.open(1, table=first, public=True)
        await replica.open(1, table=private)
        await replica.open(1, table=second, public=True)
        assert await waiting(other) == [(first, 3), (second, 3)]
        await replica.must(table_pb2.KIND_SEAT_BOT, "ana", seat=3, table=second)
        assert await waiting(other) == [(first, 3), (second, 2)]
        await replica.start(first)
        assert await waiting(other) == [(second, 2)]
        for player in PEOPLE[1:3]:
            await replica.must(table_pb2.KIND_SIT, player, seat=-1, table=second)
        assert await waiting(other) == []
        await replica.must(table_pb2.KIND_LEAVE, "bia", table=second)
        assert await waiting(other) == [(second, 1)]
        await replica.must(table_pb2.KIND_CLOSE, "ana", table=second)
        assert await waiting(other) == []


async def test_nobody_is_sent_to_a_table_at_which_all_are_gone() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(2, public=True)
        replica.tables.forget(replica.listener)
        await replica.tables.run(TABLE, Gone("ana", 0, 1))
        assert await waiting(replica) == [(TABLE, 2)]
        await replica.tables.run(TABLE, Gone("bia", 1, 1))
        assert await waiting(replica) == []
        await replica.must(table_pb2.KIND_WATCH, "bia")
        assert await waiting(replica) == [(TABLE, 2)]


async def test_a_board_that_is_away_keeps_nobody_from_opening() -> None:
    house = House()
    house.board.reachable = False
    async with house.replica() as replica:
        await replica.open(4, public=True)
        await replica.start()
        with pytest.raises(LogError):
            await house.board.notices(1)


async def test_a_quick_table_starts_by_itself_with_bots() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(2, start_seconds=8, level=table_pb2.BOT_LEVEL_RANDOM)
        state = await replica.state()
        assert state.deadline_ms == house.commits()[0].head.time_ms + 8000
        assert not in_match(state)
    async with house.replica() as other:
        house.ahead_ms += 10_000
        assert await house.clocks.fire() == 1
        await other.until_version(state.version + 2)
        started = house.commits()[state.version]
        assert started.head.command == f"start-{state.turn}"
        assert [seat.level for seat in (await other.state()).seats] == [0, 0, 1, 1]


async def test_a_quick_table_starts_at_once_when_it_is_full() -> None:
    async with House().replica() as replica:
        await replica.open(4, start_seconds=600)
        await replica.until_version(6)
        assert in_match(await replica.state())


async def test_a_quick_table_without_people_does_not_start() -> None:
    house = House()
    async with house.replica() as replica:
        await replica.open(1, start_seconds=1)
        await replica.must(table_pb2.KIND_LEAVE, "ana")
        assert (await replica.state()).deadline_ms == 0
        house.ahead_ms += 5_000
        await house.clocks.fire()
        assert len(house.commits()) == 2
        await replica.must(table_pb2.KIND_SIT, "bia", seat=1)
        state = await replica.state()
        assert (state.turn, state.deadline_ms) == (3, house.commits()[-1].head.time_ms + 1000)
        await replica.until_version(5)
        assert house.commits()[3].head.command == "start-3"
