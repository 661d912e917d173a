"""The server's end of persistent, coalesced streams."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, Generic, TypeVar

import grpc
import grpc.aio

from laelo_common.stream.counts import ServerCounts
from laelo_common.stream.frames import FrameFactory, Item, PacedWriter
from laelo_common.stream.options import ServerLimits

Q = TypeVar("Q", bound=Item)
R = TypeVar("R", bound=Item)

_log = logging.getLogger(__name__)

Status = tuple[grpc.StatusCode, str]
_STOPPING: Status = (grpc.StatusCode.UNAVAILABLE, "the server is stopping: ask another replica")
_GONE: Status = (grpc.StatusCode.CANCELLED, "the client went away")
_FAULT: Status = (grpc.StatusCode.INTERNAL, "a fault of ours; it is in the logs")


class Session(Generic[Q, R]):
    """One client's stream. `send` from anywhere in the event loop; `data` is the owner's."""

    def __init__(self, server: "StreamServer[Q, R]", context: Any) -> None:
        self._loop = loop = asyncio.get_running_loop()
        self._server = server
        self._out: PacedWriter[R] = PacedWriter(server.frame_type, server.limits.pace)
        self._end: asyncio.Future[Status] = loop.create_future()
        self._reading: asyncio.Task[None] | None = None
        self._draining = False
        self._running: set[asyncio.Task[None]] = set()
        self.gone: asyncio.Future[None] = loop.create_future()
        self.context: grpc.aio.ServicerContext[Any, Any] = context
        self.data: Any = None

    @property
    def is_open(self) -> bool:
        """Whether what is sent can still arrive."""
        return not self._end.done()

    @property
    def at_work(self) -> "frozenset[asyncio.Task[None]]":
        """The tasks of requests that are not answered yet."""
        return frozenset(self._running)

    @property
    def waiting(self) -> int:
        """Items not written yet."""
        return len(self._out)

    def send(self, item: R) -> None:
        """Queue an item (id 0: a push). A client that does not read is dropped."""
        if not self._end.done() and self._has_room():
            self._out.send(item)

    def send_all(self, items: Sequence[R]) -> None:
        """Queue items, in order. As `send`."""
        if items and not self._end.done() and self._has_room():
            self._out.send_all(items)

    def _has_room(self) -> bool:
        waiting = len(self._out)
        if waiting < self._server.limits.max_out:
            return True
        self._out.clear()
        self._server.counts.dropped += 1
        self.end(grpc.StatusCode.RESOURCE_EXHAUSTED, f"dropped: {waiting} items lie unread")
        return False

    def spawn(self, request: Q, answer: Awaitable[R | None]) -> None:
        """Work on a request in a task of its own; its result, or its error, is the reply."""
        task = self._loop.create_task(self._answer(request, answer))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def work(self, job: Coroutine[Any, Any, None]) -> None:
        """Work on several requests in one task, which sends the answers by itself."""
        task = self._loop.create_task(job)
        self._running.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error("work on a frame failed", exc_info=task.exception())

    def end(self, code: grpc.StatusCode, details: str) -> None:
        """End the stream with a status, without writing what waits."""
        if not self._end.done():
            self._end.set_result((code, details))

    async def live(self, frames: AsyncIterator[Any]) -> Status | None:
        """Until all is said (None), or the stream has to end with a status."""
        self._reading = asyncio.create_task(self._read(frames), name="stream-reader")
        writing = asyncio.create_task(self._write(), name="stream-writer")
        try:
            parts: set[asyncio.Future[Any]] = {writing, self._end}
            await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
            return self._end.result() if self._end.done() else None
        finally:
            self.end(*_GONE)
            self._reading.cancel()
            writing.cancel()
            await asyncio.gather(self._reading, writing, return_exceptions=True)
            self._server.left_behind(self._running)

    async def drain(self) -> None:
        """Read no more, finish what is being worked on, write it, end."""
        self._draining = True
        if self._reading is not None:
            self._reading.cancel()
        if self._running:
            await asyncio.wait(self._running)
        self._out.finish()
        await self.gone

    async def _answer(self, request: Q, answer: Awaitable[R | None]) -> None:
        try:
            item = await answer
        except Exception as error:  # noqa: BLE001 - logged
            item = self._server.failed(request, error)
        if item is not None:
            item.id = request.id
            self.send(item)

    async def _read(self, frames: AsyncIterator[Any]) -> None:
        try:
            async for frame in frames:
                self._handle(frame)
                if len(self._running) >= self._server.limits.max_running:
                    self._server.counts.held_back += 1
                while len(self._running) >= self._server.limits.max_running:
                    # Unread frames fill the client's window: it waits, its own limit speaks.
                    await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)
            if self._running:
                await asyncio.wait(self._running)
            self._out.finish()
        except asyncio.CancelledError:
            if not self._draining:
                self.end(*_GONE)
            raise
        except Exception:  # noqa: BLE001 - logged
            _log.exception("reading a stream failed")
            self.end(*_FAULT)

    def _handle(self, frame: Any) -> None:
        """All answers that are there at once leave as one frame: nothing is awaited between."""
        server = self._server
        handle = server.on_item
        answers = []
        for item in server.on_frame(self, frame.items):
            try:
                answer = handle(self, item)
            except Exception as error:  # noqa: BLE001 - logged
                answer = server.failed(item, error)
            if answer is not None:
                answer.id = item.id
                answers.append(answer)
        self.send_all(answers)

    async def _write(self) -> None:
        try:
            await self._out.run(self.context.write)
        except Exception as error:  # noqa: BLE001 - logged
            _log.debug("writing to a stream failed: %s", error)
            self.end(*_GONE)


OnItem = Callable[[Session[Q, R], Q], R | None]
"""Returns the reply at once, or None and answers later by `Session.spawn`, or never."""

OnFrame = Callable[[Session[Q, R], Sequence[Q]], Sequence[Q]]
"""Takes what it can do together (`Session.work`), returns what is left for `OnItem`."""


def _one_by_one(_: Session[Q, R], items: Sequence[Q]) -> Sequence[Q]:
    return items


class StreamServer(Generic[Q, R]):
    """Serves a bidirectional method: one for each service, one session for each client.

    In the servicer:

        async def Connect(self, request_iterator, context) -> None:  # type: ignore[override]
            await self._streams.serve(request_iterator, context)
    """

    def __init__(
        self,
        frame_type: FrameFactory,
        on_item: OnItem[Q, R],
        on_error: Callable[[Q, Exception], R],
        *,
        on_frame: OnFrame[Q, R] = _one_by_one,
        on_close: Callable[[Session[Q, R]], None] | None = None,
        limits: ServerLimits = ServerLimits(),
    ) -> None:
        self.frame_type = frame_type
        self.on_item = on_item
        self.on_frame = on_frame
        self._on_error = on_error
        self._on_close = on_close
        self.limits = limits
        self.counts = ServerCounts()
        self.sessions: set[Session[Q, R]] = set()
        self._left_behind: set[asyncio.Task[None]] = set()
        self._stopping = False

    def left_behind(self, running: set["asyncio.Task[None]"]) -> None:
        """A session is gone; what it was working on is finished all the same."""
        for task in running:
            self._left_behind.add(task)
            task.add_done_callback(self._left_behind.discard)

    def failed(self, request: Q, error: Exception) -> R:
        """The answer to a request whose handler failed; the failure is logged."""
        _log.error("handler of a stream failed", exc_info=error)
        return self._on_error(request, error)

    async def serve(
        self, frames: AsyncIterator[Any], context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> None:
        """Serve one client until one of the two sides has had enough."""
        if self._stopping:
            await context.abort(*_STOPPING)
        session: Session[Q, R] = Session(self, context)
        self.sessions.add(session)
        try:
            # Metadata at once: the client takes the stream for open when they arrive.
            await context.send_initial_metadata(())
            status = await session.live(frames)
        finally:
            self.sessions.discard(session)
            session.gone.set_result(None)
            self._tell_closed(session)
        if status is None and self._stopping:
            status = _STOPPING
        if status is not None and not context.done():
            await context.abort(*status)

    async def close(self, grace: float = 3.0) -> None:
        """End all streams and tasks: what is under way has `grace` seconds to be written."""
        self._stopping = True
        sessions = list(self.sessions)
        if sessions:
            drains = [asyncio.ensure_future(session.drain()) for session in sessions]
            await asyncio.wait(drains, timeout=grace)
            for session in sessions:
                session.end(*_STOPPING)
            await asyncio.wait(drains, timeout=1.0)
            for drain in drains:
                drain.cancel()
            await asyncio.gather(*drains, return_exceptions=True)
        running = self._left_behind.union(*(session.at_work for session in sessions))
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _tell_closed(self, session: Session[Q, R]) -> None:
        if self._on_close is not None:
            try:
                self._on_close(session)
            except Exception:  # noqa: BLE001 - logged
                _log.exception("on_close of a stream failed")
