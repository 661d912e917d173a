"""`make fuzz`: atheris on one of the targets, for as long as one likes.

    python -m tests.security.fuzz frames -max_total_time=600

What it found interesting is kept in .local/fuzz, from one time to the next; what makes a target
fail is written to the same folder, and belongs into a test.
"""

import sys
from pathlib import Path

from tests.security.targets import TARGETS, seeds

ROOT = Path(__file__).resolve().parents[2]


def main(argv: list[str]) -> int:
    """Fuzz until told to stop; the exit status."""
    if len(argv) < 2 or argv[1] not in TARGETS:
        print(f"name a target: {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    try:
        import atheris
    except ImportError:
        print("atheris is not installed: `make fuzz` does that", file=sys.stderr)
        return 1
    name = argv[1]
    folder = ROOT / ".local/fuzz" / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (folder / f"seed-{number}").write_bytes(seed)
    target = TARGETS[name]
    # What is imported is instrumented afterwards: the targets import all there is.
    atheris.instrument_all()
    atheris.Setup([argv[0], *argv[2:], f"-artifact_prefix={folder}/", str(folder)], target)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
