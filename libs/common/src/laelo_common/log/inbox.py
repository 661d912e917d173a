"""Requests and their answers over one subscription, without a timer for each."""

import asyncio
from secrets import token_hex
from typing import Any

from laelo_common.log.port import Unavailable
from laelo_common.log.wire import Wire

# Header block and body of an answer.
Reply = tuple[bytes, bytes]
# Where the answer goes, when its time is up, and the parts of an answer of many messages.
_Waiter = tuple[asyncio.Future[Any], float, list[Reply] | None]

_STATUS = b"NATS/1.0 "


def status_of(headers: bytes) -> int:
    """Status of a message that has one in its first line, else 0."""
    return int(headers[9:12]) if headers.startswith(_STATUS) else 0


def header_of(headers: bytes, name: bytes) -> bytes:
    """Value of one header, empty if missing; of two the last, for the server adds its own."""
    start = headers.rfind(b"\r\n" + name + b":")
    if start < 0:
        return b""
    start += len(name) + 3
    return headers[start : headers.index(b"\r\n", start)].strip()


class Inbox:
    """All requests have the same time to be answered.

    So the oldest is always the next to run out, and one timer is enough for all.
    """

    def __init__(self, wire: Wire, prefix: str, timeout_s: float) -> None:
        self._wire = wire
        self._timeout_s = timeout_s
        self._loop = asyncio.get_running_loop()
        self._stem = f"{prefix}.{token_hex(8)}.".encode()
        self._count = 0
        self._waiting: dict[bytes, _Waiter] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._barrier: asyncio.Future[Reply] | None = None

    def start(self) -> None:
        """Listen for answers; the wire must be connected."""
        self._wire.listen(self._stem.decode() + "*", self._on_frame)

    @property
    def waited_s(self) -> float:
        """How long the oldest unanswered request has waited; 0 if there is none."""
        for _answer, deadline, _parts in self._waiting.values():
            return self._loop.time() - deadline + self._timeout_s
        return 0.0

    def ask(self, subject: bytes, data: bytes, headers: bytes = b"") -> asyncio.Future[Reply]:
        """Send now; the future has the answer, or fails with Unavailable."""
        key = self._next_key()
        self._wire.publish_frame(subject, self._stem + key, headers, data)
        return self._wait_for(key, None)

    def ask_many(self, subject: bytes, data: bytes) -> asyncio.Future[list[Reply]]:
        """Send now; the answer is all messages up to the first that has a status."""
        key = self._next_key()
        self._wire.publish_frame(subject, self._stem + key, b"", data)
        return self._wait_for(key, [])

    async def barrier(self) -> None:
        """Return when the server has done all that was sent before.

        A question that nobody is there to answer, as the server says at once: unlike the
        client's own ping it cannot overtake what is queued. Calls of one turn of the loop
        share one.
        """
        if self._barrier is None:
            self._barrier = self._loop.create_future()
            self._loop.call_soon(self._send_barrier, self._barrier)
        await asyncio.shield(self._barrier)

    def fail_all(self, reason: str) -> None:
        """Answer all that waits with Unavailable, since no answer can come any more."""
        waiting, self._waiting = self._waiting, {}
        for answer, *_ in waiting.values():
            if not answer.done():
                answer.set_exception(Unavailable(reason))

    async def settled(self) -> None:
        """Wait until every request has its answer or has run out of time."""
        while self._waiting:
            await asyncio.wait([answer for answer, _, _ in self._waiting.values()])

    def close(self) -> None:
        """End the timer and all that waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.fail_all("closed")

    def _next_key(self) -> bytes:
        self._count += 1
        return b"%d" % self._count

    def _wait_for(
        self, key: bytes, parts: list[Reply] | None, answer: asyncio.Future[Any] | None = None
    ) -> asyncio.Future[Any]:
        if answer is None:
            answer = self._loop.create_future()
        deadline = self._loop.time() + self._timeout_s
        self._waiting[key] = (answer, deadline, parts)
        if self._timer is None:
            self._timer = self._loop.call_at(deadline, self._sweep)
        return answer

    def _send_barrier(self, barrier: asyncio.Future[Reply]) -> None:
        self._barrier = None
        key = self._next_key()
        try:
            self._wire.publish_frame(self._stem + b"nobody.here", self._stem + key, b"", b"")
        except Unavailable as error:
            barrier.set_exception(error)
        else:
            self._wait_for(key, None, barrier)

    def _on_frame(self, subject: bytes, _reply: bytes, headers: bytes, data: bytes) -> None:
        key = subject[len(self._stem) :]
        waiter = self._waiting.get(key)
        if waiter is None:
            return  # too late: its caller has been told so
        answer, _deadline, parts = waiter
        if parts is not None:
            parts.append((headers, data))
            if status_of(headers) == 0:
                return
        del self._waiting[key]
        if not answer.done():
            answer.set_result((headers, data) if parts is None else parts)

    def _sweep(self) -> None:
        self._timer = None
        now = self._loop.time()
        while self._waiting:
            key = next(iter(self._waiting))
            answer, deadline, _parts = self._waiting[key]
            if deadline > now:
                self._timer = self._loop.call_at(deadline, self._sweep)
                return
            del self._waiting[key]
            if not answer.done():  # done: its caller was cancelled
                answer.set_exception(Unavailable("no answer in time"))
