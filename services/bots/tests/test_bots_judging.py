"""The judge over gRPC: verdicts one by one, by a worker, behind whoever waits at a table."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import grpc
import grpc.aio
import pytest
from laelo.bots.v1 import bots_pb2 as pb
from laelo.bots.v1.bots_pb2_grpc import BotsServiceStub, add_BotsServiceServicer_to_server
from laelo_bots.app import MOST_WORLDS
from laelo_bots.frames import CHOOSE
from laelo_bots.judging.job import judged
from laelo_bots.judging.serving import MOST_TURNS, Judging
from laelo_bots.mind import Mind
from laelo_bots.server import BotsServicer
from laelo_bots.thinking import Thinking
from laelo_bots.workers import Workers

from .test_bots_judge import choices, turn_of

MIND = Mind()


class House(NamedTuple):
    workers: Workers
    judging: Judging
    stub: Any


@pytest.fixture
async def house() -> AsyncIterator[House]:
    workers = Workers(1)
    judging = Judging(workers)
    server = grpc.aio.server()
    servicer = BotsServicer(Thinking(MIND, workers, budget=0.02), judging)
    add_BotsServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield House(workers, judging, BotsServiceStub(channel))
    await servicer.streams.close()
    await server.stop(None)
    await workers.close()


def request_of(turns: int, **more: int) -> pb.JudgeRequest:
    played = [turn_of(hand, position) for hand, position in choices(11, 3)[:turns]]
    return pb.JudgeRequest(turns=played, **more)


async def test_each_turn_has_its_verdict_in_order(house: House) -> None:
    request = request_of(6, worlds=20)
    found = [verdict async for verdict in house.stub.Judge(request)]
    assert [verdict.index for verdict in found] == list(range(6))
    for turn, verdict in zip(request.turns, found, strict=True):
        alone = pb.JudgeRequest(turns=[turn], worlds=20).SerializeToString()
        expected = pb.JudgeResponse.FromString(judged(alone, MIND))
        expected.index = verdict.index
        assert verdict == expected
    assert house.judging.judged == 6


async def refused(house: House, request: pb.JudgeRequest) -> str:
    """With which sentence a request is refused as a whole."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        [one async for one in house.stub.Judge(request)]
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert house.judging.judged == 0
    return str(caught.value.details())


async def test_what_makes_no_sense_is_refused_before_anything_is_judged(house: House) -> None:
    request = request_of(3)
    request.turns[2].tile = 31
    assert "turn 3 of the request: tile 31 cannot be laid" in await refused(house, request)
    request.turns[1].view.seat = 9
    assert "turn 2 of the request: seat 9 is not 0-3" in await refused(house, request)
    many = request_of(1, worlds=MOST_WORLDS + 1)
    assert "worlds are more than" in await refused(house, many)
    long = pb.JudgeRequest(turns=[pb.PlayedTurn()] * (MOST_TURNS + 1))
    assert "turns are more than" in await refused(house, long)


async def test_who_waits_at_a_table_goes_first(house: House) -> None:
    """A question of a table that comes while a match is judged waits for one verdict at most."""
    request = request_of(8, worlds=400)
    answered: list[int] = []
    hand, position = choices(11, 3)[0]
    asked = pb.ChooseMoveRequest(
        view=turn_of(hand, position).view, level=pb.LEVEL_STRONG, worlds=10
    )

    async def wait() -> None:
        await house.workers.ask(CHOOSE, asked.SerializeToString, 20)
        answered.append(house.judging.judged)

    waiting: asyncio.Task[None] | None = None
    async for verdict in house.stub.Judge(request):
        if verdict.index == 1:
            waiting = asyncio.create_task(wait())
    assert waiting is not None
    await waiting
    assert answered[0] < 8
