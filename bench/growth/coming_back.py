"""Thousands of clients that lose their gateway at once, and come back through another."""

import asyncio
import random
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from signal import SIGKILL
from typing import Any, Final

from laelo_common.ids import new_id
from laelo_tools.load.processes import cpu_seconds
from laelo_tools.load.visitor import Visitor
from laelo_tools.platform import Platform

from bench.growth.playing import BASE

SEATS: Final = 4
AT_ONCE: Final = 16


async def reconnect(clients: int) -> dict[str, Any]:
    """Kill the gateway of all clients; seconds until each has seat and board again, and the CPU
    seconds that the other gateway and the table services needed for it.
    """
    async with Platform(replace(BASE, gateways=2)) as platform, AsyncExitStack() as stack:
        names = ("gateway-1", "gateway-2")
        urls = [f"ws://{platform.addresses[name]}/ws" for name in names]
        turnstile = asyncio.Semaphore(AT_ONCE)

        async def come(number: int) -> list[tuple[Visitor, str]]:
            async with turnstile:
                return await _sit_down(urls, number, stack)

        tables = await asyncio.gather(*(come(number) for number in range(clients // SEATS)))
        pids = {name: pid for name, pid in platform.pids.items() if name != names[0]}
        before = {name: cpu_seconds(pid) for name, pid in pids.items()}
        began = time.monotonic()
        platform.supervisor.child(names[0]).send(SIGKILL)

        async def whole(visitor: Visitor, table: str) -> float:
            await visitor.sync(table)
            return time.monotonic() - began

        everybody = [one for table in tables for one in table]
        seconds = sorted(await asyncio.gather(*(whole(*one) for one in everybody)))
        spent = {name: max(0.0, cpu_seconds(pid) - before[name]) for name, pid in pids.items()}
    return {
        "clients": len(seconds),
        "p50_s": round(seconds[len(seconds) // 2], 2),
        "p99_s": round(seconds[int(len(seconds) * 0.99)], 2),
        "worst_s": round(seconds[-1], 2),
        "cpu_s": {name: round(cpu, 2) for name, cpu in spent.items()},
        "cpu_ms_per_client": round(sum(spent.values()) / len(seconds) * 1000, 2),
    }


async def _sit_down(
    urls: list[str], number: int, stack: AsyncExitStack
) -> list[tuple[Visitor, str]]:
    """Four visitors at a table; no match is played, so only what coming back costs is seen."""
    table, seated = new_id(), []
    for seat in range(SEATS):
        chance = random.Random(number * SEATS + seat)
        visitor = Visitor(urls, f"Client {number} {seat}", chance)
        await stack.enter_async_context(visitor)
        if seat == 0:
            await visitor.ask("table.create", table, options={"move_seconds": 0})
        else:
            await visitor.ask("table.sit", table, seat=seat)
        seated.append((visitor, table))
    return seated
