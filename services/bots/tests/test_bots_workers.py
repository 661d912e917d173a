"""Workers die and get stuck, and nobody at the table notices more than a moment."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from laelo.bots.v1 import bots_pb2 as pb
from laelo_bots.app import answer
from laelo_bots.frames import CHOOSE
from laelo_bots.mind import Mind
from laelo_bots.thinking import Thinking
from laelo_bots.workers import ROOM, CrowdedError, UnansweredError, Workers
from laelo_common.testing.waiting import until

from .duel import random_hands, view_of

PATIENT = 60.0
MIND = Mind()


@asynccontextmanager
async def working(number: int = 1, *program: str) -> AsyncIterator[Workers]:
    workers = Workers(number, (sys.executable, "-c", *program)) if program else Workers(number)
    try:
        yield workers
    finally:
        await workers.close()
    assert workers.alive == 0


def a_choice(worlds: int = 16) -> pb.ChooseMoveRequest:
    """A question that is worth a search."""
    hand = next(hand for hand in random_hands(seed=8, hands=1) if len(hand.turns) == 2)
    view = pb.View(**view_of(hand)._asdict())
    return pb.ChooseMoveRequest(id=3, view=view, level=pb.LEVEL_STRONG, seed=1, worlds=worlds)


def same(response: pb.ChooseMoveResponse) -> bytes:
    """What has to be the same whoever answers, and however long it takes."""
    copy = pb.ChooseMoveResponse.FromString(response.SerializeToString())
    copy.elapsed_us = 0
    return copy.SerializeToString()


async def asked(workers: Workers, request: pb.ChooseMoveRequest) -> pb.ChooseMoveResponse:
    found = await workers.ask(CHOOSE, request.SerializeToString, PATIENT)
    return pb.ChooseMoveResponse.FromString(found)


async def test_a_worker_answers_as_the_service_itself_would() -> None:
    async with working() as workers:
        request = a_choice()
        assert same(await asked(workers, request)) == same(answer(request, MIND))
        assert workers.alive == 1


async def test_a_dead_worker_is_replaced_and_its_question_asked_again() -> None:
    async with working() as workers:
        request = a_choice(worlds=20_000)
        asking = asyncio.ensure_future(asked(workers, request))
        await until(lambda: workers.alive > 0)
        process = workers.processes[0]
        assert process is not None
        process.kill()
        response = await asking
        assert response.worlds
        assert workers.replaced == 1
        assert workers.processes[0] is not process


async def test_a_worker_that_died_while_nobody_asked_is_replaced() -> None:
    async with working() as workers:
        assert workers.alive == 0
        await asked(workers, a_choice())
        process = workers.processes[0]
        assert process is not None
        assert workers.alive == 1
        process.kill()
        await process.wait()
        assert workers.alive == 0
        assert (await asked(workers, a_choice())).id == 3


async def test_a_stuck_worker_is_taken_for_dead() -> None:
    async with working(1, "import sys; sys.stdin.read()") as workers:
        with pytest.raises(UnansweredError, match="TimeoutError"):
            await workers.ask(CHOOSE, lambda: b"", 0.01)
        assert workers.replaced == 2


async def test_a_fault_in_a_worker_is_told_and_the_worker_goes_on() -> None:
    async with working() as workers:
        with pytest.raises(UnansweredError, match="DecodeError"):
            await workers.ask(CHOOSE, lambda: b"\xff", PATIENT)
        assert (await asked(workers, a_choice())).id == 3
        assert workers.replaced == 0


async def test_a_full_line_is_no_place_to_wait() -> None:
    async with working(1, "import sys; sys.stdin.read()") as workers:
        asks = [workers.ask(CHOOSE, lambda: b"", PATIENT) for _ in range(ROOM + 2)]
        waiting = [asyncio.ensure_future(ask) for ask in asks]
        # All but one wait: for the worker, or for its end.
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert all(isinstance(one.exception(), CrowdedError) for one in done)
    given_up = await asyncio.gather(*waiting, return_exceptions=True)
    assert any(isinstance(one, asyncio.CancelledError) for one in given_up)


async def test_what_somebody_waits_for_goes_first() -> None:
    echo = (
        "import sys, struct\n"
        "while head := sys.stdin.buffer.read(5):\n"
        "    body = sys.stdin.buffer.read(struct.unpack('>BI', head)[1])\n"
        "    sys.stdout.buffer.write(head + body); sys.stdout.buffer.flush()\n"
    )
    order = []

    async with working(1, echo) as workers:

        async def ask(name: bytes, *, later: bool) -> None:
            order.append(await workers.ask(CHOOSE, lambda: name, PATIENT, later=later))

        asks = (ask(b"judge 1", later=True), ask(b"judge 2", later=True), ask(b"move", later=False))
        await asyncio.gather(*asks)
    assert order == [b"move", b"judge 1", b"judge 2"]


async def test_without_workers_a_strong_bot_plays_by_its_policy() -> None:
    async with working(1, "pass") as workers:
        thinking = Thinking(MIND, workers, budget=0.01)
        response = await thinking.searched(a_choice())
    medium = a_choice()
    medium.level = pb.LEVEL_MEDIUM
    assert (response.tile, response.end) == (answer(medium, MIND).tile, answer(medium, MIND).end)
    assert thinking.hurried == 1


async def test_who_has_waited_too_long_is_answered_by_the_policy() -> None:
    """Behind a question of somebody else that the only worker does not come to an end with."""
    async with working(1, "import sys; sys.stdin.read()") as workers:
        long = asyncio.ensure_future(asked(workers, a_choice()))
        await until(lambda: workers.alive > 0)
        thinking = Thinking(MIND, workers, budget=0.01)
        response = await thinking.searched(a_choice(worlds=0))
        assert not response.error
        assert (response.worlds, thinking.hurried, workers.waiting) == (0, 1, 1)
        assert not long.done()


async def test_a_forced_move_takes_as_long_as_any_other() -> None:
    """Else a wait would tell everybody at the table that the bot had something to choose from."""
    forced = next(
        hand
        for hand in random_hands(seed=8, hands=5)
        if hand.state.turn is not None and hand.state.hands[hand.state.turn].bit_count() == 1
    )
    view = pb.View(**view_of(forced)._asdict())
    async with working() as workers:
        thinking = Thinking(MIND, workers, budget=0.3)
        loop = asyncio.get_running_loop()
        begin = loop.time()
        await thinking.searched(pb.ChooseMoveRequest(view=view, level=pb.LEVEL_STRONG))
        assert loop.time() - begin >= 0.3
