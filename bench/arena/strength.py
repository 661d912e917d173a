"""`python -m bench.arena.strength`: all duels behind the table in docs/bots.md, one by one.

Each is written to `bench/results/arena/` once it is over, so what was stopped goes on where it was.
What bots of another version have played is played anew, with `--again` all. At the end the table
is printed.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from laelo_bots.core import VERSION

from .match import Pair
from .progress import Progress
from .report import Report, report, told
from .run import Duel, play
from .score import score

RESULTS: Final = Path(__file__).resolve().parents[1] / "results" / "arena"
STRONG: Final = "strong"
"""With as many worlds as the service looks at."""


class Planned(NamedTuple):
    """A duel of the table."""

    name: str
    first: str
    second: str
    share: float = 1.0
    """Of the pairs of the others: what takes long is played less."""


PLAN: Final = (
    *(
        Planned(f"strong-{other}", STRONG, other)
        for other in ("simple", "vote", "medium", "random", "heaviest")
    ),
    *(Planned(f"medium-{other}", "medium", other) for other in ("simple", "vote", "random")),
    Planned("easy-simple", "easy", "simple"),
    Planned("simple-random", "simple", "random"),
    Planned("simple-vote", "simple", "vote"),
    Planned("python-simple", "strong:ms=200,python=1", "simple", 0.02),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play what is missing and print the table; the exit status."""
    asked = _parser().parse_args(arguments)
    RESULTS.mkdir(parents=True, exist_ok=True)
    for planned in PLAN:
        file = _file(planned)
        if asked.again or not _is_of_this_version(file):
            pairs = max(2, round(asked.pairs * planned.share))
            duel = Duel(planned.first, planned.second, pairs, asked.seed, asked.processes)
            file.write_text(json.dumps(_played(duel), indent=2) + "\n", encoding="utf-8")
    print(table([json.loads(_file(one).read_text(encoding="utf-8")) for one in PLAN]))
    return 0


def table(reports: Sequence[Report]) -> str:
    """The figures as the page has them."""
    lines = [
        "| bot | against | matches won | points a hand | pairs | CPU a choice, mean / p99 |",
        "|---|---|---|---|---|---|",
    ]
    for one in reports:
        wins, points, cpu = one["match_wins_percent"], one["points_per_hand"], one["decisions"][0]
        lines.append(
            f"| {one['first']} | {one['second']} | {wins['mean']:.1f} ± {wins['margin']:.1f} %"
            f" | {points['mean']:+.3f} ± {points['margin']:.3f} | {one['pairs']:,}"
            f" | {cpu['cpu_ms_mean']:.2g} / {cpu['cpu_ms_p99']:.2g} ms |"
        )
    return "\n".join(lines)


def _is_of_this_version(file: Path) -> bool:
    """Whether a duel was played by the bots as they are now."""
    if not file.exists():
        return False
    version: int = json.loads(file.read_text(encoding="utf-8")).get("bots_version", 0)
    return version == VERSION


def _file(planned: Planned) -> Path:
    return RESULTS / f"{planned.name}.json"


def _played(duel: Duel) -> Report:
    progress, began = Progress(duel.pairs), time.monotonic()
    pairs: list[Pair] = []
    for pair in play(duel):
        pairs.append(pair)
        if len(pairs) > 1:
            progress.tell(len(pairs), told(duel, score(pairs)))
    return report(duel, sorted(pairs), time.monotonic() - began)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.arena.strength", description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000, help="of each duel (2000)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and bots (1)")
    cores = os.cpu_count() or 1
    parser.add_argument("--processes", type=int, default=cores, help=f"at once ({cores})")
    parser.add_argument("--again", action="store_true", help="play all anew")
    return parser


if __name__ == "__main__":
    sys.exit(main())
