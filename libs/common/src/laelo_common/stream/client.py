"""The client's end of a persistent, coalesced stream."""

import asyncio
import logging
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, Generic, NamedTuple, Self, TypeVar

import grpc
import grpc.aio

from laelo_common.stream.dial import plain
from laelo_common.stream.frames import FrameFactory, Item, PacedWriter
from laelo_common.stream.options import (
    ClientLimits,
    Closed,
    Hooks,
    Overloaded,
    StreamError,
    Timeout,
)

Q = TypeVar("Q", bound=Item)
R = TypeVar("R", bound=Item)

_log = logging.getLogger(__name__)
_FAULT = "callback of a stream failed"
_ids = count(1)
"""One series for the whole process: a request moved to another stream never meets its like."""

Settle = Callable[[Any, StreamError | None], None]
"""Called exactly once: with the reply and None, or with None and what went wrong."""

ChannelFactory = Callable[[], grpc.aio.Channel]
Method = Callable[[grpc.aio.Channel], Any]
"""From a channel to the stream's method: `lambda channel: RulesServiceStub(channel).Connect`."""


class Pending(NamedTuple):
    """A request without an answer yet."""

    item: Any
    deadline: float
    timeout: float
    settle: Settle


class CoalescedClient(Generic[Q, R]):
    """Asks over one stream that it keeps open, whatever happens to the other side.

    After a break it reconnects and asks everything pending again, the same items: the
    server sees a command twice, so commands carry ids of their own. An item belongs to the
    client until it is settled. Use as `async with`, or `start` and `close`.
    """

    def __init__(
        self,
        channel: str | ChannelFactory,
        method: Method,
        frame_type: FrameFactory,
        *,
        limits: ClientLimits = ClientLimits(),
        hooks: Hooks | None = None,
        metadata: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._channel_of = partial(plain, channel) if isinstance(channel, str) else channel
        self._method = method
        self._frame_type = frame_type
        self._limits = limits
        self._hooks = hooks or Hooks()
        self.counts = self._hooks.counts
        self._metadata = tuple(metadata)
        self._pending: dict[int, Pending] = {}
        self._writer: PacedWriter[Q] | None = None
        self._task: asyncio.Task[None] | None = None
        self._call: Any = None
        self._up = asyncio.Event()
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._sweeper: asyncio.TimerHandle | None = None
        self._unheard_since: float | None = None
        self._told_down = False

    def start(self) -> Self:
        """Begin to connect; requests may be made at once."""
        self._task = asyncio.create_task(self._keep_open(), name="stream-client")
        return self

    async def __aenter__(self) -> Self:
        return self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def is_up(self) -> bool:
        """Whether the stream is open."""
        return self._up.is_set()

    @property
    def pending(self) -> int:
        """How many requests wait for an answer."""
        return len(self._pending)

    async def wait_up(self, seconds: float) -> None:
        """Wait for the stream to open. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            await self._up.wait()

    def request(self, item: Q, timeout: float | None = None) -> "asyncio.Future[R]":
        """Ask, and await the reply: `await client.request(item)`.

        Raises Overloaded or Closed at once; the future raises Timeout or Closed.
        """
        return as_future(self._loop, self.ask, item, timeout)

    def ask(self, item: Q, settle: Settle, timeout: float | None = None) -> None:
        """Ask; `settle` gets the reply or the error. Raises Overloaded or Closed at once."""
        if self._closed:
            raise Closed
        if len(self._pending) >= self._limits.max_pending:
            self.counts.overloaded += 1
            raise Overloaded(len(self._pending))
        seconds = self._limits.timeout if timeout is None else timeout
        self._add(Pending(item, self._loop.time() + seconds, seconds, settle))

    def _add(self, pending: Pending) -> None:
        pending.item.id = number = next(_ids)
        self._pending[number] = pending
        if self._sweeper is None:
            self._sweep_later()
        if self._writer is not None:
            if self._unheard_since is None:
                self._unheard_since = pending.deadline - pending.timeout
            self._writer.send(pending.item)

    def tell(self, item: Q) -> None:
        """Send what wants no answer (id 0). It is lost while the stream is down."""
        if self._writer is not None:
            item.id = 0
            self._writer.send(item)

    def take_pending(self) -> list[Pending]:
        """Give up everything pending, unsettled, for somebody else to ask; oldest first."""
        taken = list(self._pending.values())
        self._pending.clear()
        if self._writer is not None:
            self._writer.clear()
        return taken

    async def close(self) -> None:
        """Close the stream; what is pending settles with Closed."""
        self._closed = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        if self._task is not None:
            await _end(self._task)
        for pending in self.take_pending():
            _settle(pending, None, Closed())

    # The stream.

    async def _keep_open(self) -> None:
        channel = self._channel_of()
        failures = 0
        try:
            while True:
                try:
                    was_open = await self._one_stream(channel)
                except Exception:  # noqa: BLE001 - logged; the next stream may do better
                    _log.exception("a stream failed")
                    was_open = False
                failures = 0 if was_open else failures + 1
                await asyncio.sleep(self._backoff(failures))
                self.counts.reconnects += 1
        finally:
            await channel.close()

    def _backoff(self, failures: int) -> float:
        longest = min(self._limits.backoff_max, self._limits.backoff_min * 2.0 ** min(failures, 20))
        return longest * random.uniform(0.5, 1.0)

    async def _one_stream(self, channel: grpc.aio.Channel) -> bool:
        """Live as long as one stream lives. Whether it was ever open."""
        call = self._call = self._method(channel)(metadata=self._metadata)
        writing: asyncio.Task[None] | None = None
        try:
            # The server sends its metadata first of all: only then is somebody there.
            async with asyncio.timeout(self._limits.stale):
                await call.initial_metadata()
            if call.done():
                self._tell_down(await call.details())
                return False
            writer: PacedWriter[Q] = PacedWriter(self._frame_type, self._limits.pace)
            writing = asyncio.create_task(_write(writer, call), name="stream-client-writer")
            self._opened(writer)
            await self._read(call)
        except grpc.aio.AioRpcError as error:
            self._tell_down(error.details())
        except TimeoutError:
            self._tell_down(f"no sign of a server within {self._limits.stale:g} s")
        except asyncio.CancelledError:
            # A stale call that was cut raises this too, without anybody cancelling the task.
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
        finally:
            call.cancel()
            await _end(writing)
            self._broken()
        return writing is not None

    async def _read(self, call: Any) -> None:
        async for frame in call:
            self._unheard_since = None
            self._settle_all(frame.items)

    def _settle_all(self, items: Sequence[R]) -> None:
        pending = self._pending
        for item in items:
            number = item.id
            asked = pending.pop(number, None) if number else None
            if asked is not None:
                # As `_settle`, but this is the hot path: two calls less for each reply.
                try:
                    asked.settle(item, None)
                except Exception:  # noqa: BLE001 - logged
                    _log.exception(_FAULT)
            elif number:
                self.counts.late += 1
            else:
                _guard(self._hooks.on_push, item)

    def _opened(self, writer: PacedWriter[Q]) -> None:
        self._up.set()
        # Whatever the owner asks in on_up is pending then, and so asked just once, below.
        _guard(self._hooks.on_up)
        self._writer = writer
        if self._pending:
            self._unheard_since = self._loop.time()
            writer.send_all(pending.item for pending in self._pending.values())

    def _tell_down(self, cause: str | None) -> None:
        """One log line for each time that the other side is away, not for each try."""
        if self._up.is_set() or not self._told_down:
            _log.info("stream is down, trying again: %s", cause)
            self._told_down = True

    def _broken(self) -> None:
        self._writer = None
        self._unheard_since = None
        if self._up.is_set():
            self._up.clear()
            _guard(self._hooks.on_down)

    # Time.

    def _sweep_later(self) -> None:
        tick = min(0.1, max(0.005, self._limits.timeout / 10))
        self._sweeper = self._loop.call_later(tick, self._sweep)

    def _sweep(self) -> None:
        """Settle what is too late: one timer for all instead of one each."""
        now = self._loop.time()
        late = [number for number, asked in self._pending.items() if asked.deadline <= now]
        for number in late:
            asked = self._pending.pop(number, None)
            if asked is not None:
                self.counts.timeouts += 1
                _settle(asked, None, Timeout(asked.timeout))
        silent = 0.0 if self._unheard_since is None else now - self._unheard_since
        if late and silent >= self._limits.stale:
            _log.warning("a stream was silent for %.1f s: it is opened anew", silent)
            self._call.cancel()
        self._sweeper = None
        if self._pending and not self._closed:
            self._sweep_later()


def as_future(
    loop: asyncio.AbstractEventLoop,
    ask: Callable[[Q, Settle, float | None], None],
    item: Q,
    timeout: float | None,
) -> "asyncio.Future[Any]":
    """Ask with a future in the place of a callback. The future may be cancelled."""
    future: asyncio.Future[Any] = loop.create_future()

    def settle(reply: Any, error: StreamError | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(reply)
        else:
            future.set_exception(error)

    ask(item, settle, timeout)
    return future


def _settle(pending: Pending, reply: Any, error: StreamError | None) -> None:
    _guard(pending.settle, reply, error)


def _guard(call: Callable[..., None], *args: Any) -> None:
    """A fault in the owner's code must not end the stream for everybody on it."""
    try:
        call(*args)
    except Exception:  # noqa: BLE001 - logged
        _log.exception(_FAULT)


async def _write(writer: PacedWriter[Any], call: Any) -> None:
    """Write until the call ends; what can't be written ends the call."""
    try:
        await writer.run(call.write)
    except (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError) as error:
        _log.debug("writing to a stream ended: %s", error)
    except Exception:  # noqa: BLE001 - logged
        _log.exception("a frame could not be written")
    call.cancel()


async def _end(task: "asyncio.Task[None] | None") -> None:
    """Cancel a task and wait for it; how it ended is of no interest any more."""
    if task is not None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
