"""Whatever a transport loses, delays or repeats: each request settles exactly once."""

import asyncio
from collections import Counter
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_common.stream import ClientLimits, Closed, CoalescedClient, Pace, Timeout
from laelo_common.testing.echo import EchoFrame, EchoItem
from laelo_common.testing.waiting import until

ANSWER, DROP, DELAY, TWICE, CUT_BEFORE, CUT_AFTER = range(6)

LIMITS = ClientLimits(pace=Pace(0.0, 0.0), stale=0.5, backoff_min=0.001, backoff_max=0.004)


class Transport:
    """Stands in for channel, method and server: does to each item what the plan says."""

    def __init__(self, plan: list[int]) -> None:
        self.plan = plan
        self.seen: Counter[bytes] = Counter()
        self.order: list[list[bytes]] = []

    def channel(self) -> Any:
        return self

    async def close(self) -> None:
        self.plan = []

    def __call__(self, **_: Any) -> "Call":
        self.order.append([])
        return Call(self)

    def next(self) -> int:
        return self.plan.pop(0) if self.plan else ANSWER


class Call:
    """One stream of the transport."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.frames: asyncio.Queue[Any] = asyncio.Queue()
        self.cut = False

    async def initial_metadata(self) -> None:
        await asyncio.sleep(0)

    def done(self) -> bool:
        return self.cut

    def cancel(self) -> None:
        self.cut = True
        self.frames.put_nowait(None)

    async def write(self, frame: Any) -> None:
        for item in frame.items:
            if self.cut:
                return
            self.transport.seen[item.body] += 1
            self.transport.order[-1].append(item.body)
            self.act(self.transport.next(), EchoFrame(items=[EchoItem(id=item.id, body=item.body)]))

    def act(self, what: int, reply: Any) -> None:
        if what in (ANSWER, TWICE, CUT_AFTER):
            self.frames.put_nowait(reply)
        if what == TWICE:
            self.frames.put_nowait(reply)
        if what == DELAY:
            asyncio.get_running_loop().call_later(0.01, self.frames.put_nowait, reply)
        if what in (CUT_BEFORE, CUT_AFTER):
            self.cancel()

    def __aiter__(self) -> "Call":
        return self

    async def __anext__(self) -> Any:
        frame = await self.frames.get()
        if frame is None:
            raise StopAsyncIteration
        return frame


def note(outcomes: list[Any], reply: Any, error: Exception | None) -> None:
    outcomes.append(error or reply.body)


async def ask_all(
    transport: Transport, count: int, close_early: bool = False, seconds: float = 0.08
) -> dict[bytes, list[Any]]:
    """Ask `count` things; for each, all that it was settled with."""
    settled: dict[bytes, list[Any]] = {b"%d" % number: [] for number in range(count)}
    tasks = asyncio.all_tasks()
    stream: CoalescedClient[Any, Any] = CoalescedClient(
        transport.channel, lambda channel: channel, EchoFrame, limits=LIMITS
    )
    stream.start()
    for body, outcomes in settled.items():
        stream.ask(EchoItem(body=body), partial(note, outcomes), seconds)
        await asyncio.sleep(0)
    await until(lambda: close_early or not stream.pending)
    await stream.close()
    assert stream.pending == 0
    assert asyncio.all_tasks() == tasks, "no task is left after close"
    return settled


@settings(max_examples=100, deadline=None)
@given(
    plan=st.lists(st.sampled_from([ANSWER, DROP, DELAY, TWICE, CUT_BEFORE, CUT_AFTER])),
    count=st.integers(1, 12),
    close_early=st.booleans(),
)
def test_each_request_settles_exactly_once(plan: list[int], count: int, close_early: bool) -> None:
    transport = Transport(list(plan))
    settled = asyncio.run(ask_all(transport, count, close_early))
    for body, outcomes in settled.items():
        assert len(outcomes) == 1
        (outcome,) = outcomes
        if isinstance(outcome, Exception):
            assert isinstance(outcome, (Timeout, Closed) if close_early else Timeout)
        else:
            assert outcome == body
    for stream in transport.order:
        assert stream == sorted(stream, key=int), "asked in order, also again"


@settings(max_examples=50, deadline=None)
@given(
    plan=st.lists(st.sampled_from([ANSWER, DELAY, TWICE, CUT_BEFORE, CUT_AFTER]), max_size=10),
    count=st.integers(1, 12),
)
def test_without_losses_cuts_and_delays_cost_no_answer(plan: list[int], count: int) -> None:
    transport = Transport(list(plan))
    settled = asyncio.run(ask_all(transport, count, seconds=20.0))
    assert settled == {body: [body] for body in settled}
    assert all(transport.seen[body] >= 1 for body in settled)
