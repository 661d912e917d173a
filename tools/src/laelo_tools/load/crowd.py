"""A process full of clients, so that their work is not taken for the platform's.

Told what to do by lines on standard input, answers each with a line of JSON:

    join    connect and sit down at all tables
    start   begin the matches
    begin   count from now on
    end     count no more: {"moves", "seconds", "latencies_us", ...}
    leave   hang up

It ends with its standard input.
"""

import asyncio
import json
import sys
from typing import Any

import msgspec

from laelo_tools.load.meter import Meter
from laelo_tools.load.player import Setting
from laelo_tools.load.table import Plan, Table

_JOINING_AT_ONCE = 16


class Order(msgspec.Struct, frozen=True):
    """What the process is started with, as JSON on its command line."""

    plan: Plan
    setting: Setting
    tables: int
    seed: int


class Crowd:
    """All tables of this process."""

    def __init__(self, order: Order) -> None:
        self.meter = Meter()
        seeds = range(order.seed, order.seed + order.tables)
        self._tables = [Table(order.plan, self.meter, order.setting, seed) for seed in seeds]

    async def join(self) -> dict[str, Any]:
        """Sit down everywhere."""
        turnstile = asyncio.Semaphore(_JOINING_AT_ONCE)

        async def one(table: Table) -> None:
            async with turnstile:
                await table.join()

        try:
            await asyncio.gather(*(one(table) for table in self._tables))
        except OSError as error:
            return {"failed": str(error)}
        return {"tables": len(self._tables)}

    async def start(self) -> dict[str, Any]:
        """Begin everywhere."""
        for table in self._tables:
            table.start()
        return {}

    async def begin(self) -> dict[str, Any]:
        """Count."""
        self.meter.begin()
        return {}

    async def end(self) -> dict[str, Any]:
        """What was counted."""
        meter = self.meter
        meter.end()
        return {
            "moves": meter.moves,
            "matches": meter.matches,
            "seconds": meter.seconds,
            "latencies_us": meter.latencies_us,
        }

    async def leave(self) -> dict[str, Any]:
        """Hang up; what went wrong until then."""
        for table in self._tables:
            table.leave()
        return {"errors": dict(self.meter.errors), "examples": self.meter.examples}


async def obey(order: Order) -> None:
    """Do what standard input says until it ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    crowd = Crowd(order)
    words = {
        "join": crowd.join,
        "start": crowd.start,
        "begin": crowd.begin,
        "end": crowd.end,
        "leave": crowd.leave,
    }
    while line := await reader.readline():
        answer = await words[line.decode().strip()]()
        print(json.dumps(answer), flush=True)


def main() -> None:
    """Run a crowd."""
    asyncio.run(obey(msgspec.json.decode(sys.argv[1], type=Order)))


if __name__ == "__main__":
    main()
