"""A WebSocket client that costs next to nothing, for thousands of sockets in one process.

Only what is needed against our own gateway: text frames in one piece, pings answered, nothing
compressed.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

_TEXT = 0x81
_CLOSE, _PING, _PONG = 0x8, 0x9, 0xA
_MASKED = 0x80
_NO_MASK = b"\0\0\0\0"
"""The mask that changes nothing: a frame must carry one, but need not be scrambled."""

Receive = Callable[[bytes], None]
Lost = Callable[[str], None]


class WebSocket(asyncio.Protocol):
    """One connection; `opened` is done once frames may be sent. `cookie` goes along with the
    upgrade: who has an account is known by it.
    """

    def __init__(self, url: str, on_text: Receive, on_lost: Lost, cookie: str = "") -> None:
        self._url = urlsplit(url)
        self._cookie = f"Cookie: {cookie}\r\n" if cookie else ""
        self._on_text = on_text
        self._on_lost = on_lost
        self._rest = b""
        self._over = False
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connect(self) -> None:
        """Open the connection. Raises OSError, also for an answer that is no WebSocket's."""
        loop = asyncio.get_running_loop()
        host, port = self._url.hostname or "127.0.0.1", self._url.port or 80
        await loop.create_connection(lambda: self, host, port)
        await self.opened

    def send(self, text: bytes) -> None:
        """Send a text frame."""
        self._send(_TEXT, text)

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self._transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        host = self._url.netloc
        self._transport.write(
            f"GET {self._url.path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"{self._cookie}Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """The other side is gone."""
        self._end(str(exc) if exc else "the gateway hung up")

    def data_received(self, data: bytes) -> None:
        """Hand over every whole frame."""
        if self._rest:
            data = self._rest + data
        at = 0 if self.opened.done() else self._upgraded(data)
        if at >= 0:
            at = self._read(data, at)
        self._rest = data[max(at, 0) :]

    def _upgraded(self, data: bytes) -> int:
        """Where the first frame begins; -1 while the answer is not complete."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return -1
        status = data[: data.find(b"\r\n")].decode("latin-1")
        if " 101 " not in status:
            self.opened.set_exception(ConnectionError(f"no WebSocket there: {status}"))
            return len(data)
        self.opened.set_result(None)
        return end + 4

    def _read(self, data: bytes, at: int) -> int:
        size = len(data)
        while size - at >= 2:
            length, begin = data[at + 1], at + 2
            if length == 126:
                begin = at + 4
                length = int.from_bytes(data[at + 2 : begin], "big")
            elif length == 127:
                begin = at + 10
                length = int.from_bytes(data[at + 2 : begin], "big")
            end = begin + length
            if end > size or begin > size:
                break
            if data[at] == _TEXT:
                self._on_text(data[begin:end])
            else:
                self._control(data[at] & 15, data[begin:end])
            at = end
        return at

    def _control(self, kind: int, payload: bytes) -> None:
        if kind == _PING:
            self._send(_MASKED | _PONG, payload)
        elif kind == _CLOSE:
            code = int.from_bytes(payload[:2], "big")
            self._end(f"closed with {code}: {payload[2:].decode(errors='replace')}")
            self.close()

    def _end(self, reason: str) -> None:
        """Tell it once: to who connects, or to who is connected."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(reason))
        elif not self._over:
            self._on_lost(reason)
        self._over = True

    def _send(self, first: int, payload: bytes) -> None:
        if self._transport is None:
            raise ConnectionError("not connected")
        size = len(payload)
        length = (
            bytes((first, _MASKED | size))
            if size < 126
            else bytes((first, _MASKED | 126)) + size.to_bytes(2, "big")
        )
        self._transport.write(length + _NO_MASK + payload)
