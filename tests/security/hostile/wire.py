"""A WebSocket client that can say anything, also what is no WebSocket."""

import asyncio
import base64
import os
from collections.abc import Callable
from random import Random
from typing import Final, Self, cast

import msgspec

PATIENCE: Final = 120.0
_ZERO: Final = b"\0\0\0\0"
"""A mask that changes nothing: the fastest one."""


def text_frame(text: bytes, first: int = 0x81, mask: bytes = _ZERO) -> bytes:
    """A frame as clients send it."""
    if mask != _ZERO:
        text = bytes(byte ^ mask[at % 4] for at, byte in enumerate(text))
    size = len(text)
    if size < 126:
        return bytes((first, 0x80 | size)) + mask + text
    if size < 65_536:
        return bytes((first, 0x80 | 126)) + size.to_bytes(2, "big") + mask + text
    return bytes((first, 0x80 | 127)) + size.to_bytes(8, "big") + mask + text


def noise(chance: Random) -> bytes:
    """Bytes that break, or strain, the rules of RFC 6455."""
    text = b'{"t":"ping","d":{"client":1}}'
    return chance.choice(
        (
            lambda: chance.randbytes(chance.randint(1, 200)),
            lambda: b"\x81\x05hello",  # not masked
            lambda: text_frame(text, first=0x80 | chance.randrange(3, 8)),  # reserved opcodes
            lambda: text_frame(text, first=0xC1),  # compressed, which was not agreed upon
            lambda: text_frame(text, first=0x01 | chance.choice([0x10, 0x20, 0x40])),
            lambda: b"\x81\xff" + b"\xff" * 8 + _ZERO,  # 2^64 - 1 bytes follow
            lambda: b"\x81\xff" + (1 << 40).to_bytes(8, "big") + _ZERO + b"x" * 100,
            lambda: text_frame(b"x" * 200, first=0x89),  # a ping that is too long
            lambda: text_frame(b"", first=0x09),  # a ping in parts
            lambda: text_frame(text[:9], first=0x01) + text_frame(text, first=0x81),
            lambda: text_frame(text, first=0x80),  # goes on with what was not begun
            lambda: text_frame(b"", first=0x01) + text_frame(b"", first=0x00) * 300,
            lambda: text_frame(b"\x03", first=0x88),  # half a close code
            lambda: text_frame((999).to_bytes(2, "big"), first=0x88),
            lambda: text_frame((1000).to_bytes(2, "big") + b"\xff\xfe", first=0x88),
            lambda: text_frame(b"", first=0x88) + text_frame(text),  # goes on after goodbye
            lambda: text_frame(b"z" * 70_000),
            lambda: text_frame(text)[:-4],  # and never the rest
            lambda: text_frame(b"", first=0x89) * 400,
        )
    )()


class Wire(asyncio.Protocol):
    """One connection. `on_text` gets every text that comes."""

    def __init__(self, on_text: Callable[[bytes], None]) -> None:
        self._on_text = on_text
        self._rest = b""
        self._transport: asyncio.Transport
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[int] = loop.create_future()
        """Status of the answer to the upgrade."""
        self.ended: asyncio.Future[None] = loop.create_future()
        self.code = 0
        """With which the gateway said goodbye; 0 = it just went."""

    @classmethod
    async def open(cls, port: int, on_text: Callable[[bytes], None], address: str) -> Self:
        """Connect as if from another address. Raises ConnectionError if that is refused."""
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(lambda: cls(on_text), "127.0.0.1", port)
        wire = made
        key = base64.b64encode(os.urandom(16)).decode()
        wire.send(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"X-Forwarded-For: {address}\r\n\r\n".encode()
        )
        async with asyncio.timeout(PATIENCE):
            status = await wire.opened
        if status != 101:
            raise ConnectionError(f"the upgrade was answered with {status}")
        return wire

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._transport.write(data)

    async def close(self) -> None:
        """Go without a word."""
        self._transport.abort()
        await self.ended

    # As asyncio sees it.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It is open."""
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        if not self.opened.done():
            self.opened.set_result(0)
        self.ended.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Cut it into frames."""
        data = self._rest + data
        if not self.opened.done():
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._rest = head
                return
            self.opened.set_result(int(head.split(b" ", 2)[1]))
        at = 0
        while len(data) - at >= 2:
            first, size = data[at], data[at + 1]
            body = at + 2
            if size >= 126:
                long = 2 if size == 126 else 8
                size = int.from_bytes(data[body : body + long], "big")
                body += long
            if len(data) < body + size:
                break
            at = body + size
            self._frame(first & 0x0F, data[body:at])
        self._rest = data[at:]

    def _frame(self, kind: int, body: bytes) -> None:
        if kind == 1:
            self._on_text(body)
        elif kind == 8:
            self.code = int.from_bytes(body[:2], "big") if len(body) >= 2 else 1005
            self._transport.write(text_frame(body[:2], first=0x88))
        elif kind == 9:
            self._transport.write(text_frame(body, first=0x8A))


decode: Final = msgspec.json.Decoder().decode
