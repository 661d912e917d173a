"""Builds the search in C, where there is a compiler; where there is none, Python does its work.

    python3 services/bots/core/build.py [--force] [--into FOLDER]

Needs only the standard library, and never fails: a set-up must not stop at something that can be
done without. What is up to date stays as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "src" / "laelo_bots"
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ["-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno"]
"""No sum may be reordered or fused: the answers are those of the Python, to the last bit."""
IN_VAIN = " in vain"


def main() -> int:
    """Build what is not up to date; say so if it cannot be built."""
    parser = argparse.ArgumentParser(description="Build the bots' search in C.")
    parser.add_argument("--force", action="store_true", help="also if it is up to date")
    parser.add_argument("--into", type=Path, default=PACKAGE, help="folder of the library")
    asked = parser.parse_args()
    compiler = find_compiler()
    if compiler is None:
        say("no C compiler was found: strong bots think in Python, which takes longer")
        return 0
    library = asked.into / "libcore.so"
    stamp = HERE / "core.stamp" if asked.into == PACKAGE else asked.into / "core.stamp"
    command = [compiler, *FLAGS, *flags_of_machine()]
    wanted = digest(command)
    if not asked.force and stamp.is_file():
        known = wanted if library.is_file() else wanted + IN_VAIN
        if stamp.read_text() == known:
            return 0
    try:
        is_built = build(command, library)
        stamp.write_text(wanted if is_built else wanted + IN_VAIN)
    except OSError as error:
        say(f"the core cannot be built, bots think in Python: {error}")
    return 0


def find_compiler() -> str | None:
    """The compiler that CC names, or else the first that there is."""
    named = os.environ.get("CC")
    return next(filter(None, map(shutil.which, [named] if named else COMPILERS)), None)


def flags_of_machine() -> list[str]:
    """To count bits is most of the work, and every such machine since 2008 can do it at once."""
    return ["-mpopcnt"] if platform.machine() in {"x86_64", "AMD64"} else []


def digest(command: list[str]) -> str:
    """Changes when there is something new to build."""
    total = hashlib.sha256("\0".join([*command, platform.platform()]).encode())
    for file in sorted([*HERE.glob("*.c"), *HERE.glob("*.h")]):
        total.update(file.read_bytes())
    return total.hexdigest()


def build(command: list[str], library: Path) -> bool:
    """Put a new library in the place of the old one, which whoever has it open goes on with. One
    that can't be built leaves none: the old one would give other answers. Raises OSError.
    """
    new = library.with_name(f"libcore.{os.getpid()}.so")
    sources = [str(source) for source in sorted(HERE.glob("*.c"))]
    try:
        built = subprocess.run(
            [*command, "-o", str(new), *sources], capture_output=True, text=True, check=False
        )
        if built.returncode == 0:
            new.replace(library)
            return True
        library.unlink(missing_ok=True)
        say(f"{command[0]} cannot build the core, bots think in Python:\n{built.stderr[-2000:]}")
        return False
    finally:
        new.unlink(missing_ok=True)


def say(text: str) -> None:
    """To the person at the terminal."""
    print(f"set-up: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
