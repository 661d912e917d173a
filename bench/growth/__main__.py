"""How costs grow: `python -m bench.growth [--only NAME] [--small | --quick]` (`make growth`).

Each scenario's figures go to bench/results/growth.json as soon as they are there, beside those
of the others, which stay; then the pictures are drawn anew, and the tables of docs/scaling.md,
which says what they mean for more players.
"""

import argparse
import asyncio
import json
import sys
import time
from typing import Any, Final

from laelo_tools.errors import LaeloError
from laelo_tools.load.processes import calibrate

from bench.growth.scenarios import FULL, QUICK, SCENARIOS, SMALL
from bench.pictures.draw import draw
from bench.run import RESULTS, machine, write
from bench.scaling.page import write_page

NAME: Final = "growth"


def main() -> int:
    """Measure, print, write; 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", choices=SCENARIOS, help="this scenario")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--quick", action="store_true", help="tiny, to see that it works")
    how.add_argument("--small", action="store_true", help="for a machine that has other work")
    args = parser.parse_args()
    size = QUICK if args.quick else SMALL if args.small else FULL
    good = True
    for name in args.only or SCENARIOS:
        began = time.monotonic()
        print(f"\n{name}", flush=True)
        calibration = round(calibrate(), 2)
        try:
            figures = asyncio.run(SCENARIOS[name](size))
        except LaeloError as error:
            print(f"{name}: {error}", file=sys.stderr)
            good = False
            continue
        took = round(time.monotonic() - began)
        good &= not _went_wrong(figures)
        print(json.dumps(figures, indent=2), flush=True)
        if not args.quick:
            told = {
                "machine": machine(),
                "calibration_ms": calibration,
                "took_s": took,
                "small": args.small,
            }
            keep(name, {**told, **figures})
    if not args.quick:
        draw()
        write_page()
    return 0 if good else 1


def keep(name: str, figures: dict[str, Any]) -> None:
    """Put a scenario's figures among the others."""
    path = RESULTS / f"{NAME}.json"
    all_of_it = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    write(NAME, {**all_of_it, name: figures})


def _went_wrong(figures: dict[str, Any]) -> bool:
    parts = [value for value in figures.values() if isinstance(value, dict)]
    return "went_wrong" in figures or any(_went_wrong(part) for part in parts)


if __name__ == "__main__":
    sys.exit(main())
