"""What every durable clock does: never early, once for each turn, again until handled."""

import asyncio
from secrets import token_hex

import pytest
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Due, Stale


async def fire(world, until, condition, step_ms=100):
    """Lets time pass until a condition holds."""
    for _ in range(600):
        if condition():
            return
        await world.pass_time(step_ms)
    assert condition()


@pytest.fixture
async def calls(world):
    """All turns that were called to either replica, and when; handlers end with the test."""
    heard = []

    async def on_due(due):
        heard.append((due, world.now_ms()))

    running = [await world.clocks.due(on_due), await world.other_clocks.due(on_due)]
    yield heard
    for one in running:
        await one.close()
        await one.wait()


def turns(heard, table):
    return sorted(due.turn for due, _ in heard if due.table == table)


async def test_each_turn_is_called_once_and_never_early(world, until, calls):
    table, now = token_hex(8), world.now_ms()
    at = {turn: now + 200 + 40 * (turn % 7) for turn in range(30)}
    await asyncio.gather(
        *(
            (world.clocks, world.other_clocks)[turn % 2].set(table, turn, when)
            for turn, when in at.items()
        )
    )
    await fire(world, until, lambda: len(turns(calls, table)) == len(at))
    assert turns(calls, table) == sorted(at)
    for due, heard_at in calls:
        if due.table == table:
            assert heard_at >= at[due.turn]


async def test_the_first_time_set_for_a_turn_holds(world, until, calls):
    table, now = token_hex(8), world.now_ms()
    assert await world.clocks.set(table, 1, now + 100)
    assert not await world.other_clocks.set(table, 1, now + 3_600_000 // 2)
    await fire(world, until, lambda: turns(calls, table) == [1])


@pytest.mark.parametrize("turn", [9, 1 << 90])
async def test_a_time_that_has_passed_calls_at_once(world, until, calls, turn):
    table = token_hex(8)
    await world.clocks.set(table, turn, world.now_ms() - 60_000)
    await fire(world, until, lambda: turns(calls, table) == [turn])


@pytest.mark.parametrize(
    ("error", "is_fault"),
    [(RuntimeError("not now"), True), (LaeloError(Code.TRY_LATER), False), (Stale([]), False)],
)
async def test_a_turn_comes_again_until_it_is_handled(world, until, caplog, error, is_fault):
    """What is away for a while is told in a line: whole outages of it would fill the log."""
    table, tries = token_hex(8), []

    async def on_due(due):
        if due.table == table:
            tries.append(due)
            if len(tries) < 3:
                raise error

    running = await world.clocks.due(on_due)
    await world.clocks.set(table, 4, world.now_ms())
    await fire(world, until, lambda: len(tries) == 3)
    assert tries == [Due(table, 4)] * 3
    told = [bool(record.exc_info) for record in caplog.records if table in record.getMessage()]
    assert told == [is_fault] * 2
    await running.close()


async def test_without_a_handler_a_turn_waits_for_one(world, until):
    table, heard = token_hex(8), []

    async def on_due(due):
        heard.append((due, 0))

    await world.clocks.set(table, 5, world.now_ms())
    await world.pass_time(400)
    running = await world.clocks.due(on_due)
    await fire(world, until, lambda: turns(heard, table) == [5])
    await running.close()


async def test_closing_lets_a_handler_end(world, until):
    table, began, go_on, ended = token_hex(8), asyncio.Event(), asyncio.Event(), []

    async def on_due(due):
        if due.table == table:
            began.set()
            await go_on.wait()
            ended.append(due)

    running = await world.clocks.due(on_due)
    await world.clocks.set(table, 6, world.now_ms())
    passing = asyncio.create_task(fire(world, until, lambda: bool(ended)))
    await began.wait()
    closing = asyncio.create_task(running.close())
    go_on.set()
    await closing
    assert ended == [Due(table, 6)]
    await passing


@pytest.mark.parametrize("table", ["a.b", "", "a\r\nb"])
async def test_a_table_must_fit_a_subject(world, table):
    with pytest.raises(ValueError, match="not a token"):
        await world.clocks.set(table, 1, world.now_ms())
