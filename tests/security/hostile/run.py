"""`make hostile`: a million hostile frames and requests; the figures go to bench/results.

python -m tests.security.hostile.run [--many 1000000] [--seed N] [--seconds N] [--json FILE]
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Final

from laelo_common.runtime.progress import Progress

from tests.security.hostile.attack import Outcome, Plan, attack, result
from tests.security.hostile.house import house

MANY: Final = 1_000_000


async def _run(plan: Plan) -> Outcome:
    async with house(many=True) as held:
        progress = Progress("hostile", plan.many)
        outcome = await attack(held, plan, progress.add)
        progress.end()
        return outcome


def main() -> int:
    """Run, tell, and write the result; 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--many", type=int, default=MANY, help="how many are sent")
    parser.add_argument("--seed", type=int, default=2026, help="the same seed sends the same")
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after this time")
    parser.add_argument("--json", type=Path, help="where the figures are written")
    options = parser.parse_args()
    outcome = asyncio.run(_run(Plan(options.many, options.seed, options.seconds)))
    told = json.dumps(result(outcome), indent=2, ensure_ascii=False) + "\n"
    print(told, end="")
    if options.json is not None:
        options.json.write_text(told, encoding="utf-8")
    if outcome.faults:
        print(f"{len(outcome.faults)} faults were found.", file=sys.stderr)
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
