"""Shows that the nemesis finds things: python -m tests.faults.nemesis.prove [NAME…].

Each `mutants/<name>.patch` breaks something in a copy of the tree. There people play while parts
are killed and wires cut, and something has to be found. Chance has its part in that, so it is tried
with some seeds before it counts as overlooked.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.faults.prove import ROOT, apply, copy_of

MUTANTS: Final = Path(__file__).parent / "mutants"
SEEDS: Final = 3
FAULTS: Final = "16"
FOUND: Final = "found: "


def found_in(copy: Path, seed: str) -> str:
    """What a run in this copy finds, in a few words. Raises RuntimeError if it does not end."""
    sources = [path for pattern in ("libs/*/src", "services/*/src", "tools/src")
               for path in sorted(copy.glob(pattern))]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sources))}
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.nemesis", "--seed", seed, "--faults", FAULTS],
        cwd=copy, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    for line in done.stdout.splitlines():
        if FOUND in line:
            return line.partition(FOUND)[2]
    raise RuntimeError(f"the run did not end:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


def prove(patch: Path) -> str:
    """What is found with a patch; "nothing" if that is so with all seeds."""
    with copy_of(ROOT) as copy:
        apply(patch, copy)
        found = "nothing"
        for number in range(SEEDS):
            found = found_in(copy, f"{patch.stem}-{number}")
            if found != "nothing":
                break
        return found


def main(names: list[str]) -> int:
    """Prove the named ones, or all; 1 if one is overlooked."""
    overlooked = 0
    for patch in sorted(MUTANTS.glob("*.patch")):
        if not names or patch.stem in names:
            found = prove(patch)
            overlooked += found == "nothing"
            print(f"{patch.stem}: {found}", flush=True)
    return 1 if overlooked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
