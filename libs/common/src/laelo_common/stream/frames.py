"""Frames of items, and the writer that sends what is waiting as one frame."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from laelo_common.stream.options import Pace


class Item(Protocol):
    """One message of a frame. Replies carry their request's id; id 0 is a push."""

    id: int


ItemT = TypeVar("ItemT", bound=Item)
ItemT_co = TypeVar("ItemT_co", bound=Item, covariant=True)


class Frame(Protocol[ItemT_co]):
    """A protobuf message with `repeated <Item> items = 1`."""

    @property
    def items(self) -> Sequence[ItemT_co]:
        """The items, in the order in which they were sent."""


FrameFactory = Callable[..., Any]
"""A frame's message class, called as `frame_type(items=[...])`."""

MAX_ITEMS = 512
"""Items a frame: keeps the biggest frame well under the message limit of `options`."""


RATE_WINDOW = 0.1
"""Seconds over which the rate of items is averaged."""


class PacedWriter(Generic[ItemT]):
    """Collects items and writes them as frames: the first at once, later ones by the `Pace`."""

    def __init__(self, frame_type: FrameFactory, pace: Pace) -> None:
        self._frame_type = frame_type
        self._pace = pace
        self._rate = 0.0
        self._written_at = 0.0
        self._items: deque[ItemT] = deque()
        self._waker: asyncio.Future[None] | None = None
        self._finished = False
        self.frames = 0
        self.sent = 0

    def __len__(self) -> int:
        """How many items wait."""
        return len(self._items)

    def send(self, item: ItemT) -> None:
        """Queue one item."""
        self._items.append(item)
        if self._waker is not None:
            self._wake()

    def send_all(self, items: Iterable[ItemT]) -> None:
        """Queue items, in order."""
        self._items.extend(items)
        self._wake()

    def finish(self) -> None:
        """Let `run` return once everything that waits is written."""
        self._finished = True
        self._wake()

    def clear(self) -> None:
        """Forget what waits."""
        self._items.clear()

    async def run(self, write: Callable[[Any], Awaitable[None]]) -> None:
        """Write frames until `finish` was called and nothing waits any more."""
        loop = asyncio.get_running_loop()
        free_at = self._written_at = loop.time()
        while True:
            if not self._items:
                if self._finished:
                    return
                self._waker = loop.create_future()
                await self._waker
            pause = free_at - loop.time()
            if pause > 0 and not self._finished:
                await asyncio.sleep(pause)
            batch = self._take()
            if batch:
                now = loop.time()
                free_at = now + self._pace.after(self._rate_with(len(batch), now))
                self.frames += 1
                self.sent += len(batch)
                await write(self._frame_type(items=batch))

    def _rate_with(self, items: int, now: float) -> float:
        """Items a second, lately."""
        gap = now - self._written_at
        self._written_at = now
        weight = min(1.0, gap / RATE_WINDOW)
        self._rate += weight * (items / max(gap, 1e-3) - self._rate)
        return self._rate

    def _wake(self) -> None:
        waker, self._waker = self._waker, None
        if waker is not None and not waker.done():
            waker.set_result(None)

    def _take(self) -> list[ItemT]:
        if len(self._items) <= MAX_ITEMS:
            batch = list(self._items)
            self._items.clear()
            return batch
        return [self._items.popleft() for _ in range(MAX_ITEMS)]
