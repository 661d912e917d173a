"""The service as others ask it: one question at a time, and many in a frame."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import grpc
import grpc.aio
import pytest
from laelo.bots.v1 import bots_pb2 as pb
from laelo.bots.v1.bots_pb2_grpc import BotsServiceStub, add_BotsServiceServicer_to_server
from laelo.rules.v1 import rules_pb2
from laelo_bots.app import answer
from laelo_bots.judging.serving import Judging
from laelo_bots.mind import Mind
from laelo_bots.server import BotsServicer
from laelo_bots.thinking import Thinking
from laelo_bots.workers import Workers
from laelo_common.stream import ClientLimits, CoalescedClient
from laelo_rules.engine import ChooseOpener, Move, Outcome, Pass, Play, judge
from laelo_rules.engine.tiles import TILES

from .duel import Hand, random_hands, view_of

MIND = Mind()


@pytest.fixture
async def address() -> AsyncIterator[str]:
    server = grpc.aio.server()
    workers = Workers(1)
    servicer = BotsServicer(Thinking(MIND, workers, budget=0.02), Judging(workers))
    add_BotsServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    yield f"127.0.0.1:{port}"
    await servicer.streams.close()
    await server.stop(None)
    await workers.close()


def question(hand: Hand, level: int = pb.LEVEL_SIMPLE, seed: int = 0) -> pb.ChooseMoveRequest:
    return pb.ChooseMoveRequest(
        level=pb.Level.ValueType(level), seed=seed, view=pb.View(**view_of(hand)._asdict())
    )


def move_of(response: pb.ChooseMoveResponse, seat: int) -> Move:
    if response.act == rules_pb2.ACT_CHOOSE_OPENER:
        return ChooseOpener(seat, response.opener)
    if response.act == rules_pb2.ACT_PASS:
        return Pass(seat)
    assert response.act == rules_pb2.ACT_PLAY
    return Play(seat, TILES[response.tile], response.end)


async def test_one_question(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        stub = BotsServiceStub(channel)
        for hand in random_hands(seed=2, hands=2):
            response = await stub.ChooseMove(question(hand))
            assert hand.state.turn is not None
            assert isinstance(judge(hand.state, move_of(response, hand.state.turn)), Outcome)
            assert response.engine
            assert not response.evaluations


async def test_nonsense_is_an_invalid_argument(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        stub = BotsServiceStub(channel)
        request = question(random_hands(seed=2, hands=1)[0])
        request.view.seat = 7
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stub.ChooseMove(request)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "seat 7 is not 0-3" in str(caught.value.details())


async def test_many_questions_on_one_stream(address: str) -> None:
    hands = random_hands(seed=4, hands=20)
    async with CoalescedClient[pb.ChooseMoveRequest, pb.ChooseMoveResponse](
        address,
        lambda channel: BotsServiceStub(channel).Connect,
        pb.ConnectRequest,
        limits=ClientLimits(timeout=60.0),
    ) as client:
        wrong = client.request(pb.ChooseMoveRequest(level=pb.LEVEL_RANDOM))
        seeds = [Random(n).getrandbits(64) for n, _ in enumerate(hands)]
        asked = [
            client.request(question(hand, pb.LEVEL_RANDOM, seed))
            for hand, seed in zip(hands, seeds, strict=True)
        ]
        assert "hand 0" in (await wrong).error
        for hand, seed, response in zip(hands, seeds, await asyncio.gather(*asked), strict=True):
            alone = answer(question(hand, pb.LEVEL_RANDOM, seed), MIND)
            assert (response.act, response.tile, response.end, response.opener) == (
                alone.act,
                alone.tile,
                alone.end,
                alone.opener,
            )


def test_an_unknown_level_is_named() -> None:
    hand = random_hands(seed=2, hands=1)[0]
    assert answer(question(hand, level=9), MIND).error == (
        "level 9 is not one of 1 = random, 2 = simple, 3 = easy, 4 = medium, 5 = strong"
    )


@pytest.mark.parametrize(("field", "value"), [("worlds", 20_001), ("budget_ms", 10_001)])
def test_who_asks_for_too_much_is_told(field: str, value: int) -> None:
    asked = question(random_hands(seed=2, hands=1)[0], pb.LEVEL_STRONG)
    setattr(asked, field, value)
    assert f"{value}" in answer(asked, MIND).error


async def test_a_strong_bot_gives_its_reasons(address: str) -> None:
    """Time or worlds: the same seed and as many worlds give the same answer, by whichever way."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub = BotsServiceStub(channel)
        reasons = 0
        for hand in random_hands(seed=5, hands=1)[-8:]:
            asked = question(hand, pb.LEVEL_STRONG, seed=9)
            asked.budget_ms = 5000
            by_time = await stub.ChooseMove(asked)
            assert hand.state.turn is not None
            assert isinstance(judge(hand.state, move_of(by_time, hand.state.turn)), Outcome)
            if not by_time.worlds:
                continue
            reasons += 1
            asked.worlds = by_time.worlds
            by_worlds = await stub.ChooseMove(asked)
            assert by_worlds.evaluations == by_time.evaluations
            best = by_time.evaluations[0]
            assert (best.tile, best.end) == (by_time.tile, by_time.end)
            assert 0 <= best.equity <= 1
        assert reasons


async def test_nonsense_is_refused_by_the_workers_too(address: str) -> None:
    async with grpc.aio.insecure_channel(address) as channel:
        request = question(random_hands(seed=2, hands=1)[0], pb.LEVEL_STRONG)
        request.view.seat = 7
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await BotsServiceStub(channel).ChooseMove(request)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
