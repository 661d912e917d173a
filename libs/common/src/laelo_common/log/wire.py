"""nats-py's client with a short way in and out; the only file that knows its insides.

The client's own way costs a task, a queue and a parsed header for each message that comes
and a regular expression for each header that goes: more than half of an append. Here a
callback gets the raw bytes as they are parsed, and a frame goes out as it was built.
"""

import asyncio
from typing import Any

from nats import errors
from nats.aio.client import Client, Srv
from nats.aio.subscription import Subscription

from laelo_common.log.parse import OnFrame, QuickParser
from laelo_common.log.port import Unavailable

BACKLOG_BYTES = 8 * 1024 * 1024
CANCEL_AGAIN_SECONDS = 0.05


class Wire(Client):
    """A connection whose subscriptions call back at once, without a task each."""

    def __init__(self) -> None:
        super().__init__()
        self._direct: dict[int, OnFrame] = {}
        self._ps = QuickParser(self, self._direct, self._tell_fault)
        self._attempt: asyncio.Task[Any] | None = None
        self.stale = False  # whether the last loss was found out by silence alone

    def send(self, frame: bytes) -> None:
        """Queue one protocol frame; all that is queued in one turn of the loop is one write.

        Raises Unavailable while disconnected or when the server takes nothing any more:
        a frame kept for later would be stored after its sender has given up.
        """
        if self._status != Client.CONNECTED or self._flush_queue is None:
            raise Unavailable("not connected")
        if self._pending_data_size > BACKLOG_BYTES:
            raise Unavailable("the server does not take what is sent")
        self._pending.append(frame)
        self._pending_data_size += len(frame)
        if self._flush_queue.empty():
            self._flush_queue.put_nowait(asyncio.get_running_loop().create_future())

    def publish_frame(self, subject: bytes, reply: bytes, headers: bytes, data: bytes) -> None:
        """Send a message; `headers` are whole lines with their line ends, or empty."""
        if headers:
            size = len(headers) + 12  # the first line and the empty last one
            self.send(
                b"HPUB %b %b %d %d\r\nNATS/1.0\r\n%b\r\n%b\r\n"
                % (subject, reply, size, size + len(data), headers, data)
            )
        else:
            self.send(b"PUB %b %b %d\r\n%b\r\n" % (subject, reply, len(data), data))

    def listen(self, subject: str, on_frame: OnFrame) -> int:
        """Subscribe; while disconnected it takes effect with the next connection."""
        self._sid += 1
        sid = self._sid
        # With a future nats-py starts no task for the subscription; it is never used.
        unused: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._subs[sid] = Subscription(self, sid, subject, future=unused)
        self._direct[sid] = on_frame
        if self._status == Client.CONNECTED:
            self.send(f"SUB {subject} {sid}\r\n".encode())
        return sid

    def forget(self, sid: int) -> None:
        """Unsubscribe; nothing is called back after this."""
        self._direct.pop(sid, None)
        if self._subs.pop(sid, None) is not None and self._status == Client.CONNECTED:
            self.send(b"UNSUB %d\r\n" % sid)

    @property
    def subscriptions(self) -> int:
        """How many subjects are listened to."""
        return len(self._subs)

    def drop_unsent(self) -> None:
        """Throw away what has not been written; subscriptions are made again anyway."""
        self._pending.clear()
        self._pending_data_size = 0

    async def _process_msg(
        self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes
    ) -> None:
        """A message that the parser left to the library."""
        on_frame = self._direct.get(sid)
        if on_frame is None:
            await super()._process_msg(sid, subject, reply, data, headers)
            return
        try:
            on_frame(subject, reply, headers or b"", data)
        except Exception as error:  # noqa: BLE001 - it would end the reading of everything
            await self._tell_fault(error)

    async def _tell_fault(self, error: Exception) -> None:
        """A fault in what was called back."""
        await self._error_cb(error)

    async def _connect_to_server(self, s: Srv) -> None:
        if self._transport:
            # Left by an attempt that came to nothing, as with a frozen server.
            self._transport.close()  # type: ignore[no-untyped-call]
        await super()._connect_to_server(s)

    async def _attempt_reconnect(self) -> None:
        earlier, self._attempt = self._attempt, asyncio.current_task()
        await _end(earlier)
        await super()._attempt_reconnect()

    async def _close(self, status: int, do_cbs: bool = True) -> None:
        await _end(self._attempt)
        if self._status != Client.CONNECTED:
            self.drop_unsent()
        try:
            await super()._close(status, do_cbs)
        except OSError:  # the connection was lost in between; the rest must be done all the same
            self.drop_unsent()
            self._status = Client.DISCONNECTED
            await super()._close(status, do_cbs)

    async def _process_op_err(self, e: Exception) -> None:
        # A server that froze was lost some time before this; one that closed, just now.
        closed = isinstance(e, errors.UnexpectedEOF)
        self.stale = isinstance(e, errors.StaleConnectionError) and not closed
        await super()._process_op_err(e)

    async def _process_err(self, err_msg: str) -> None:
        # nats-py closes for ever on most of the server's errors; a service must come back.
        error = errors.Error(f"nats: {err_msg}")
        if "permissions violation" in err_msg:
            await self._error_cb(error)
        else:
            await self._process_op_err(error)


async def _end(attempt: asyncio.Task[Any] | None) -> None:
    """Cancel an attempt to reconnect until it is over.

    Once is not enough: cancelled just as the server refuses, it takes the refusal for the
    answer and goes on for ever.
    """
    while attempt is not None and not attempt.done() and attempt is not asyncio.current_task():
        attempt.cancel()
        await asyncio.wait([attempt], timeout=CANCEL_AGAIN_SECONDS)
