"""What a call costs on a coalesced stream and as unary gRPC: `python bench/stream.py [--json]`.

Microseconds of CPU a call, of client and server together (two processes, every thread), with
1, 32 and 256 callers that each wait for their answer; medians of several rounds. Both ends
are Python, a message has 150 bytes, nothing is done with it. A calibration loop's time
stands beside the figures, for the machine is never the same twice.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio
from laelo_common.stream import CLIENT_OPTIONS, ClientLimits, CoalescedClient
from laelo_common.testing.echo import EchoFrame, EchoItem, echo_method, echo_unary

Ask = Callable[[Any], Awaitable[Any]]

CALLERS = (1, 32, 256)
CALLS = {"unary": {1: 400, 32: 1_600, 256: 2_048}, "stream": {1: 400, 32: 16_000, 256: 51_200}}
ROUNDS = 3
BODY = bytes(150)
_SERVER = "from laelo_common.testing.echo import main; main('bench')"
_TICKS = os.sysconf("SC_CLK_TCK")


def calibration_ms() -> float:
    """Time of one fixed loop: how fast this machine is right now."""
    start = time.perf_counter()
    sum(number * number % 7 for number in range(1_000_000))
    return (time.perf_counter() - start) * 1e3


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


@asynccontextmanager
async def echo_process() -> AsyncIterator[tuple[int, str]]:
    """A server of its own: process id and address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _SERVER, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None  # noqa: S101 - asked for above
        yield process.pid, f"127.0.0.1:{int(await process.stdout.readline())}"
    finally:
        process.kill()
        await process.wait()


async def drive(ask: Ask, callers: int, calls: int) -> None:
    """So many callers at once, each call after the one before was answered."""

    async def caller() -> None:
        for _ in range(calls // callers):
            await ask(EchoItem(body=BODY))

    await asyncio.gather(*(caller() for _ in range(callers)))


async def cost_us(ask: Ask, server: int, callers: int, calls: int) -> float:
    """CPU microseconds a call, of both processes."""
    await drive(ask, callers, callers)
    before = time.process_time() + cpu_s(server)
    await drive(ask, callers, calls)
    return (time.process_time() + cpu_s(server) - before) / calls * 1e6


async def measure(rounds: int) -> dict[str, dict[str, float]]:
    """Medians for both kinds of call, taken in turn so that the machine's moods hit both."""
    found: dict[tuple[str, int], list[float]] = {}
    async with (
        echo_process() as (server, address),
        grpc.aio.insecure_channel(address, options=CLIENT_OPTIONS) as channel,
        CoalescedClient[Any, Any](
            address, echo_method, EchoFrame, limits=ClientLimits(timeout=30.0)
        ) as stream,
    ):
        await stream.wait_up(30.0)
        asks: dict[str, Ask] = {"unary": echo_unary(channel), "stream": stream.request}
        for _ in range(rounds):
            for callers in CALLERS:
                for kind, ask in asks.items():
                    cost = await cost_us(ask, server, callers, CALLS[kind][callers])
                    found.setdefault((kind, callers), []).append(cost)
    return {
        kind: {
            str(callers): round(statistics.median(found[kind, callers]), 1) for callers in CALLERS
        }
        for kind in CALLS
    }


def main() -> None:
    """Measure and print, as a table or as JSON."""
    parser = argparse.ArgumentParser(description="CPU a call, coalesced stream against unary.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="medians of so many")
    arguments = parser.parse_args()
    calibration = calibration_ms()
    costs = asyncio.run(measure(arguments.rounds))
    load = round(os.getloadavg()[0], 2)
    if arguments.json:
        result = {"calibration_ms": round(calibration, 1), "load": load, "us_per_call": costs}
        print(json.dumps(result))
        return
    print(f"calibration {calibration:.0f} ms, load {load}; µs of CPU a call, both ends")
    print(f"{'callers at once':<16}" + "".join(f"{callers:>9}" for callers in CALLERS))
    for kind, row in costs.items():
        print(f"{kind:<16}" + "".join(f"{cost:>9.1f}" for cost in row.values()))


if __name__ == "__main__":
    main()
