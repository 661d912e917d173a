"""How soon a client is whole again: `python bench/whole_again.py [--json] [--count N]`.

Clients sit at tables where bots play on. A gateway is killed (-9), or the table service
where their tables are at home; from that moment each client asks for what it lacks, coming
back as the page does, with pauses and jitter, through the gateway that is left. The
seconds until it is answered with all it lacks are counted: p50, p99 and the worst of so
many, beside what is wanted of the p99.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from signal import SIGKILL
from typing import Any, Final

from laelo_common.hashing import home
from laelo_common.ids import new_id
from laelo_tools.load.processes import calibrate
from laelo_tools.load.visitor import Visitor
from laelo_tools.platform import Options, Platform

COUNT, CLIENTS = 100, 20
WANTED_SECONDS: Final = {"gateway": 2.0, "home": 5.0}
KILLED: Final = {"gateway": "gateway-1", "home": "table-1"}
OPTIONS = Options(port=0, sync="default", pause_ms=0, bot_delay_ms="200-400", tables=2, gateways=2)


class Crowd:
    """Clients, each at a table of its own whose home is the one that will be killed."""

    def __init__(self, platform: Platform, stack: AsyncExitStack) -> None:
        self._platform = platform
        self._stack = stack
        self._clients: list[tuple[Visitor, str]] = []

    async def come(self, count: int) -> None:
        """Sit down, first at the gateway that will be killed, and start a match with bots."""
        addresses = self._platform.addresses
        urls = [f"ws://{addresses[name]}/ws" for name in ("gateway-1", "gateway-2")]
        replicas = frozenset((addresses["table-1"], addresses["table-2"]))
        for number in range(count):
            table = new_id()
            while home(table, replicas) != addresses["table-1"]:
                table = new_id()
            visitor = Visitor(urls, f"Client {number}", random.Random(number))
            await self._stack.enter_async_context(visitor)
            await visitor.ask("table.create", table, options={"move_seconds": 1})
            await visitor.ask("table.start", table, level="simple")
            self._clients.append((visitor, table))

    async def whole_after_a_kill(self, name: str) -> list[float]:
        """Kill a part; seconds until each client is whole. Afterwards all is as before."""
        began = time.monotonic()
        self._platform.supervisor.child(name).send(SIGKILL)

        async def whole(visitor: Visitor, table: str) -> float:
            await visitor.sync(table)
            return time.monotonic() - began

        seconds = await asyncio.gather(*(whole(*client) for client in self._clients))
        await self._platform.restart(name)
        return list(seconds)


async def measure(killed: str, count: int) -> list[float]:
    """Seconds until whole, for so many clients."""
    seconds: list[float] = []
    clients = min(count, CLIENTS)
    while len(seconds) < count:
        # Clients that came back through the other gateway would not notice the next kill.
        async with AsyncExitStack() as stack:
            platform = await stack.enter_async_context(Platform(OPTIONS))
            crowd = Crowd(platform, stack)
            await crowd.come(clients)
            kills = 1 if killed == "gateway" else -(-count // clients)
            for _ in range(kills):
                seconds += await crowd.whole_after_a_kill(KILLED[killed])
                await homes_are_back(platform)
    return sorted(seconds[:count])


async def homes_are_back(platform: Platform) -> None:
    """Wait until the gateways know both replicas again, a little more than a health check."""
    await platform.wait_ready("table-1")
    await asyncio.sleep(3.0)


def summary(killed: str, seconds: Sequence[float]) -> dict[str, Any]:
    """Figures of one kind of kill."""
    p99 = seconds[min(len(seconds) - 1, int(len(seconds) * 0.99))]
    return {
        "clients": len(seconds),
        "p50_s": round(seconds[len(seconds) // 2], 3),
        "p99_s": round(p99, 3),
        "worst_s": round(seconds[-1], 3),
        "wanted_p99_s": WANTED_SECONDS[killed],
        "is_good": p99 <= WANTED_SECONDS[killed],
    }


def main() -> int:
    """Measure and print; for people, 1 if it takes longer than wanted."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=COUNT, help="clients of each kind of kill")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found: dict[str, Any] = {"calibration_ms": round(calibrate(), 2), "load": os.getloadavg()[0]}
    for killed in KILLED:
        found[killed] = summary(killed, asyncio.run(measure(killed, options.count)))
        if not options.json:
            print(f"{killed} killed: {found[killed]}", flush=True)
    if options.json:
        print(json.dumps(found))
    return 0 if options.json or all(found[killed]["is_good"] for killed in KILLED) else 1


if __name__ == "__main__":
    sys.exit(main())
