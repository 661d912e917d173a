"""What one machine carries: `make bench`, `make bench ARGS="--quick"`, `ARGS="--only NAME"`.

Each variant of the load is run three times and the run in the middle counts; streams and unary
calls take turns, so that both meet the same machine. The small benchmarks beside this file
follow. Everything goes as JSON into bench/results/ (but for --quick), with the machine's load
and a calibration loop's time beside it. How to read it: docs/load.md.
"""

import argparse
import asyncio
import json
import os
import platform
import statistics
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from laelo_tools.load.result import Result, lines
from laelo_tools.load.run import Config, measure

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
RUNS = 3
SMALL = tuple(sorted(file.stem for file in HERE.glob("*.py") if file.stem != "run"))

VARIANTS: dict[str, Config] = {
    "tables-100": Config(tables=100),
    "tables-100-unary": Config(tables=100, unary=True),
    "tables-100-sync-always": Config(tables=100, sync="always"),
    "tables-100-clock-15": Config(tables=100, clock_seconds=15),
    "tables-100-bots-3": Config(tables=100, bots=3),
    "tables-10": Config(tables=10),
    "tables-500": Config(tables=500),
}
QUICK: dict[str, Config] = {
    "tables-20": Config(tables=20, seconds=5, warmup=2),
    "tables-20-unary": Config(tables=20, seconds=5, warmup=2, unary=True),
}


def main() -> int:
    """Measure, print, write; 1 if anything went wrong in a run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small and once, to see that it works")
    parser.add_argument("--only", action="append", metavar="NAME", help="this variant, or file")
    parser.add_argument("--seconds", type=float, help="of each run")
    args = parser.parse_args()
    variants = QUICK if args.quick else VARIANTS
    chosen = {name: variants[name] for name in variants if not args.only or name in args.only}
    good = True
    for turn in range(1 if args.quick else RUNS):
        for name, config in chosen.items():
            good &= run_once(name, config, turn, args.seconds)
    summary = {
        "machine": machine(),
        "load": {name: in_the_middle(name) for name in chosen},
        "ratios": ratios({name: in_the_middle(name) for name in chosen}),
        "small": {},
    }
    if not args.quick:
        # First what took so long, so that no fault in what follows can lose it.
        write("summary", summary)
        summary["small"] = small(args.only)
        write("summary", summary)
        for module in ("bench.pictures.draw", "bench.scaling"):
            subprocess.run([sys.executable, "-m", module], cwd=HERE.parent, check=True)
    print(json.dumps({"ratios": summary["ratios"], "small": summary["small"]}, indent=2))
    return 0 if good else 1


_runs: dict[str, list[Result]] = {}


def run_once(name: str, config: Config, turn: int, seconds: float | None) -> bool:
    """One run of a variant; whether nothing went wrong in it."""
    if seconds is not None:
        config = replace(config, seconds=seconds)
    print(f"\n{name}, run {turn + 1}", flush=True)
    result = asyncio.run(measure(config))
    print("\n".join(lines(result)), flush=True)
    _runs.setdefault(name, []).append(result)
    return result.is_good


def in_the_middle(name: str) -> dict[str, Any]:
    """The run with the median cost of a move, and the cost in all runs beside it."""
    ordered = sorted(_runs[name], key=lambda result: result.cpu_us_per_move)
    costs = [round(result.cpu_us_per_move, 1) for result in _runs[name]]
    median = ordered[(len(ordered) - 1) // 2]
    return {**median.as_json(), "cpu_us_per_move_of_all_runs": costs}


def ratios(load: dict[str, dict[str, Any]]) -> dict[str, float]:
    """The cost of a move on streams as a share of that of unary calls, in the same minutes."""
    return {
        f"{name} / {name}-unary": round(
            statistics.median(
                stream.cpu_us_per_move / unary.cpu_us_per_move
                for stream, unary in zip(_runs[name], _runs[f"{name}-unary"], strict=True)
            ),
            3,
        )
        for name in load
        if f"{name}-unary" in load
    }


def small(only: list[str] | None) -> dict[str, Any]:
    """The figures of the benchmarks beside this file, each in a process of its own."""
    figures = {}
    for name in SMALL:
        if only and name not in only:
            continue
        print(f"\n{name}", flush=True)
        command = [sys.executable, "-m", f"bench.{name}", "--json"]
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, cwd=HERE.parent
        )
        figures[name] = json.loads(done.stdout)
    return figures


def machine() -> dict[str, Any]:
    """Where and when it was measured."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "processor": processor(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_average": os.getloadavg(),
    }


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor()


def write(name: str, figures: dict[str, Any]) -> None:
    """Keep figures as a file."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(f"\nwritten: {path.relative_to(HERE.parent)}")


if __name__ == "__main__":
    sys.exit(main())
