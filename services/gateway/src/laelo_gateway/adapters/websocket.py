"""WebSockets on uvicorn's connections, by the sans-I/O protocol of `websockets`; only plain
texts from clients take a shorter way.

uvicorn hands a connection that asks for an upgrade to this class instead of to an ASGI
task: a frame that comes in is a call, and a frame that goes out is one write, made once for
all who get it. No task wakes up for either. What is not sent yet waits in the transport;
when too much waits, or for too long, the client is dropped and nobody else notices.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, cast

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from laelo_gateway.adapters.plain import PlainTexts
from laelo_gateway.domain.peer import peer_of
from laelo_gateway.origin import Origins
from laelo_gateway.socket import Accept, Handler

PATH = "/ws"
LARGEST = 64 * 1024
"""A frame over this ends the connection with 1009; over MAX_FRAME it is only refused."""
MAX_UNSENT = 256 * 1024
"""Bytes that may wait for a client that does not read."""
KERNEL_BUFFER = 64 * 1024
"""The same in the kernel, which would otherwise take megabytes for each of them."""
MAX_UNREAD_SECONDS = 20.0
NO_FILE = -1
"""In the place of a descriptor: frames go by way of the transport."""
MAX_PARTS = 64
"""Fragments that one message may come in: empty ones would take memory and are never refused."""
CLOSE_SECONDS = 2.0
"""How long a closing connection may take to say goodbye."""

_END_OF_REQUEST = b"\r\n\r\n"

_log = logging.getLogger(__name__)


class Endpoint(NamedTuple):
    """What is served under PATH."""

    accept: Accept
    origins: Origins
    on_drop: Callable[[], None]
    """Told of each client that was dropped because it did not read."""
    proxies: int = 0
    """How many proxies of our own stand before us."""


class WebSocketProtocol(asyncio.Protocol):
    """One connection, from the upgrade on. A `Socket` for the code above."""

    endpoint: ClassVar[Endpoint]

    def __init__(self, server_state: Any, **_: Any) -> None:
        self._connections: set[Any] = server_state.connections
        self._loop = asyncio.get_running_loop()
        self._conn = ServerProtocol(max_size=LARGEST)
        self._transport: asyncio.Transport = cast(asyncio.Transport, None)
        self._file = NO_FILE
        self._handler: Handler | None = None
        self._is_open = False
        self._plain: PlainTexts | None = None
        self._text = True
        self._parts: list[bytes] = []
        self._closing: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self.heard = 0.0
        self.peer = ""
        self.cookie = ""

    @classmethod
    def serving(cls, endpoint: Endpoint) -> type["WebSocketProtocol"]:
        """The class that uvicorn makes for every upgrade."""
        return type("BoundWebSocketProtocol", (cls,), {"endpoint": endpoint})

    # As asyncio and uvicorn see it.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over from HTTP."""
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        taken = transport.get_extra_info("socket")
        if taken is not None:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BUFFER)
            if transport.get_extra_info("sslcontext") is None:
                self._file = taken.fileno()
        peer = transport.get_extra_info("peername")
        self.peer = str(peer[0]) if peer else ""

    def data_received(self, data: bytes) -> None:
        """Bytes came in: the upgrade request first, then frames."""
        self.heard = self._loop.time()
        if self._plain is not None:
            data = self._plain.take(data, self._plain_text)
            if not data:
                return
        self._conn.receive_data(data)
        self._is_open = self._conn.state is State.OPEN
        for event in self._conn.events_received():
            if isinstance(event, Frame):
                self._frame(event)
            elif isinstance(event, Request):
                self._upgrade(event)
                if self._is_open and data.endswith(_END_OF_REQUEST):
                    self._plain = PlainTexts()
        self._flush()

    def eof_received(self) -> None:
        """The other side will say no more, so the connection closes."""
        self._conn.receive_eof()
        self._is_open = self._conn.state is State.OPEN
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, for whatever reason."""
        self._is_open = False
        # The next connection may get the same number.
        self._file = NO_FILE
        self._connections.discard(self)
        for timer in (self._closing, self._unread):
            if timer is not None:
                timer.cancel()
        handler, self._handler = self._handler, None
        if handler is not None:
            handler.closed()

    def pause_writing(self) -> None:
        """The client reads more slowly than we write."""
        self._unread = self._loop.call_later(MAX_UNREAD_SECONDS, self._drop)

    def resume_writing(self) -> None:
        """It has caught up."""
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def shutdown(self) -> None:
        """Uvicorn stops."""
        self.close(1012, "the server restarts")

    # As a Socket.

    def write(self, frame: bytes) -> None:
        """Send a whole frame; a client that leaves too much unread is dropped."""
        if not self._is_open:
            return
        transport = self._transport
        if self._file == NO_FILE or transport.get_write_buffer_size():
            transport.write(frame)
            if self._unread is not None and transport.get_write_buffer_size() > MAX_UNSENT:
                self._drop()
            return
        # What the transport would do, with less around it: four of these are most of a move.
        try:
            written = os.write(self._file, frame)
        except OSError:
            # It cannot be written now, or never: the transport knows what to do then.
            written = 0
        if written != len(frame):
            transport.write(frame[written:])

    def ping(self) -> None:
        """Send a ping; the browser answers it by itself, even for a page in the background."""
        if self._is_open:
            self._conn.send_ping(b"")
            self._flush()

    def close(self, code: int, reason: str = "") -> None:
        """Send a close frame; the connection ends when it is answered, or a little later."""
        if not self._is_open:
            return
        self._is_open = False
        self._conn.send_close(code, reason)
        self._flush()
        self._end()

    def abort(self) -> None:
        """Drop the connection without a word."""
        self._transport.abort()

    # Inside.

    def _upgrade(self, request: Request) -> None:
        """Accept the WebSocket, or answer with a status that says why not."""
        path = request.path.partition("?")[0]
        if path != PATH:
            response = self._conn.reject(404, f"WebSockets are at {PATH}.\n")
        elif not self.endpoint.origins.allow(request.headers.get("Origin"), _host(request)):
            response = self._conn.reject(403, "This page may not connect here.\n")
        else:
            response = self._conn.accept(request)
        self._conn.send_response(response)
        self._flush()
        if response.status_code == 101:
            self._is_open = True
            forwarded = ",".join(request.headers.get_all("X-Forwarded-For")) or None
            self.peer = peer_of(self.peer, forwarded, self.endpoint.proxies)
            if self.endpoint.origins.trust(request.headers.get("Origin"), _host(request)):
                self.cookie = "; ".join(request.headers.get_all("Cookie"))
            self._handler = self.endpoint.accept(self)

    def _plain_text(self, text: bytes) -> None:
        self._message(True, text)

    def _frame(self, frame: Frame) -> None:
        """A part of a message; pings, pongs and close frames are the library's business."""
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._text = frame.opcode is Opcode.TEXT
            self._parts = [bytes(frame.data)]
        elif frame.opcode is Opcode.CONT:
            self._parts.append(bytes(frame.data))
            if len(self._parts) > MAX_PARTS:
                self.close(1009, f"a message comes in at most {MAX_PARTS} fragments")
        else:
            return
        if frame.fin:
            parts, self._parts = self._parts, []
            self._message(self._text, parts[0] if len(parts) == 1 else b"".join(parts))

    def _message(self, is_text: bool, data: bytes) -> None:
        """Tell the handler; a fault in it costs this connection only."""
        handler = self._handler
        if handler is None or self._closing is not None:
            return
        try:
            if is_text:
                handler.received(data)
            else:
                handler.received_binary()
        except Exception:  # noqa: BLE001 - logged
            _log.exception("handling a frame failed")
            self.close(1011, "a fault of ours")

    def _flush(self) -> None:
        """Send what the protocol wants to say by itself: handshake, pongs, close frames."""
        for data in self._conn.data_to_send():
            if data:
                self._transport.write(data)
            elif self._transport.can_write_eof():
                # Reading goes on, or the last frame could be lost in a reset.
                self._transport.write_eof()
                self._end()
        # Who pings and does not read would else be owed pongs without end.
        if self._unread is not None and self._transport.get_write_buffer_size() > MAX_UNSENT:
            self._transport.abort()

    def _end(self) -> None:
        """Give the goodbye a moment to be answered, then let go."""
        if self._closing is None:
            self._closing = self._loop.call_later(CLOSE_SECONDS, self._transport.abort)

    def _drop(self) -> None:
        """The client does not read: it has to come again."""
        self.endpoint.on_drop()
        self.close(4008, "not reading")


def _host(request: Request) -> str:
    return str(request.headers.get("Host") or "")
