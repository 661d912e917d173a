"""A process that dies at a chosen call to the world outside, and its next lives."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from laelo.tournament.v1 import tournament_pb2
from laelo_common.log import Aggregate, Following, Kind, Loaded, Log, Recorded
from laelo_common.log.reach import Reach

from .town import Hall, Town

T = TypeVar("T")


class Life:
    """Ends at the call number `at`, before it is made or after it was answered; 0 = never."""

    def __init__(self, at: int = 0, *, after: bool = False) -> None:
        self._at = at
        self._after = after
        self.calls = 0
        self.over = asyncio.Event()

    async def call(self, make: Callable[[], Awaitable[T]]) -> T:
        """Make a call, unless this was the end; a dead process hears no answer."""
        self.calls += 1
        is_last = self.calls == self._at
        if is_last and not self._after:
            self.over.set()
        await self._unless_over()
        try:
            return await make()
        finally:
            if is_last:
                self.over.set()
            await self._unless_over()

    async def _unless_over(self) -> None:
        if self.over.is_set():
            await asyncio.Event().wait()


class MortalLog:
    """The log as a process with one life sees it."""

    def __init__(self, log: Log, life: Life) -> None:
        self._log = log
        self._life = life

    @property
    def reach(self) -> Reach:
        return self._log.reach

    async def append(
        self, aggregate: Aggregate, data: bytes, expected: int, message_id: str
    ) -> int:
        return await self._life.call(
            lambda: self._log.append(aggregate, data, expected, message_id)
        )

    async def tail(self, aggregate: Aggregate, after: int) -> list[Recorded]:
        return await self._life.call(lambda: self._log.tail(aggregate, after))

    async def load(self, aggregate: Aggregate) -> Loaded:
        return await self._life.call(lambda: self._log.load(aggregate))

    async def follow(
        self,
        kind: Kind,
        after: int,
        on_message: Callable[[Recorded], None],
        subjects: str | None = None,
    ) -> Following:
        def heard(recorded: Recorded) -> None:
            if not self._life.over.is_set():
                on_message(recorded)

        return await self._life.call(lambda: self._log.follow(kind, after, heard, subjects))

    def snapshot(self, aggregate: Aggregate, data: bytes, sequence: int) -> None:
        if not self._life.over.is_set():
            self._log.snapshot(aggregate, data, sequence)


class Phoenix:
    """One replica that is started again each time it dies; people ask again until answered."""

    def __init__(self, town: Town, *lives: Life) -> None:
        self._town = town
        self._lives = [*lives, Life()]
        self._life = self._lives[0]
        self._hall: Hall | None = None
        self.deaths = 0

    async def ask(self, act: Callable[[Hall], Awaitable[T]]) -> T:
        """Ask until there is an answer, of whichever life."""
        while True:
            asking = asyncio.ensure_future(self._asked(act))
            over = asyncio.ensure_future(self._life.over.wait())
            await asyncio.wait([asking, over], return_when=asyncio.FIRST_COMPLETED)
            over.cancel()
            if asking.done():
                return asking.result()
            asking.cancel()
            await asyncio.wait([asking])
            await self._die()

    async def until(self, wanted: Callable[[], Any]) -> None:
        """Wait until something holds, over any number of lives."""

        async def held(_: Hall) -> None:
            while not wanted():  # noqa: ASYNC110 - anything may make it true
                await asyncio.sleep(0.001)

        async with asyncio.timeout(20):
            await self.ask(held)

    async def close(self) -> None:
        """The end of the last life."""
        if self._hall is not None:
            await self._hall.close()
            self._hall = None

    async def _asked(self, act: Callable[[Hall], Awaitable[T]]) -> T:
        if self._hall is None:
            life, town = self._life, self._town

            async def start(request: tournament_pb2.StartRequest) -> None:
                await life.call(lambda: town.cups.start(request))

            self._hall = await town.open(MortalLog(town.log, life), start)  # type: ignore[arg-type]
        return await act(self._hall)

    async def _die(self) -> None:
        await self.close()
        self.deaths += 1
        self._life = self._lives[self.deaths]
