"""What a bot's move costs: `python bench/bots.py [--hands N] [--json]`.

Each level decides the same turns of hands that the medium level plays with itself. CPU time is
what compares; the time on the clock is the machine's of that day. Of turns that leave no choice
nothing is counted. Beside it: what a worker process costs before it can answer.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from laelo_bots import core
from laelo_bots.domain import playouts
from laelo_bots.domain.levels import Level, choose
from laelo_bots.domain.position import Position, read
from laelo_bots.domain.question import question_of
from laelo_bots.mind import WORLDS, Mind
from laelo_bots.settings import BUDGET_MS
from laelo_rules.engine import Phase

from bench.arena.hand import view_of
from bench.training.deals import dealt, played

SEED = 5
Decide = Callable[[Position, int], object]


def turns(hands: int) -> Iterator[Position]:
    """Every turn with a choice."""
    chance = Random(SEED)
    for _ in range(hands):
        hand, end = dealt(chance), None
        while end is None:
            position = read(view_of(hand))
            if not isinstance(position, Position):
                raise TypeError(position.reason)
            playing = hand.state.phase is Phase.PLAY
            if playing and len(question_of(position).moves) > 1:
                yield position
            hand, end = played(hand, choose(position, Level.MEDIUM, chance.getrandbits(32)))


def deciders() -> dict[str, Decide]:
    """Who decides, by name."""
    fast, slow = Mind(), Mind(playouts.batch)

    def of(mind: Mind, level: Level, worlds: int, ms: int) -> Decide:
        return lambda position, seed: mind.think(position, level, seed, worlds, ms / 1000)

    found = {level.name.lower(): of(slow, level, 0, 0) for level in Level if level != Level.STRONG}
    if core.load() is not None:
        found[f"strong, C, {WORLDS} worlds"] = of(fast, Level.STRONG, WORLDS, 0)
        found[f"strong, C, {BUDGET_MS['c']} ms"] = of(fast, Level.STRONG, 0, BUDGET_MS["c"])
    found["strong, Python, 64 worlds"] = of(slow, Level.STRONG, 64, 0)
    budget = BUDGET_MS["python"]
    found[f"strong, Python, {budget} ms"] = of(slow, Level.STRONG, 0, budget)
    return found


def measured(decide: Decide, positions: list[Position]) -> dict[str, float]:
    """Milliseconds of a decision."""
    wall, cpu = [], []
    for seed, position in enumerate(positions):
        begin, begin_cpu = time.perf_counter(), time.process_time()
        decide(position, seed)
        cpu.append((time.process_time() - begin_cpu) * 1000)
        wall.append((time.perf_counter() - begin) * 1000)
    wall.sort()
    cpu.sort()
    return {
        "p50_ms": round(wall[len(wall) // 2], 3),
        "p99_ms": round(wall[len(wall) * 99 // 100], 3),
        "cpu_p50_ms": round(cpu[len(cpu) // 2], 3),
        "cpu_p99_ms": round(cpu[len(cpu) * 99 // 100], 3),
        "cpu_mean_ms": round(sum(cpu) / len(cpu), 3),
    }


def start_of_worker() -> dict[str, float]:
    """What a process costs that has come as far as to be able to answer."""
    # Of the children that have ended before only the largest would be told.
    subprocess.run(
        [sys.executable, "-m", "laelo_bots.worker"], stdin=subprocess.DEVNULL, check=True
    )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    library = Path(core.LIBRARY)
    return {
        "cpu_ms": round((used.ru_utime + used.ru_stime) * 1000),
        "memory_mb": round(used.ru_maxrss / 1024, 1),
        "library_kb": round(library.stat().st_size / 1024, 1) if library.is_file() else 0,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--hands", type=int, default=20, help="played by the medium level")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    figures: dict[str, dict[str, float]] = {"worker": start_of_worker()}
    positions = list(turns(asked.hands))
    for name, decide in deciders().items():
        figures[name] = measured(decide, positions)
        if not asked.json:
            print(f"{name:26} {figures[name]}", flush=True)
    print(json.dumps(figures) if asked.json else f"{'worker':26} {figures['worker']}")


if __name__ == "__main__":
    main()
