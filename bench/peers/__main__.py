"""What a move costs here and elsewhere: `python -m bench.peers` (`make bench-peers`).

Ours, boardgame.io and Colyseus (its state synchronised, and plain messages) play the same game
with the same closed loop of random legal moves, in turns, on one machine; each run is measured
alike, and of several the one with the median cost counts. `full`: moves at once; `light`: people
who think 0.2 to 0.6 s. Only ours stores anything. How to read it: docs/load.md.
"""

import argparse
import asyncio
import json
import statistics
import sys
from dataclasses import replace
from typing import Any, Final

from laelo_tools.errors import LaeloError
from laelo_tools.load.crowds import Told
from laelo_tools.load.result import Result, lines
from laelo_tools.load.run import Config, measure, observe

from bench.peers.servers import PEERS, crowd, find_node, serve
from bench.run import machine, write

OURS: Final = "laelo"
LOADS: Final = {"full": Config(tables=100), "light": Config(tables=100, think_ms=400)}
RUNS: Final = 3
Runs = dict[str, dict[str, list[Result]]]
"""By load and server."""


async def measure_peer(name: str, config: Config, node: str) -> Result:
    """One run on a peer. Raises LaeloError."""
    peer = PEERS[name]
    async with (
        serve(node, peer) as server,
        Told([crowd(node, peer, server.url, config.tables, config.think_ms)]) as clients,
    ):
        facts = await observe(config, {"peer": server.pid}, clients, ("peer",))
    return Result(
        tables=config.tables,
        clients=4,
        bots=0,
        sync="nothing is stored",
        rpc="in process",
        clock_seconds=0,
        think_ms=config.think_ms,
        **facts,
    )


def run_all(loads: dict[str, Config], runs: int, node: str) -> Runs:
    """All servers under all loads, in turns, so that they meet the same machine."""
    found: Runs = {load: {name: [] for name in (OURS, *PEERS)} for load in loads}
    for turn in range(runs):
        for load, config in loads.items():
            for name in found[load]:
                print(f"\n{name}, {load} load, run {turn + 1}", flush=True)
                work = measure(config) if name == OURS else measure_peer(name, config, node)
                found[load][name].append(asyncio.run(work))
                print("\n".join(lines(found[load][name][-1])), flush=True)
    return found


def summary(runs: Runs) -> dict[str, Any]:
    """The median run of each, and what ours is of each peer's: medians of the turns."""
    return {
        "servers": {
            load: {name: _median(results) for name, results in by_name.items()}
            for load, by_name in runs.items()
        },
        "ours_to_theirs": {
            load: {
                name: {
                    figure: _ratio(by_name[OURS], by_name[name], figure)
                    for figure in ("cpu_us_per_move", "moves_per_second")
                }
                for name in PEERS
            }
            for load, by_name in runs.items()
        },
    }


def _median(results: list[Result]) -> dict[str, Any]:
    ordered = sorted(results, key=lambda result: result.cpu_us_per_move)
    costs = [round(result.cpu_us_per_move, 1) for result in results]
    median = ordered[(len(ordered) - 1) // 2]
    return {**median.as_json(), "cpu_us_per_move_of_all_runs": costs}


def _ratio(ours: list[Result], theirs: list[Result], figure: str) -> float:
    turns = zip(ours, theirs, strict=True)
    shares = [float(getattr(one, figure) / getattr(other, figure)) for one, other in turns]
    return round(statistics.median(shares), 3)


def main() -> int:
    """Measure, print, write; 1 if anything went wrong in a run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small and once, to see that it works")
    parser.add_argument("--runs", type=int, default=RUNS, help="of each server and load")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each run")
    args = parser.parse_args()
    loads = {name: replace(load, seconds=args.seconds) for name, load in LOADS.items()}
    if args.quick:
        loads = {
            name: replace(load, tables=10, seconds=3, warmup=1) for name, load in loads.items()
        }
    try:
        runs = run_all(loads, 1 if args.quick else args.runs, find_node())
    except LaeloError as error:
        print(error, file=sys.stderr)
        return 1
    figures = {"machine": machine(), **summary(runs)}
    print(json.dumps(figures["ours_to_theirs"], indent=2))
    if not args.quick:
        write("peers", figures)
    good = all(run.is_good for load in runs.values() for each in load.values() for run in each)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
