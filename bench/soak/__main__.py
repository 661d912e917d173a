"""`make soak`: two hours at 50 moves a second, and 10,000 tables that end meanwhile.

By intervals: memory, tasks, subscriptions, consumers, file handles, and how soon moves are seen.
What holds more in the last third than in the second is told; the exit status is 1 then, or if
anything went wrong. Figures: bench/results/soak.json, pictures: docs/pictures/soak-*.svg.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import time
from typing import Any, Final

from laelo_tools.errors import LaeloError
from laelo_tools.load.crowds import Crowds
from laelo_tools.load.player import Setting
from laelo_tools.load.result import percentile
from laelo_tools.load.table import Plan
from laelo_tools.platform import Options, Platform
from laelo_tools.ports import Ports

from bench.growth.playing import ROOM
from bench.pictures.draw import draw
from bench.run import RESULTS, machine
from bench.soak.churn import Churn
from bench.soak.readings import Readings

TABLES, THINK_MS, SEATS = 20, 400, 4
"""Some 50 moves a second."""
FINISHED_AN_HOUR: Final = 5000
SAMPLES: Final = 120
SHORTEST_SECONDS: Final = 10.0
COUNTED: Final = ("tasks", "subscriptions", "handles", "threads")
MORE: Final = 1.1
FEW: Final = 6
"""Growth of less than a tenth, or of a handful, is nothing that grows with the tables."""
SETTLED_MINUTES: Final = 30
"""Tables that were left go after five minutes: a shorter run says nothing of growth."""
REPLICAS: Final = ("rules-1", "bots-1", "table-1", "table-2", "archive-1", "gateway-1")


async def soak(hours: float) -> dict[str, Any]:
    """Run; the samples."""
    ports = Ports()
    http = {name: f"127.0.0.1:{ports.free()}" for name in REPLICAS}
    env = {name: {_http_setting(name): at.partition(":")[2]} for name, at in http.items()}
    options = Options(port=0, pause_ms=0, bot_delay_ms="0", archives=1, env={**ROOM, **env})
    interval = max(SHORTEST_SECONDS, hours * 3600 / SAMPLES)
    samples: list[dict[str, Any]] = []
    async with Platform(options) as platform:
        url = platform.url.replace("http", "ws", 1) + "/ws"
        readings = Readings(platform, http)
        churn = Churn(url, FINISHED_AN_HOUR / 3600)
        plan = Plan(url, SEATS, 0, "simple")
        async with Crowds(plan, Setting(THINK_MS), TABLES, 1) as crowds:
            await crowds.tell("join")
            await crowds.tell("start")
            churn.start()
            began = time.monotonic()
            while time.monotonic() - began < hours * 3600:
                await crowds.tell("begin")
                await asyncio.sleep(interval)
                told = (await crowds.tell("end"))[0]
                minute = (time.monotonic() - began) / 60
                samples.append(await _sample(minute, told, readings, churn))
                print(_line(samples[-1]), flush=True)
            await churn.stop()
            (left,) = await crowds.tell("leave")
    ports.release()
    return {
        "hours": hours,
        "tables": TABLES,
        "finished": churn.finished,
        "errors": left["errors"],
        "examples": left["examples"],
        "grown": grown(samples),
        "samples": samples,
    }


def _http_setting(name: str) -> str:
    """Where metrics are shown: gateways have another port for players."""
    service = name.partition("-")[0].upper()
    return f"LAELO_{service}_{'PORT' if service == 'GATEWAY' else 'HTTP_PORT'}"


async def _sample(
    minute: float, told: dict[str, Any], readings: Readings, churn: Churn
) -> dict[str, Any]:
    latencies = sorted(told["latencies_us"])
    return {
        "minute": round(minute, 2),
        "finished": churn.finished,
        "moves_per_second": round(told["moves"] / told["seconds"], 1),
        "p50_ms": percentile(latencies, 0.50),
        "p99_ms": percentile(latencies, 0.99),
        "load": round(os.getloadavg()[0], 1),
        "log": await readings.log(),
        "services": await readings.services(),
    }


def grown(samples: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """What is held more in the last third than in the second one: medians of both. The first
    third fills caches.
    """
    if not samples or samples[-1]["minute"] < SETTLED_MINUTES:
        return {}
    third = len(samples) // 3
    second, last = samples[third : 2 * third], samples[2 * third :]
    found = {}
    for service, held in samples[-1]["services"].items():
        for what in COUNTED:
            if what in held:
                pair = [_median(part, service, what) for part in (second, last)]
                if pair[1] > max(pair[0] * MORE, pair[0] + FEW):
                    found[f"{service} {what}"] = (pair[0], pair[1])
    consumers = [statistics.median(s["log"]["consumers"] for s in part) for part in (second, last)]
    if consumers[1] > consumers[0]:
        found["consumers"] = (consumers[0], consumers[1])
    return found


def _median(samples: list[dict[str, Any]], service: str, what: str) -> float:
    held = [float(sample["services"][service].get(what, 0)) for sample in samples]
    return statistics.median(held)


def _line(sample: dict[str, Any]) -> str:
    memory = " ".join(
        f"{name} {held['memory_mb']:.0f}" for name, held in sample["services"].items()
    )
    return (
        f"{sample['minute']:6.1f} min {sample['moves_per_second']:5.1f} moves/s"
        f" p50 {sample['p50_ms']:.1f} p99 {sample['p99_ms']:.1f} ms,"
        f" load {sample['load']}, {sample['finished']} tables ended; MB: {memory}"
    )


def keep(figures: dict[str, Any]) -> None:
    """Write the figures, each sample on a line of its own."""
    rest = {name: value for name, value in figures.items() if name != "samples"}
    lines = ",\n    ".join(json.dumps(sample) for sample in figures["samples"])
    text = json.dumps(rest, indent=2).removesuffix("\n}")
    path = RESULTS / "soak.json"
    path.write_text(f'{text},\n  "samples": [\n    {lines}\n  ]\n}}\n', encoding="utf-8")
    print(f"\nwritten: {path.name}")


def main() -> int:
    """Soak, print, write; 1 if anything grows or went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--dry", action="store_true", help="write no results")
    args = parser.parse_args()
    try:
        figures = asyncio.run(soak(args.hours))
    except LaeloError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps({name: figures[name] for name in ("finished", "errors", "grown")}, indent=2))
    if not args.dry:
        keep({"machine": machine(), **figures})
        draw()
    return 1 if figures["errors"] or figures["grown"] else 0


if __name__ == "__main__":
    sys.exit(main())
