"""`make durability`: cut the power, flip a bit, cut a file short, and tell what came of it.

The figures go to bench/results/durability.json; docs/reliability.md says what they mean.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.durability.cuts import cut_often
from tests.durability.damage import DAMAGES, damage
from tests.durability.disk import DiskError

ALONE = "LAELO_DURABILITY_ALONE"
RESULTS = Path(__file__).resolve().parents[2] / "bench" / "results" / "durability.json"


async def prove(folder: Path, cuts: int, seed: int) -> tuple[dict[str, Any], bool]:
    """All of it; the figures, and whether they are as they have to be."""
    always = await cut_often(folder / "always", "always", cuts, seed)
    print(json.dumps(asdict(always)), flush=True)
    # The same without syncing shows that the cut takes away what nobody has synced.
    default = await cut_often(folder / "default", "default", max(1, cuts // 10), seed)
    print(json.dumps(asdict(default)), flush=True)
    good = always.is_whole and default.lost > 0
    damages = {}
    for name in DAMAGES:
        damages[name] = asdict(await damage(folder / name, name, seed))
        print(json.dumps({name: damages[name]}), flush=True)
        good &= damages[name]["good"]
    figures = {
        "seed": seed,
        "cuts": {"always": asdict(always), "default": asdict(default)},
        "damages": damages,
    }
    return figures, good


def main() -> int:
    """Prove, print, write; 1 if anything was lost that must not be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if ALONE not in os.environ:
        # Whoever makes a mount namespace meanwhile would hold our disk, and keep it from being
        # mounted anew.
        os.environ[ALONE] = "1"
        own = ["unshare", "--mount", sys.executable, "-m", "tests.durability"]
        os.execvp(own[0], [*own, *sys.argv[1:]])
    with tempfile.TemporaryDirectory(prefix="laelo-durability-") as folder:
        try:
            figures, good = asyncio.run(prove(Path(folder), args.cuts, args.seed))
        except DiskError as error:
            print(f"No power can be cut here: {error}.", file=sys.stderr)
            return 2
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
