"""`make fuzz`: atheris on one of the targets, for as long as one likes.

    python -m tests.security.fuzz frames -max_total_time=600

What it found interesting is kept in .local/fuzz, from one time to the next; what makes a target
fail is written to the same folder, and belongs into a test.
"""

import importlib
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OURS = ["laelo_common", "laelo_gateway", "laelo_table", "laelo_bots", "laelo_rules", "bench"]
"""Only these tell the fuzzer which way they went: all there is would take minutes to prepare."""


def main(argv: list[str]) -> int:
    """Fuzz until told to stop; the exit status."""
    try:
        atheris: Any = importlib.import_module("atheris")
    except ImportError:
        print("atheris is not installed: `make fuzz` does that", file=sys.stderr)
        return 1
    with atheris.instrument_imports(include=OURS):
        targets: Any = importlib.import_module("tests.security.targets")
    if len(argv) < 2 or argv[1] not in targets.TARGETS:
        print(f"name a target: {', '.join(targets.TARGETS)}", file=sys.stderr)
        return 2
    name = argv[1]
    folder = ROOT / ".local/fuzz" / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(targets.seeds(name)):
        (folder / f"seed-{number}").write_bytes(seed)
    options = [f"-artifact_prefix={folder}/", str(folder)]
    atheris.Setup([argv[0], *argv[2:], *options], targets.TARGETS[name])
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
