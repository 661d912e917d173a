"""Builds the search in C, where there is a compiler; where there is none, Python does its work.

    python3 services/bots/core/build.py [--force]

Needs only the standard library, and never fails: a set-up must not stop at something that can be
done without. What is up to date stays as it is.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = HERE.parent / "src" / "laelo_bots" / "libcore.so"
STAMP = HERE / "core.stamp"
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ["-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno"]
"""No sum may be reordered or fused: the answers are those of the Python, to the last bit."""
_IN_VAIN = " in vain"


def main() -> int:
    """Build what is not up to date; say so if it cannot be built."""
    compiler = _compiler()
    if compiler is None:
        _say("no C compiler was found: strong bots think in Python, which takes longer")
        return 0
    command = [compiler, *FLAGS, *_flags_of_machine()]
    sources = sorted(HERE.glob("*.c"))
    wanted = _digest(command, [*sources, *HERE.glob("*.h")])
    if "--force" not in sys.argv and _tried(wanted):
        return 0
    new = LIBRARY.with_name(f"libcore.{os.getpid()}.so")
    try:
        built = subprocess.run(
            [*command, "-o", str(new), *map(str, sources)],
            capture_output=True,
            text=True,
            check=False,
        )
        if built.returncode == 0:
            # Whoever has the old one open goes on with it.
            new.replace(LIBRARY)
        else:
            LIBRARY.unlink(missing_ok=True)
            _say(f"{compiler} cannot build the core, bots think in Python:\n{built.stderr[-2000:]}")
        STAMP.write_text(wanted if built.returncode == 0 else wanted + _IN_VAIN)
    except OSError as error:
        _say(f"the core cannot be built, bots think in Python: {error}")
    finally:
        new.unlink(missing_ok=True)
    return 0


def _compiler() -> str | None:
    named = os.environ.get("CC")
    return next(filter(None, map(shutil.which, [named] if named else COMPILERS)), None)


def _flags_of_machine() -> list[str]:
    """To count bits is most of the work, and every such machine since 2008 can do it at once."""
    return ["-mpopcnt"] if platform.machine() in {"x86_64", "AMD64"} else []


def _digest(command: list[str], files: list[Path]) -> str:
    total = hashlib.sha256("\0".join([*command, platform.platform()]).encode())
    for file in sorted(files):
        total.update(file.read_bytes())
    return total.hexdigest()


def _tried(wanted: str) -> bool:
    """Whether these sources were built, or could not be, before."""
    if not STAMP.is_file():
        return False
    return STAMP.read_text() == (wanted if LIBRARY.is_file() else wanted + _IN_VAIN)


def _say(text: str) -> None:
    print(f"set-up: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
