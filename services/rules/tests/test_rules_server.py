"""The rules service over real gRPC: one question, and questions in frames."""

from collections.abc import AsyncIterator

import grpc
import grpc.aio
import pytest
from laelo.rules.v1 import rules_pb2, rules_pb2_grpc
from laelo_common.errors import Code
from laelo_common.status import error_of
from laelo_common.stream import CLIENT_OPTIONS, SERVER_OPTIONS, CoalescedClient
from laelo_common.telemetry import Telemetry
from laelo_common.testing.spans import Notes
from laelo_rules.app import answer
from laelo_rules.engine import Outcome, Pass, Play, State, deal, judge
from laelo_rules.server import RulesServicer

from . import wire

Client = CoalescedClient[rules_pb2.JudgeRequest, rules_pb2.JudgeResponse]


class Running:
    """A server with its servicer and address."""

    def __init__(self) -> None:
        self.notes = Notes()
        self.servicer = RulesServicer(Telemetry(self.notes, 1.0))
        self.server = grpc.aio.server(options=SERVER_OPTIONS)
        rules_pb2_grpc.add_RulesServiceServicer_to_server(self.servicer, self.server)
        self.target = f"127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"

    def client(self) -> Client:
        return CoalescedClient(
            self.target,
            lambda channel: rules_pb2_grpc.RulesServiceStub(channel).Connect,
            rules_pb2.ConnectRequest,
        )

    def channel(self) -> grpc.aio.Channel:
        return grpc.aio.insecure_channel(self.target, options=CLIENT_OPTIONS)


@pytest.fixture
async def rules() -> AsyncIterator[Running]:
    running = Running()
    await running.server.start()
    yield running
    await running.servicer.streams.close()
    await running.server.stop(1)


def dealt() -> State:
    state = deal(range(28))
    assert isinstance(state, State)
    return state


def hand_of_questions() -> list[rules_pb2.JudgeRequest]:
    """Right and wrong moves, from the deal on."""
    state, questions = dealt(), []
    for move in (Pass(3), Play(3, (5, 5)), Play(0, (0, 0)), Pass(0), Pass(1), Pass(2)):
        questions.append(wire.question(state, move))
        outcome = judge(state, move)
        if isinstance(outcome, Outcome):
            state = outcome.state
    return questions


async def test_one_question(rules: Running) -> None:
    async with rules.channel() as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        for question in hand_of_questions():
            assert await stub.Judge(question) == answer(question)
    assert rules.servicer.answered == len(hand_of_questions())


async def test_one_question_that_makes_no_sense(rules: Running) -> None:
    async with rules.channel() as channel:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await rules_pb2_grpc.RulesServiceStub(channel).Judge(wire.question(dealt(), Pass(9)))
    assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert failed.value.details() == "seat is 9, not 0-3"
    assert error_of(failed.value).code is Code.BAD_REQUEST
    assert rules.servicer.made_no_sense == 1


async def test_many_questions_on_a_stream(rules: Running) -> None:
    questions = [question for _ in range(50) for question in hand_of_questions()]
    async with rules.client() as client:
        pending = [client.request(question, timeout=30) for question in questions]
        for question, future in zip(questions, pending, strict=True):
            assert await future == answer(question)
    assert rules.servicer.answered == len(questions)


async def test_nonsense_on_a_stream_spoils_nothing_else(rules: Running) -> None:
    async with rules.client() as client:
        nonsense = client.request(wire.question(dealt(), Pass(9)), timeout=30)
        sensible = client.request(wire.question(dealt(), Play(3, (5, 5))), timeout=30)
        refused = await nonsense
        assert refused.refusal == rules_pb2.REFUSAL_BAD_REQUEST
        assert refused.reason == "seat is 9, not 0-3"
        assert (await sensible).refusal == rules_pb2.REFUSAL_UNSPECIFIED
        assert client.counts.reconnects == 0


async def test_nonsense_is_refused_in_the_same_words_when_it_is_traced(rules: Running) -> None:
    async with rules.client() as client:
        for trace in ("", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"):
            nonsense = rules_pb2.JudgeRequest(trace=trace)
            nonsense.act = 99  # type: ignore[assignment]
            refused = await client.request(nonsense, timeout=30)
            assert refused.reason == "act is 99, which is nothing that can be asked"
    (span,) = rules.notes.spans
    assert span.attributes == {"act": "unknown"}


async def test_a_fault_of_the_service_is_an_answer_too(
    rules: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_request: rules_pb2.JudgeRequest) -> rules_pb2.JudgeResponse:
        raise ZeroDivisionError

    monkeypatch.setattr("laelo_rules.server.answer", broken)
    async with rules.client() as client:
        reply = await client.request(wire.question(dealt(), Pass(3)), timeout=30)
    assert reply.refusal == rules_pb2.REFUSAL_BAD_REQUEST
    assert "logs" in reply.reason


async def test_the_answer_on_a_stream_carries_the_questions_id(rules: Running) -> None:
    async with rules.channel() as channel:
        call = rules_pb2_grpc.RulesServiceStub(channel).Connect()
        questions = hand_of_questions()
        for number, question in enumerate(questions, start=40):
            question.id = number
        await call.write(rules_pb2.ConnectRequest(items=questions))
        await call.done_writing()
        items = [item async for frame in call for item in frame.items]
    assert items == [answer(question) for question in questions]
