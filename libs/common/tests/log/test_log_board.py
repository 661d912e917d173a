"""The notice board, in memory and on JetStream."""

import asyncio
from secrets import token_hex

import pytest
from laelo_common.log import MemoryBoard, Unavailable


async def mine(board, prefix):
    """The notices of one test, without their prefix."""
    return [data[len(prefix) :] for data in await board.notices(1000) if data.startswith(prefix)]


async def until_up(board, prefix, wanted):
    async with asyncio.timeout(20):
        while await mine(board, prefix) != wanted:  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.01)


async def test_notices_are_up_until_they_are_withdrawn(world):
    name = token_hex(4)
    prefix = name.encode()
    for number in range(3):
        world.board.post(f"{name}-{number}", prefix + b"%d" % number)
    await until_up(world.other_board, prefix, [b"0", b"1", b"2"])
    world.other_board.withdraw(f"{name}-1")
    await until_up(world.board, prefix, [b"0", b"2"])
    world.board.post(f"{name}-0", prefix + b"again")
    await until_up(world.board, prefix, [b"2", b"again"])
    world.board.withdraw(f"{name}-7")
    assert len(await world.board.notices(1)) == 1


async def test_more_notices_than_one_answer_holds(world):
    name = token_hex(4)
    prefix = name.encode()
    for number in range(300):
        world.board.post(f"{name}-{number}", prefix + b"%d" % number)
    await until_up(world.board, prefix, [b"%d" % number for number in range(300)])


async def test_a_key_must_fit_a_subject(world):
    with pytest.raises(ValueError, match="not a token"):
        world.board.post("a.b", b"x")


async def test_an_outage_is_no_fault(own_connection, own_server):
    from laelo_common.log import JetStreamBoard

    board = JetStreamBoard(own_connection)
    own_server.kill()
    board.post("a", b"x")
    board.withdraw("a")
    with pytest.raises(Unavailable):
        await board.notices(10)


async def test_a_board_in_memory_is_out_of_reach_too():
    board = MemoryBoard()
    board.post("a", b"x")
    board.reachable = False
    board.post("b", b"x")
    board.withdraw("a")
    with pytest.raises(Unavailable):
        await board.notices(10)
    board.reachable = True
    assert await board.notices(10) == [b"x"]
