"""The table service is asked at its home, and elsewhere when nobody answers there."""

import asyncio

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.hashing import home_order
from laelo_common.ids import new_id
from laelo_tournament.adapters import tables as adapter
from laelo_tournament.adapters.tables import GrpcTables

from .table_server import serving


class Answering:
    """Tables that answer with the command's id."""

    async def submit(self, command: table_pb2.Command) -> table_pb2.Update:
        return table_pb2.Update(table=command.table, code=command.command)


class Silent:
    """Tables that never answer."""

    async def submit(self, command: table_pb2.Command) -> table_pb2.Update:
        await asyncio.Event().wait()
        raise AssertionError(command)


def commands(count: int) -> list[table_pb2.Command]:
    return [table_pb2.Command(table=new_id(), command=f"c-{n}") for n in range(count)]


async def test_each_table_is_asked_at_its_home() -> None:
    async with serving(Answering()) as (one, first), serving(Answering()) as (two, second):
        tables = GrpcTables(f"{one}, {two}")
        asked = commands(40)
        for command in asked:
            assert (await tables.submit(command)).code == command.command
        both = frozenset((one, two))
        homes = [home_order(command.table, both)[0] for command in asked]
        assert (first.asked, second.asked) == (homes.count(one), homes.count(two))
        assert first.asked
        assert second.asked
        await tables.close()


async def test_who_is_dead_or_silent_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "ANSWER_SECONDS", 0.2)
    async with serving(Answering()) as (one, _), serving(Silent()) as (two, _):
        async with serving(Answering()) as (gone, _):
            pass
        tables = GrpcTables(",".join((gone, two, one)))
        for command in commands(6):
            assert (await tables.submit(command)).code == command.command
        await tables.close()


async def test_when_nobody_answers_it_is_try_later() -> None:
    async with serving(Answering()) as (gone, _):
        pass
    tables = GrpcTables(gone)
    with pytest.raises(LaeloError) as refused:
        await tables.submit(commands(1)[0])
    assert refused.value.code is Code.TRY_LATER
    await tables.close()


async def test_a_name_that_is_not_resolved_now_keeps_what_it_meant() -> None:
    async with serving(Answering()) as (address, servicer):
        tables = GrpcTables(address)
        await tables.submit(commands(1)[0])

        async def unresolved() -> list[str]:
            raise OSError("no such name")

        tables._resolve = unresolved
        await tables.submit(commands(1)[0])
        assert servicer.asked == 2

        async def nobody() -> list[str]:
            return []

        tables._resolve = nobody
        with pytest.raises(LaeloError):
            await tables.submit(commands(1)[0])
        await tables.close()


@pytest.mark.parametrize("wrong", ["", "host", "host:port", " , "])
def test_a_setting_that_names_nobody_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError):
        GrpcTables(wrong)
