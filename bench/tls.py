"""What TLS between services costs a move: `python bench/tls.py [--json] [--runs N] [--tables N]`.

The load of `laelo load` in the clear and by TLS in turns, so that both meet the same machine. The
figure is the median of the ratios of neighbouring runs, in CPU time a move of nats-server, rules,
table and gateway.
"""

import argparse
import asyncio
import json
import statistics
import sys
from dataclasses import replace
from typing import Any

from laelo_tools.load.result import Result
from laelo_tools.load.run import Config, measure

RUNS = 5
LOAD = Config(tables=100, seconds=10, warmup=4)


def run(config: Config) -> Result:
    """One run. Raises RuntimeError if a move was refused."""
    result = asyncio.run(measure(config))
    if not result.is_good:
        raise RuntimeError(f"errors under load: {result.errors}")
    how = "by TLS" if config.tls else "in the clear"
    told = f"{how}: {result.cpu_us_per_move:.1f} us a move, p99 {result.p99_ms:.1f} ms"
    print(told, file=sys.stderr, flush=True)
    return result


def compare(load: Config, runs: int) -> dict[str, Any]:
    """Costs of all runs, and the ratio of TLS to none; every second pair begins with TLS."""
    clear: list[Result] = []
    tls: list[Result] = []
    for number in range(runs):
        for with_tls in (True, False) if number % 2 else (False, True):
            (tls if with_tls else clear).append(run(replace(load, tls=with_tls)))
    ratios = [
        one.cpu_us_per_move / other.cpu_us_per_move for one, other in zip(tls, clear, strict=True)
    ]
    return {
        "clear_us": [round(result.cpu_us_per_move, 1) for result in clear],
        "tls_us": [round(result.cpu_us_per_move, 1) for result in tls],
        "clear_p99_ms": round(statistics.median(result.p99_ms for result in clear), 1),
        "tls_p99_ms": round(statistics.median(result.p99_ms for result in tls), 1),
        "tls / clear": round(statistics.median(ratios), 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--runs", type=int, default=RUNS, help="pairs of runs")
    parser.add_argument("--tables", type=int, default=LOAD.tables)
    options = parser.parse_args()
    result = compare(replace(LOAD, tables=options.tables), options.runs)
    if options.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{name}: {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
