"""Clients that mean harm cost themselves their connection, and nobody else anything."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id
from laelo_gateway import connection, limits
from laelo_gateway.adapters import websocket
from laelo_gateway.adapters.http import HttpProtocol
from laelo_gateway.domain.commands import Person
from laelo_gateway.limits import Guesses, Limits, Room
from laelo_gateway.people import BOT_TOKEN, People
from laelo_gateway.testing.gateway import Gateway, MemoryPeople, Player, eventually, gateway_of
from laelo_gateway.testing.tables import replicas
from websockets.exceptions import ConnectionClosed


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    async with gateway_of([]) as made:
        yield made


async def closed_with(player: Player) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        await player.next(lambda _: False)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from("ab"))), st.integers(0, 4), st.integers(0, 3)
)
def test_no_more_are_in_than_there_is_room_for(moves, most: int, each: int) -> None:
    room, inside = Room(most, each), {"a": 0, "b": 0}
    for comes, key in moves:
        if comes:
            may = sum(inside.values()) < most and inside[key] < each
            assert room.enter(key) is may
            inside[key] += may
        elif inside[key]:
            room.leave(key)
            inside[key] -= 1


async def test_an_address_has_so_many_sockets() -> None:
    async with gateway_of([], limits=Limits(address_sockets=2)) as gateway:
        one, _two = await gateway.join(), await gateway.join()
        assert await closed_with(await gateway.connect()) == 4008
        elsewhere = await gateway.connect(additional_headers={"X-Forwarded-For": "192.0.2.1"})
        assert (await elsewhere.ask("hello", d={"proto": 1}))["t"] == "welcome"
        await one.socket.close()
        await eventually(lambda: len(gateway.sockets) <= 2)
        assert (await gateway.join()).me


async def test_a_person_has_so_many_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "PERSON_SOCKETS", 2)
    async with gateway_of([]) as gateway:
        first = await gateway.join()
        token = first.me["token"]
        second = await gateway.join(token=token)
        third = await gateway.connect()
        await third.send("hello", d={"proto": 1, "token": token})
        assert await closed_with(third) == 4008
        await second.socket.close()
        await eventually(lambda: len(gateway.sockets) == 1)
        assert (await gateway.join(token=token)).me["id"] == first.me["id"]


async def test_a_person_opens_so_many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "OPENS", (0.0001, 2.0))
    async with replicas(1) as started, gateway_of([one.address for one in started]) as gateway:
        host = await gateway.join()
        for _ in range(2):
            assert (await host.ask("table.create", table=new_id()))["t"] == "snapshot"
        refused = await host.ask("table.create", table=new_id())
        assert refused["d"]["code"] == Code.TOO_FAST


class Guess:
    """How often tokens were looked for in the store."""

    def __init__(self) -> None:
        self.looks = 0
        self.known: dict[bytes, Person] = {}

    async def find(self, token_hash: bytes) -> Person | None:
        self.looks += 1
        return self.known.get(token_hash)


async def test_tokens_that_are_nobodys_are_looked_for_only_so_often() -> None:
    store = MemoryPeople()
    guess = Guess()
    guess.known = store.people
    store.find = guess.find  # type: ignore[method-assign]
    people = People(store)
    kept = limits.Limiters(Limits())
    token = (await people.greet(None, "Ana", "pt")).token
    assert token is not None

    async def comes(name: str, token: str) -> str:
        try:
            await people.greet(token, "", "pt", looks=kept.looks(name, 0.0))
        except LaeloError as error:
            return error.code
        return "in"

    burst = int(limits.GUESSES[1])
    said = [await comes("a", f"{BOT_TOKEN}{number}") for number in range(burst + 20)]
    assert said == [Code.SIGN_IN] * burst + [Code.TOO_FAST] * 20
    assert guess.looks == burst
    assert await comes("a", token) == "in", "who is known here needs no look"
    again = People(store)
    assert (await again.greet(token, "", "pt", looks=kept.looks("b", 0.0))).token is None
    with pytest.raises(LaeloError):
        await again.greet("guess", "", "pt", looks=Guesses(kept.guesses, "a", 0.0))


async def test_who_has_said_hello_is_nobody_else_afterwards(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is said before it is answered."""
    monkeypatch.setattr(connection, "MAX_EARLY", 2)
    held = asyncio.Event()
    add = gateway.people.add_guest

    async def late(person: Person, language: str, token_hash: bytes) -> None:
        await held.wait()
        await add(person, language, token_hash)

    gateway.people.add_guest = late  # type: ignore[method-assign]
    player = await gateway.connect()
    for number in range(5):
        await player.send("hello", id=f"h{number}", d={"proto": 1})
    early = await player.answer("h3")
    assert early["d"]["code"] == Code.HELLO_FIRST
    held.set()
    await player.next(lambda frame: frame.get("re") == "h2")
    assert [frame["re"] for frame in player.frames if frame["t"] == "welcome"] == ["h0"]
    assert len(gateway.people.people) == 1


async def test_a_message_has_so_many_fragments(gateway: Gateway) -> None:
    player = await gateway.join()
    await player.socket.send(["{", *[""] * (websocket.MAX_PARTS + 1)])
    assert await closed_with(player) == 1009


async def flooded(writer: asyncio.StreamWriter, data: bytes) -> None:
    """Write without end; raises ConnectionError when the other side has hung up."""
    async with asyncio.timeout(20):
        while True:
            writer.write(data)
            await writer.drain()


async def test_who_pings_and_does_not_read_is_dropped(gateway: Gateway) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port, limit=1024)
    writer.write(
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    await reader.readuntil(b"\r\n\r\n")
    reader._transport.pause_reading()  # type: ignore[attr-defined]
    ping = b"\x89\xfd" + b"\0" * 4 + b"x" * 125
    with pytest.raises(ConnectionError):
        await flooded(writer, ping * 500)
    writer.transport.abort()
    await eventually(lambda: len(gateway.sockets) == 0)


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HT", b"POST /api/account/name HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"],
)
async def test_a_request_that_does_not_come_to_its_end_is_dropped(
    gateway: Gateway, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HttpProtocol, "seconds", 0.05)
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.write(begun)
    async with asyncio.timeout(20):
        with contextlib.suppress(ConnectionResetError):
            await reader.read()
    writer.transport.abort()


async def test_what_follows_an_answer_and_is_no_http_raises_nothing(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
    writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n\x00garbage\r\n\r\n")
    assert b"200" in (await reader.readline())
    writer.transport.abort()
    assert [record for record in caplog.records if record.exc_info] == []


async def test_garbage_after_a_request_takes_its_answer_back(
    gateway: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer is still being made when it turns out that nobody can be told."""
    for method in (b"POST", b"POST", b"HEAD", b"PUT"):
        reader, writer = await asyncio.open_connection("127.0.0.1", gateway.port)
        writer.write(
            method + b" /api/account/sign-out HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\n"
            b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
        )
        await reader.read()
        writer.transport.abort()
    assert [record for record in caplog.records if record.exc_info] == []


async def test_nothing_is_compressed(gateway: Gateway) -> None:
    """So no frame is larger than it looks."""
    player = await gateway.connect(
        additional_headers={"Sec-WebSocket-Extensions": "permessage-deflate"}
    )
    assert player.socket.protocol.extensions == []
    await player.ask("hello", d={"proto": 1})
    await player.socket.send(json.dumps({"t": "queue.watch", "id": "q"}))
