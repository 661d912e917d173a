"""The crowd's clients: against a server of another make, and against frames made up here."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo_tools.load.meter import EXAMPLES, Meter
from laelo_tools.load.player import Setting
from laelo_tools.load.table import Plan, Table
from laelo_tools.load.websocket import WebSocket
from websockets.asyncio.server import Server, ServerConnection, serve


class Answers:
    """A server that sends back what it gets, and whatever it is told."""

    def __init__(self) -> None:
        self.sockets: list[ServerConnection] = []

    async def __call__(self, socket: ServerConnection) -> None:
        self.sockets.append(socket)
        async for text in socket:
            await socket.send(text)


@pytest.fixture
async def answers() -> AsyncIterator[tuple[Answers, str]]:
    handler = Answers()
    server: Server
    async with serve(handler, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        yield handler, f"ws://127.0.0.1:{port}/ws"


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 4096, 60_000])
async def test_frames_of_every_size_come_back(answers: tuple[Answers, str], size: int) -> None:
    got: asyncio.Queue[bytes] = asyncio.Queue()
    socket = WebSocket(answers[1], got.put_nowait, lambda _: None)
    await socket.connect()
    text = b"x" * size
    socket.send(text)
    assert await got.get() == text
    socket.close()


@pytest.mark.parametrize("cookie", ["", "laelo_session=abc"])
async def test_the_cookie_of_an_account_goes_along(
    answers: tuple[Answers, str], cookie: str
) -> None:
    got: asyncio.Queue[bytes] = asyncio.Queue()
    socket = WebSocket(answers[1], got.put_nowait, lambda _: None, cookie)
    await socket.connect()
    socket.send(b"here")
    await got.get()
    request = answers[0].sockets[0].request
    assert request is not None
    assert request.headers.get("Cookie", "") == cookie
    socket.close()


async def test_long_frames_and_pings_of_the_server(answers: tuple[Answers, str]) -> None:
    got: asyncio.Queue[bytes] = asyncio.Queue()
    socket = WebSocket(answers[1], got.put_nowait, lambda _: None)
    await socket.connect()
    socket.send(b"first")
    await got.get()
    (other,) = answers[0].sockets
    await (await other.ping())
    await other.send("y" * 70_000)
    assert len(await got.get()) == 70_000
    socket.close()


async def test_the_end_is_told(answers: tuple[Answers, str]) -> None:
    lost: asyncio.Queue[str] = asyncio.Queue()
    got: asyncio.Queue[bytes] = asyncio.Queue()
    socket = WebSocket(answers[1], got.put_nowait, lost.put_nowait)
    await socket.connect()
    socket.send(b"first")
    await got.get()
    await answers[0].sockets[0].close(4008, "too fast")
    assert await lost.get() == "closed with 4008: too fast"
    socket.close()


async def test_nobody_there_is_an_error() -> None:
    with pytest.raises(OSError):
        await WebSocket("ws://127.0.0.1:1/ws", print, print).connect()


async def test_what_is_no_websocket_is_an_error() -> None:
    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(ConnectionError, match="404"):
            await WebSocket(f"ws://127.0.0.1:{port}/ws", print, print).connect()


@settings(deadline=None)
@given(sizes=st.lists(st.integers(0, 300), max_size=20), data=st.data())
async def test_frames_arrive_whole_however_they_are_cut(sizes: list[int], data: Any) -> None:
    texts = [bytes([65 + n % 26]) * size for n, size in enumerate(sizes)]
    stream = b"HTTP/1.1 101 Switching\r\n\r\n" + b"".join(
        (bytes((0x81, len(text))) if len(text) < 126 else b"\x81\x7e" + len(text).to_bytes(2))
        + text
        for text in texts
    )
    got: list[bytes] = []
    socket = WebSocket("ws://127.0.0.1:1/ws", got.append, print)
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        socket.data_received(stream[:cut])
        stream = stream[cut:]
    assert got == texts


class Wire:
    """Stands for the socket of a player."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send(self, text: bytes) -> None:
        self.sent.append(json.loads(text))

    def close(self) -> None:
        pass


def table_of(meter: Meter, seats: int = 2) -> tuple[Table, list[Wire]]:
    table = Table(Plan("", seats, 0, "simple"), meter, Setting(), 1)
    wires = [Wire() for _ in range(seats)]
    for player, wire in zip(table.players, wires, strict=True):
        player._socket = wire  # type: ignore[assignment]
        snapshot = {"t": "snapshot", "seq": 5, "d": {"me": player.seat, "fence": 7}}
        player._on_text(json.dumps(snapshot).encode())
    return table, wires


def event(seq: int, *events: dict[str, Any]) -> bytes:
    frame = {"t": "event", "table": "T", "seq": seq, "now": 1, "d": {"events": list(events)}}
    return json.dumps(frame, separators=(",", ":")).encode()


def turn(seat: int, number: int, **more: Any) -> dict[str, Any]:
    return {"k": "turn", "seat": seat, "turn": number, **more}


PLAYED = {"k": "played", "seat": 0, "tile": [1, 2], "ends": [1, 2], "calls": []}


async def test_a_move_counts_once_all_have_it() -> None:
    meter = Meter()
    meter.begin()
    table, wires = table_of(meter)
    for player in table.players:
        player._on_text(event(6, turn(0, 6, plays=[{"tile": [1, 2]}])))
    assert wires[0].sent == [
        {
            "t": "play",
            "id": "1",
            "table": table.id,
            "d": {"tile": [1, 2], "turn": 6, "fence": 7},
        }
    ]
    assert not wires[1].sent
    assert meter.moves == 0
    table.players[0]._on_text(event(7, PLAYED, turn(1, 7)))
    assert meter.moves == 0
    table.players[1]._on_text(event(7, PLAYED, turn(1, 7, must_pass=True)))
    assert meter.moves == 1
    assert len(meter.latencies_us) == 1
    assert wires[1].sent[0]["t"] == "pass"
    assert not meter.errors


async def test_the_opener_is_chosen_by_who_has_to() -> None:
    table, wires = table_of(Meter())
    for player in table.players:
        player._on_text(event(6, turn(1, 6, choosing=True)))
    assert not wires[0].sent
    assert wires[1].sent[0]["d"]["opener"] in (1, 3)


async def test_the_next_match_begins_when_one_ends() -> None:
    meter = Meter()
    meter.begin()
    table, wires = table_of(meter)
    end = {"k": "match_ended", "end": {"team": 0, "scores": [6, 0]}}
    for player in table.players:
        player._on_text(event(6, PLAYED, end))
    assert [frame["t"] for frame in wires[0].sent] == ["table.start"]
    assert (meter.moves, meter.matches) == (1, 1)
    table.leave()
    for player in table.players:
        player._on_text(event(7, PLAYED, end))
    assert len(wires[0].sent) == 1


async def test_gaps_and_refusals_are_errors() -> None:
    meter = Meter()
    table, _ = table_of(meter)
    table.players[0]._on_text(event(8, PLAYED))
    nack = {"t": "nack", "re": "1", "d": {"code": "STALE_TURN", "reason": "over"}}
    for _ in range(9):
        table.players[1]._on_text(json.dumps(nack).encode())
    assert meter.errors == {"GAP": 1, "STALE_TURN": 9}
    assert len(meter.examples) == EXAMPLES
    assert "frame 8 after 5" in meter.examples[0]


async def test_what_is_not_measured_is_not_counted() -> None:
    meter = Meter()
    table, _ = table_of(meter)
    for player in table.players:
        player._on_text(event(6, PLAYED))
    assert meter.moves == 0
    meter.begin()
    meter.end()
    assert meter.moves == 0
