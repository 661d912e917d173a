"""Tables that come and go: opened, filled, played at for a moment, and ended."""

import asyncio
import random
from contextlib import AsyncExitStack
from typing import Final

from laelo_common.ids import new_id
from laelo_tools.load.visitor import Visitor

SEATS: Final = 4
PARTIES: Final = 8
"""So many tables at once; each party goes from one to the next. One person may open a table every
five seconds: fewer parties could not end as many as are wanted.
"""
PLAYED_SECONDS: Final = 0.5


class Churn:
    """Ends so many tables a second until it is stopped."""

    def __init__(self, url: str, tables_a_second: float) -> None:
        self.finished = 0
        self._url = url
        self._seconds_a_table = PARTIES / tables_a_second
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin."""
        self._tasks = [asyncio.create_task(self._party(number)) for number in range(PARTIES)]

    async def stop(self) -> None:
        """End; raises what went wrong meanwhile."""
        for task in self._tasks:
            task.cancel()
        for result in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(result, Exception):
                raise result

    async def _party(self, number: int) -> None:
        loop = asyncio.get_running_loop()
        async with AsyncExitStack() as stack:
            party = []
            for seat in range(SEATS):
                chance = random.Random(number * SEATS + seat)
                visitor = Visitor([self._url], f"Guest {number} {seat}", chance)
                party.append(await stack.enter_async_context(visitor))
            next_at = loop.time()
            while True:
                await self._table(party, closes=self.finished % 2 == 0)
                self.finished += 1
                next_at += self._seconds_a_table
                await asyncio.sleep(max(0.0, next_at - loop.time()))

    async def _table(self, party: list[Visitor], *, closes: bool) -> None:
        """One table from the first to the last of it: its host closes it, or all leave."""
        table = new_id()
        host = party[0]
        await host.ask("table.create", table, options={"move_seconds": 15})
        for seat, visitor in enumerate(party[1:], 1):
            await visitor.ask("table.sit", table, seat=seat)
        await host.ask("table.start", table, level="simple")
        await asyncio.sleep(PLAYED_SECONDS)
        if closes:
            await host.ask("table.close", table)
        else:
            for visitor in party:
                await visitor.ask("table.leave", table)
                await visitor.ask("unwatch", table)
