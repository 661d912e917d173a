"""The server's end over real gRPC: faults of handlers, readers that do not read, the end."""

import asyncio
import logging
from typing import Any

import grpc
import grpc.aio
import pytest
from laelo_common.stream import (
    CLIENT_OPTIONS,
    Closed,
    ServerLimits,
    Session,
)
from laelo_common.testing.echo import EchoFrame, EchoItem, EchoServer, echo, echo_method
from laelo_common.testing.waiting import until

from .stream_kit import client, read_all


async def test_a_failing_handler_is_answered_logged_and_harmless(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def later(item: Any) -> Any:
        await asyncio.sleep(0)
        if item.body == b"bad later":
            raise ValueError("no good, later")
        return EchoItem(body=item.body)

    def handle(session: Any, item: Any) -> Any:
        if item.body == b"bad":
            raise ValueError("no good")
        session.spawn(item, later(item))

    async with EchoServer(handle) as server, client(server) as stream:
        bodies = (b"bad", b"good", b"bad later")
        replies = await asyncio.gather(*(stream.request(EchoItem(body=b)) for b in bodies))
    assert [r.body for r in replies] == [b"error:no good", b"good", b"error:no good, later"]
    assert [r.levelno for r in caplog.records if r.name.endswith("stream.server")] == [
        logging.ERROR,
        logging.ERROR,
    ]


async def test_who_does_not_read_is_dropped_and_others_are_not() -> None:
    sessions: list[Session[Any, Any]] = []

    def join(session: Any, item: Any) -> Any:
        sessions.append(session)
        return echo(session, item)

    limits = ServerLimits(max_out=2000)
    async with (
        EchoServer(join, limits=limits) as server,
        grpc.aio.insecure_channel(server.target) as channel,
        client(server) as other,
    ):
        reader = echo_method(channel)()
        await reader.write(EchoFrame(items=[EchoItem(id=1)]))
        await reader.read()
        slow = sessions[0]
        while slow.is_open:
            for _ in range(100):
                slow.send(EchoItem(body=b"x" * 500))
            await asyncio.sleep(0)
        assert slow.waiting == 0, "nothing is kept for who is gone"
        assert server.streams.counts.dropped == 1
        assert (await other.request(EchoItem(body=b"fine"))).body == b"fine"
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await read_all(reader)
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "lie unread" in str(error.value.details())


async def test_a_flood_of_slow_work_is_not_read_further() -> None:
    gate = asyncio.Event()
    started = 0

    async def work(item: Any) -> Any:
        nonlocal started
        started += 1
        await gate.wait()
        return EchoItem(body=item.body)

    def handle(session: Any, item: Any) -> Any:
        if item.body == b"ping":
            return echo(session, item)
        session.spawn(item, work(item))
        return None

    limits = ServerLimits(max_running=10)
    server = EchoServer(handle, limits=limits)
    async with server, client(server) as stream, client(server) as other:
        futures = []
        for number in range(1, 11):
            futures.append(stream.request(EchoItem(body=b"x")))
            await until(lambda n=number: started == n)  # type: ignore[misc]
        futures += [stream.request(EchoItem(body=b"x")) for _ in range(20)]
        await other.request(EchoItem(body=b"ping"))
        assert started == 10
        gate.set()
        await asyncio.gather(*futures)
        assert started == 30
        assert server.streams.counts.held_back > 0


async def test_the_end_writes_what_is_under_way_and_says_so() -> None:
    gate = asyncio.Event()
    closed: list[Session[Any, Any]] = []
    entered = asyncio.Event()

    async def work(item: Any) -> Any:
        entered.set()
        await gate.wait()
        return EchoItem(body=item.body)

    def handle(session: Any, item: Any) -> None:
        session.spawn(item, work(item))

    server = await EchoServer(handle, on_close=closed.append).start()
    async with grpc.aio.insecure_channel(server.target, options=CLIENT_OPTIONS) as channel:
        call = echo_method(channel)()
        await call.write(EchoFrame(items=[EchoItem(id=7, body=b"under way")]))
        await entered.wait()
        stopping = asyncio.create_task(server.stop())
        await asyncio.sleep(0)
        gate.set()
        frame = await call.read()
        assert [(item.id, item.body) for item in frame.items] == [(7, b"under way")]
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call.read()
        assert error.value.code() is grpc.StatusCode.UNAVAILABLE
        await stopping
    assert len(closed) == 1
    assert not server.streams.sessions


async def test_the_end_does_not_wait_for_work_that_hangs() -> None:
    entered = asyncio.Event()
    before = asyncio.all_tasks()

    async def hang() -> Any:
        entered.set()
        await asyncio.Event().wait()

    server = await EchoServer(lambda session, item: session.spawn(item, hang())).start()
    stream = client(server).start()
    future = stream.request(EchoItem())
    await entered.wait()
    await server.streams.close(grace=0.05)
    await server.kill()
    await stream.close()
    assert isinstance(future.exception(), Closed)
    await until(lambda: asyncio.all_tasks() == before)


async def test_a_client_that_says_it_is_done_gets_all_answers() -> None:
    async def later(item: Any) -> Any:
        await asyncio.sleep(0.01)
        return EchoItem(body=item.body)

    server = EchoServer(lambda session, item: session.spawn(item, later(item)))
    async with server, grpc.aio.insecure_channel(server.target) as channel:
        call = echo_method(channel)()
        await call.write(EchoFrame(items=[EchoItem(id=1, body=b"last")]))
        await call.done_writing()
        frames = [frame async for frame in call]
        assert [item.body for frame in frames for item in frame.items] == [b"last"]
        assert await call.code() is grpc.StatusCode.OK
