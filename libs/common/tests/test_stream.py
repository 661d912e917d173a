"""The coalesced stream over real gRPC: loss, slowness, reconnect, back-pressure, order."""

import asyncio
import logging
from typing import Any

import grpc
import grpc.aio
import pytest
from laelo_common.errors import Code
from laelo_common.metrics import Metrics
from laelo_common.stream import (
    ClientLimits,
    Closed,
    CoalescedClient,
    Hooks,
    Overloaded,
    Pace,
    Session,
    Timeout,
)
from laelo_common.testing.echo import EchoFrame, EchoItem, EchoServer, echo, echo_method
from laelo_common.testing.waiting import until

from .stream_kit import HASTY, PATIENT, client, silent


async def test_each_request_gets_its_own_reply() -> None:
    async with EchoServer() as server, client(server) as stream:
        bodies = [b"%d" % number for number in range(1500)]
        replies = await asyncio.gather(*(stream.request(EchoItem(body=b)) for b in bodies))
        assert [reply.body for reply in replies] == bodies
        assert stream.pending == 0


async def test_requests_of_one_moment_are_handled_in_their_order() -> None:
    seen: list[bytes] = []

    def note(_session: Any, item: Any) -> Any:
        seen.append(item.body)
        return EchoItem(body=item.body)

    answered: list[bytes] = []
    async with EchoServer(note) as server, client(server) as stream:
        bodies = [b"%d" % number for number in range(700)]
        for body in bodies:
            stream.ask(EchoItem(body=body), lambda reply, _error: answered.append(reply.body))
        await until(lambda: len(answered) == len(bodies))
    assert seen == bodies
    assert answered == bodies


async def test_a_whole_frame_is_answered_by_one_frame_and_without_tasks() -> None:
    tasks: set[int] = set()

    def count(_session: Any, item: Any) -> Any:
        tasks.add(len(asyncio.all_tasks()))
        return EchoItem(body=item.body)

    async with EchoServer(count) as server, grpc.aio.insecure_channel(server.target) as channel:
        call = echo_method(channel)()
        items = [EchoItem(id=number, body=b"x") for number in range(1, 201)]
        await call.write(EchoFrame(items=items))
        frame = await call.read()
        assert [item.id for item in frame.items] == list(range(1, 201))
        assert len(tasks) == 1
        call.cancel()


async def test_waiting_requests_share_frames() -> None:
    frames = 0

    def counted(channel: grpc.aio.Channel) -> Any:
        call = echo_method(channel)

        def make(**options: Any) -> Any:
            made = call(**options)
            write = made.write

            async def count(frame: Any) -> None:
                nonlocal frames
                frames += 1
                await write(frame)

            made.write = count
            return made

        return make

    async with EchoServer() as server:
        slow = ClientLimits(timeout=20, pace=Pace(0.2, 0.2))
        stream: CoalescedClient[Any, Any]
        async with CoalescedClient(server.target, counted, EchoFrame, limits=slow) as stream:
            await stream.wait_up(20)
            asked: list[asyncio.Future[Any]] = []
            for number in range(50):
                asked.append(stream.request(EchoItem(body=b"%d" % number)))
                await asyncio.sleep(0)
            await asyncio.gather(*asked)
    assert frames == 2, "the first at once, all others after one pace"


async def test_what_was_pending_is_asked_again_after_the_server_died() -> None:
    asked: list[bytes] = []
    deaf = True

    def handle(session: Any, item: Any) -> Any:
        asked.append(item.body)
        return None if deaf else echo(session, item)

    downs: list[int] = []
    server = await EchoServer(handle).start()
    async with client(server, hooks=Hooks(on_down=lambda: downs.append(1))) as stream:
        futures = [stream.request(EchoItem(body=b"%d" % number)) for number in range(20)]
        await until(lambda: len(asked) == 20)
        deaf = False
        await server.kill()
        await until(lambda: not stream.is_up)
        futures.append(stream.request(EchoItem(body=b"meanwhile")))
        await server.start()
        replies = await asyncio.gather(*futures)
    await server.stop()
    bodies = [*(b"%d" % number for number in range(20)), b"meanwhile"]
    assert [reply.body for reply in replies] == bodies
    assert asked == bodies[:20] + bodies, "everything pending again, in order, once"
    assert downs == [1, 1], "the break, and the end"


async def test_requests_may_be_made_before_the_server_is_there(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    server = await EchoServer().start()
    await server.kill()
    async with client(server) as stream:
        future = stream.request(EchoItem(body=b"early"))
        await until(lambda: stream.counts.reconnects > 1)
        await server.start()
        assert (await future).body == b"early"
    await server.stop()
    assert caplog.text.count("stream is down") == 1, "said once, not at each try"


async def test_owner_watches_again_on_every_up() -> None:
    ups: list[asyncio.Future[Any]] = []
    server = await EchoServer().start()
    stream = client(server, hooks=Hooks(on_up=lambda: ups.append(watch())))

    def watch() -> asyncio.Future[Any]:
        return stream.request(EchoItem(body=b"watch"))

    async with stream:
        await until(lambda: len(ups) == 1 and ups[0].done())
        await server.kill()
        await server.start()
        await until(lambda: len(ups) == 2 and ups[1].done())
        assert [(await up).body for up in ups] == [b"watch", b"watch"]
    await server.stop()


async def test_no_answer_is_a_timeout_and_a_late_one_is_ignored() -> None:
    late: list[tuple[Any, Any]] = []

    def hold(session: Any, item: Any) -> Any:
        if item.body == b"slow":
            late.append((session, item))
            return None
        return echo(session, item)

    async with EchoServer(hold) as server, client(server, limits=HASTY) as stream:
        await stream.wait_up(20)
        with pytest.raises(Timeout) as error:
            await stream.request(EchoItem(body=b"slow"))
        assert error.value.code is Code.TRY_LATER
        session, item = late[0]
        session.send(EchoItem(id=item.id, body=b"too late"))
        reply = await stream.request(EchoItem(body=b"next"), timeout=20)
        assert reply.body == b"next"
        assert stream.counts.late == 1
        assert stream.counts.timeouts == 1
        assert stream.is_up


async def test_a_request_may_have_its_own_time() -> None:
    async with EchoServer(silent) as server, client(server) as stream:
        with pytest.raises(Timeout, match=r"0\.05"):
            await stream.request(EchoItem(), timeout=0.05)


async def test_a_silent_stream_is_cut_and_opened_anew() -> None:
    sessions: list[Session[Any, Any]] = []

    def mute_at_first(session: Any, item: Any) -> Any:
        if session not in sessions:
            sessions.append(session)
        return None if session is sessions[0] else echo(session, item)

    limits = ClientLimits(timeout=0.05, stale=0.2)
    async with EchoServer(mute_at_first) as server, client(server, limits=limits) as stream:
        async with asyncio.timeout(20):
            while True:
                try:
                    reply = await stream.request(EchoItem(body=b"heard"))
                except Timeout:
                    continue
                break
        assert reply.body == b"heard"
        assert len(sessions) == 2


async def test_too_many_pending_are_refused_at_once() -> None:
    limits = ClientLimits(timeout=20, max_pending=3)
    async with EchoServer(silent) as server:
        stream = client(server, limits=limits).start()
        futures = [stream.request(EchoItem()) for _ in range(3)]
        with pytest.raises(Overloaded) as error:
            stream.request(EchoItem())
        assert error.value.code is Code.OVERLOADED
        metrics = Metrics()
        stream.counts.show(metrics, "echo", lambda: stream.pending, lambda: 1)
        text = metrics.text()
        assert 'laelo_stream_overloaded_total{to="echo"} 1\n' in text
        assert 'laelo_stream_pending{to="echo"} 3\n' in text
        await stream.close()
        assert all(isinstance(future.exception(), Closed) for future in futures)


async def test_closed_clients_refuse_and_leave_no_task() -> None:
    before = asyncio.all_tasks()
    server = await EchoServer(silent).start()
    stream = client(server).start()
    future = stream.request(EchoItem())
    await stream.wait_up(20)
    await stream.close()
    with pytest.raises(Closed):
        await future
    with pytest.raises(Closed):
        stream.request(EchoItem())
    await server.stop()
    await until(lambda: asyncio.all_tasks() == before)


async def test_what_is_told_arrives_and_waits_for_nothing() -> None:
    heard: list[tuple[int, bytes]] = []

    def hear(session: Any, item: Any) -> Any:
        heard.append((item.id, item.body))
        return echo(session, item) if item.id else None

    async with EchoServer(hear) as server:
        stream = client(server)
        stream.tell(EchoItem(body=b"lost: nobody is there"))
        async with stream:
            await stream.wait_up(20)
            stream.tell(EchoItem(body=b"told"))
            assert stream.pending == 0
            await stream.request(EchoItem(body=b"asked"))
    assert [body for _, body in heard] == [b"told", b"asked"]
    assert heard[0][0] == 0


async def test_an_item_of_the_wrong_kind_is_logged_and_soon_forgotten(
    caplog: pytest.LogCaptureFixture,
) -> None:
    from laelo.rules.v1 import rules_pb2

    async with EchoServer() as server, client(server) as stream:
        await stream.wait_up(20)
        with pytest.raises(Timeout):
            await stream.request(rules_pb2.JudgeRequest(), timeout=0.05)
        assert "a frame could not be written" in caplog.text
        assert (await stream.request(EchoItem(body=b"fine"))).body == b"fine"


async def test_a_method_that_fails_is_logged_and_tried_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    calls = 0

    def fails_once(channel: grpc.aio.Channel) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise RuntimeError("not today")
        return echo_method(channel)

    async with EchoServer() as server:
        stream: CoalescedClient[Any, Any]
        async with CoalescedClient(server.target, fails_once, EchoFrame, limits=PATIENT) as stream:
            assert (await stream.request(EchoItem(body=b"now"))).body == b"now"
    assert "RuntimeError: not today" in caplog.text


async def test_a_cancelled_caller_disturbs_nobody() -> None:
    async with EchoServer() as server, client(server) as stream:
        given_up = stream.request(EchoItem(body=b"a"))
        given_up.cancel()
        assert (await stream.request(EchoItem(body=b"b"))).body == b"b"
        assert stream.pending == 0


async def test_pushes_reach_the_owner_whose_faults_end_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def push(session: Any, item: Any) -> Any:
        session.send(EchoItem(body=b"push"))
        return echo(session, item)

    pushed: list[bytes] = []

    def owner(item: Any) -> None:
        pushed.append(item.body)
        raise RuntimeError("the owner's own fault")

    async with EchoServer(push) as server, client(server, hooks=Hooks(on_push=owner)) as stream:
        for body in (b"1", b"2"):
            assert (await stream.request(EchoItem(body=body))).body == body
    assert pushed == [b"push", b"push"]
    assert "callback of a stream failed" in caplog.text
