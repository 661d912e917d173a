"""A process that dies at a step that is chosen beforehand."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from laelo.table.v1 import table_pb2
from laelo_common.log import Aggregate, Append, Log, LogError
from laelo_common.log.reach import Reach
from laelo_tournament.ports import Batch, Records, Tables, World

from .house import with_parts

T = TypeVar("T")


class Fate:
    """Counts what has an effect outside of the process, and ends it before or after one."""

    def __init__(self, step: int, *, before: bool) -> None:
        self._step = step
        self._before = before
        self.count = 0
        self.dead = asyncio.Event()

    async def step(self, act: Callable[[], Awaitable[T]]) -> T:
        """Act, unless the process is dead by now: then whoever asks never hears an answer."""
        self.count += 1
        last = self.count == self._step
        if self.dead.is_set() or (last and self._before):
            await self._die()
        result = await act()
        if self.dead.is_set() or last:
            await self._die()
        return result

    async def _die(self) -> None:
        self.dead.set()
        await asyncio.Event().wait()


class MortalLog:
    """The log as a process sees it that may die."""

    def __init__(self, log: Log, fate: Fate) -> None:
        self._log = log
        self._fate = fate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    @property
    def reach(self) -> Reach:
        """As it is."""
        return self._log.reach

    async def append(
        self, aggregate: Aggregate, data: bytes, expected: int, message_id: str
    ) -> int:
        """A step."""
        return await self._fate.step(
            lambda: self._log.append(aggregate, data, expected, message_id)
        )

    async def append_all(self, appends: Sequence[Append]) -> list[int | LogError]:
        """A step."""
        return await self._fate.step(lambda: self._log.append_all(appends))


class MortalTables:
    """The tables as such a process sees them."""

    def __init__(self, tables: Tables, fate: Fate) -> None:
        self._tables = tables
        self._fate = fate

    async def submit(self, command: table_pb2.Command) -> table_pb2.Update:
        """A step."""
        return await self._fate.step(lambda: self._tables.submit(command))


class MortalRecords:
    """The records as such a process sees them."""

    def __init__(self, records: Records, fate: Fate) -> None:
        self._records = records
        self._fate = fate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._records, name)

    async def write(self, batch: Batch) -> int:
        """A step."""
        return await self._fate.step(lambda: self._records.write(batch))


def mortal(world: World, fate: Fate) -> World:
    """The world as a process sees it that may die."""
    return with_parts(
        world,
        log=MortalLog(world.log, fate),
        tables=MortalTables(world.tables, fate),
        records=MortalRecords(world.records, fate),
    )
