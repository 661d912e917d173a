"""What a table's log says about its match."""

import asyncio
import contextlib
from typing import NamedTuple

from laelo.table.v1 import events_pb2
from laelo_common.log import Aggregate, Kind, Log

from laelo_tournament.ports import World


class TableResult(NamedTuple):
    """How a match ended."""

    side: int
    """0: the seats 0 and 2 have won; 1: the others."""
    scores: tuple[int, int]
    """By side."""
    version: int
    """Of the commit in which it ended."""
    time_ms: int
    """When that was."""
    trace: str = ""
    """W3C trace context of what ended it; empty when it was not traced."""


class TableLog:
    """The log of one table, read on and on. Each read begins where the last one ended."""

    def __init__(self, log: Log, table: str) -> None:
        self._log = log
        self._aggregate = Aggregate(Kind.TABLE, table)
        self._sequence = 0
        self.result: TableResult | None = None
        """How its match ended, as far as was read."""

    @property
    def exists(self) -> bool:
        """Whether the table was ever opened, as far as was read."""
        return self._sequence > 0

    async def read(self) -> TableResult | None:
        """Read what is new; how the match ended, if it did. Raises LogError."""
        for recorded in await self._log.tail(self._aggregate, self._sequence):
            self._sequence = recorded.sequence
            if self.result is None:
                self.result = _result_in(events_pb2.Commit.FromString(recorded.data))
        return self.result

    async def wait(self, world: World) -> TableResult:
        """Read until the match has ended. Raises LogError."""
        loop = asyncio.get_running_loop()
        moved = asyncio.Event()
        live = await self._log.live(self._aggregate, lambda _: moved.set())
        end_listening = self._log.reach.listen(lambda _: None, lambda _: moved.set())
        try:
            while True:
                moved.clear()
                began = loop.time()
                result = await self.read()
                if result is not None:
                    return result
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(world.look_seconds):
                        await moved.wait()
                await asyncio.sleep(began + world.read_seconds - loop.time())
        finally:
            end_listening()
            live.close()


def _result_in(commit: events_pb2.Commit) -> TableResult | None:
    for event in commit.events:
        if event.WhichOneof("event") == "match_ended":
            end = event.match_ended.end
            scores = (end.score_0, end.score_1)
            head = commit.head
            return TableResult(end.team, scores, head.version, head.time_ms, head.trace)
    return None
