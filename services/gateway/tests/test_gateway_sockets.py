"""Sockets: hello, bad input, limits, who does not read, who is dead, the orderly end."""

import asyncio
import base64
import contextlib
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.errors import Code
from laelo_common.ids import new_id
from laelo_gateway import sockets
from laelo_gateway.adapters import websocket
from laelo_gateway.adapters.websocket import WebSocketProtocol
from laelo_gateway.limits import Limits
from laelo_gateway.socket import text_frame
from laelo_gateway.sockets import AGAIN_MS, CLOSED_A_SECOND, LONGEST_SECONDS, leaves_at
from laelo_gateway.testing.gateway import PATIENCE, Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.tables import replicas
from websockets.exceptions import ConnectionClosed, InvalidStatus

PLAY: dict[str, Any] = {"tile": [3, 4], "end": "left", "turn": 1, "fence": 1}


@asynccontextmanager
async def with_table(**options: Any) -> AsyncIterator[Gateway]:
    async with replicas(1) as started, gateway_of([started[0].address], **options) as gateway:
        yield gateway


async def close_code(player: Player) -> int:
    """The code with which the connection ends."""
    async with asyncio.timeout(PATIENCE):
        with contextlib.suppress(ConnectionClosed):
            while True:
                player.frames.append(json.loads(await player.socket.recv()))
    code = player.socket.close_code
    assert code is not None
    return code


async def test_hello_comes_first() -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.connect()
        answer = await player.ask("watch", table=new_id())
        assert answer["d"]["code"] == Code.HELLO_FIRST
        assert (await player.ask("hello", d={"proto": 1}))["t"] == "welcome"
        answer = await player.ask("hello", d={"proto": 1})
        assert answer["d"]["code"] == Code.BAD_FRAME


async def test_welcome_says_who_one_is_and_the_token_brings_one_back() -> None:
    async with gateway_of([]) as gateway:
        first = await gateway.join(name=" Zé ", lang="pt")
        assert first.me["name"] == "Zé"
        again = await gateway.join(token=first.me["token"])
        assert again.me == {"id": first.me["id"], "name": "Zé"}
        renamed = await gateway.join(token=first.me["token"], name="José")
        assert renamed.me == {"id": first.me["id"], "name": "José"}
        other = await gateway.join(token="unknown", lang="en")
        assert other.me["id"] != first.me["id"]
        assert other.me["name"].startswith("Guest ")
        assert first.me["token"] not in str(gateway.people.people)


async def test_a_bad_nickname_can_be_corrected() -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.connect()
        answer = await player.ask("hello", d={"proto": 1, "name": "x"})
        assert answer["d"]["code"] == Code.BAD_NICKNAME
        answer = await player.ask("hello", d={"proto": 1, "name": "xis"})
        assert answer["d"]["me"]["name"] == "xis"


async def test_known_guests_come_back_while_the_store_is_away() -> None:
    async with gateway_of([]) as gateway:
        known = await gateway.join()
        gateway.people.is_away = True
        again = await gateway.join(token=known.me["token"])
        assert again.me["id"] == known.me["id"]
        new = await gateway.connect()
        answer = await new.ask("hello", d={"proto": 1})
        assert answer["d"]["code"] == Code.TRY_LATER
        gateway.people.is_away = False
        assert (await new.ask("hello", d={"proto": 1}))["t"] == "welcome"


async def test_what_follows_hello_waits_for_welcome() -> None:
    async with with_table() as gateway:
        player = await gateway.connect()
        await player.send("hello", d={"proto": 1})
        answer = await player.ask("table.create", table=new_id())
        assert answer["t"] == "snapshot"
        assert player.frames[0]["t"] == "welcome"


async def test_an_old_page_is_told_to_load_anew() -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.connect()
        answer = await player.ask("hello", d={"proto": 0})
        assert answer["d"]["code"] == Code.PROTO_TOO_OLD
        assert await close_code(player) == 4002


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("not json", Code.BAD_FRAME),
        ('{"t":"nonsense","id":"x"}', Code.UNKNOWN_FRAME),
        ('{"t":"play","id":"x","table":7,"d":{}}', Code.BAD_FRAME),
        (b"binary", Code.BAD_FRAME),
        (json.dumps({"t": "watch", "id": "x", "table": "y" * 5000}), Code.FRAME_TOO_LARGE),
    ],
)
async def test_bad_input_gets_its_code_and_the_match_goes_on(sent: str | bytes, code: Code) -> None:
    async with with_table() as gateway:
        player, table = await gateway.join(), new_id()
        await player.ask("table.create", table=table)
        await player.socket.send(sent)
        answer = await player.next(lambda frame: frame["t"] == "nack")
        assert answer["d"]["code"] == code
        assert answer.get("re") == ("x" if isinstance(sent, str) and '"x"' in sent else None)
        assert (await player.ask("play", table=table, d=PLAY))["t"] == "event"


async def test_a_huge_frame_ends_its_connection_only() -> None:
    async with with_table() as gateway:
        player, other, table = await gateway.join(), await gateway.join(), new_id()
        await other.ask("table.create", table=table)
        await player.socket.send("x" * (websocket.LARGEST + 1))
        assert await close_code(player) == 1009
        assert (await other.ask("play", table=table, d=PLAY))["t"] == "event"


async def test_a_frame_in_fragments_is_one_frame() -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.join()
        await player.socket.send(['{"t":"ping",', '"d":{"client":', "1}}"])
        assert (await player.next(lambda frame: frame["t"] == "pong"))["d"] == {"client": 1.0}


async def test_too_fast_is_refused_then_closed() -> None:
    async with gateway_of([], limits=Limits(rate=1.0, burst=5.0)) as gateway:
        player = await gateway.join()
        for number in range(500):
            await player.send("unwatch", id=f"n{number}", table=new_id())
        assert await close_code(player) == 4008
        refused = [frame for frame in player.frames if frame["t"] == "nack"]
        assert {frame["d"]["code"] for frame in refused} == {Code.TOO_FAST}
        assert all(frame["re"].startswith("n") for frame in refused)


class Deaf:
    """A client that says what it has to, then never reads again, with a tiny buffer."""

    def __init__(self, port: int) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.setblocking(False)
        self._port = port

    async def open(self, token: str, table: str) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self._socket, ("127.0.0.1", self._port))
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        await loop.sock_sendall(self._socket, request.encode())
        assert b" 101 " in await loop.sock_recv(self._socket, 1024)
        hello = {"proto": 1, "token": token, "resume": [{"table": table, "seq": 0}]}
        text = json.dumps({"t": "hello", "id": "h", "d": hello}).encode()
        head = b"\x81\xfe" + len(text).to_bytes(2, "big")
        await loop.sock_sendall(self._socket, head + bytes(4) + text)

    def close(self) -> None:
        self._socket.close()


async def test_dead_socket_a_client_that_does_not_read_is_dropped_and_others_never_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(websocket, "MAX_UNSENT", 32 * 1024)
    monkeypatch.setattr(websocket, "KERNEL_BUFFER", 4096)
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.05)
    async with with_table(limits=Limits(1e6, 1e6)) as gateway:
        player, table = await gateway.join(), new_id()
        await player.ask("table.create", table=table)
        guest = await gateway.join()
        deaf = Deaf(gateway.port)
        try:
            await deaf.open(guest.me["token"], table)
            await eventually(lambda: len(gateway.sockets) == 3)
            moves = 0
            while gateway.house.counts.dropped == 0:
                answer = await player.ask("play", table=table, d=PLAY)
                moves += 1
                assert answer["seq"] == 1 + moves
            await eventually(lambda: len(gateway.sockets) == 2)
            assert (await player.ask("play", table=table, d=PLAY))["t"] == "event"
        finally:
            deaf.close()


async def test_a_client_that_reads_late_gets_every_frame_whole_and_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(websocket, "KERNEL_BUFFER", 4096)
    async with gateway_of([]) as gateway:
        player = await gateway.join()
        (held,) = gateway.sockets._open
        assert isinstance(held.socket, WebSocketProtocol)
        text = json.dumps({"t": "event", "d": "x" * 3000}).encode()
        sent = 0
        # More than the kernel takes, so that the rest of a frame waits, and others behind it.
        while not held.socket._transport.get_write_buffer_size() or sent % 20:
            held.write(text_frame(text + b" " * sent))
            sent += 1
            assert sent < 10_000
        for number in range(sent):
            async with asyncio.timeout(PATIENCE):
                assert await player.socket.recv(decode=False) == text + b" " * number
        held.write(text_frame(b"{}"))
        assert await player.socket.recv() == "{}"
        assert gateway.house.counts.dropped == 0


async def test_nothing_is_written_to_a_socket_that_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with gateway_of([]) as gateway:
        await gateway.join()
        (held,) = gateway.sockets._open
        held.socket.abort()
        await eventually(lambda: len(gateway.sockets) == 0)
        # Another connection may have its number by now.
        written: list[int] = []
        monkeypatch.setattr("os.write", lambda file, _: written.append(file))
        held.write(text_frame(b"{}"))
        assert not written


async def test_who_is_silent_is_asked_and_who_does_not_answer_is_dropped() -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.join()
        (held,) = gateway.sockets._open
        assert isinstance(held.socket, WebSocketProtocol)
        now = held.socket.heard = held.socket.heard - 1.0
        gateway.sockets.sweep(now + sockets.IDLE_SECONDS + 1)
        # The client's library answers pings by itself.
        await eventually(lambda: held.socket.heard > now)
        held.pinged_at = held.socket.heard + 1
        gateway.sockets.sweep(held.pinged_at + sockets.DEAD_SECONDS + 1)
        await eventually(lambda: len(gateway.sockets) == 0)
        with pytest.raises(ConnectionClosed):
            await player.socket.recv()


async def test_who_does_not_say_hello_is_closed() -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.connect()
        await eventually(lambda: len(gateway.sockets) == 1)
        (held,) = gateway.sockets._open
        gateway.sockets.sweep(held.began + sockets.HELLO_SECONDS + 1)
        assert await close_code(player) == 4001


async def test_the_orderly_end_tells_everybody() -> None:
    async with gateway_of([]) as gateway:
        players = [await gateway.join() for _ in range(3)]
        draining = asyncio.create_task(gateway.sockets.drain())
        for player in players:
            assert await close_code(player) == 1012
            notice = player.frames[-1]
            assert notice["d"]["kind"] == "restarting"
            assert AGAIN_MS[0] <= notice["d"]["again_ms"] <= AGAIN_MS[1]
        async with asyncio.timeout(PATIENCE):
            await draining


async def test_who_comes_during_the_orderly_end_is_sent_on() -> None:
    async with gateway_of([]) as gateway:
        await gateway.join()
        draining = asyncio.create_task(gateway.sockets.drain())
        late = await gateway.connect()
        assert await close_code(late) == 1012
        assert late.frames[-1]["d"]["kind"] == "restarting"
        async with asyncio.timeout(PATIENCE):
            await draining


@given(st.integers(1, 50_000))
def test_many_are_let_go_of_one_after_another(count: int) -> None:
    last = leaves_at(count - 1, count)
    assert leaves_at(0, count) == 0
    assert last <= LONGEST_SECONDS
    assert last >= min(LONGEST_SECONDS, count / CLOSED_A_SECOND) * (count - 1) / count - 1e-9


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://127.0.0.1:{port}", True),
        ("https://play.example.org", True),
        ("https://evil.example.org", False),
        ("http://127.0.0.1", False),
        ("null", False),
        ("http://[", False),
        ("http://[::1", False),
        ("http://a[b]", False),
    ],
)
async def test_only_pages_of_this_host_and_listed_ones_may_connect(
    origin: str | None, allowed: bool
) -> None:
    async with gateway_of([], origins=("https://play.example.org",)) as gateway:
        given = None if origin is None else origin.format(port=gateway.port)
        if allowed:
            await gateway.connect(origin=given)
            return
        with pytest.raises(InvalidStatus) as refused:
            await gateway.connect(origin=given)
        assert refused.value.response.status_code == 403


async def test_a_fault_of_ours_costs_one_connection(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with gateway_of([]) as gateway:
        player, other = await gateway.join(), await gateway.join()

        def broken(*_: object) -> None:
            raise RuntimeError("broken")

        monkeypatch.setattr(gateway.house.hub, "watch", broken, raising=True)
        await player.send("watch", table=new_id())
        assert await close_code(player) == 1011
        assert "handling a frame failed" in caplog.text
        assert (await other.ask("unwatch", table=new_id()))["t"] == "ack"
