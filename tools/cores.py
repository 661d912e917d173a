"""Builds what is also written in C, where there is a compiler; where there is none, Python does it.

    python3 tools/cores.py [--force] [--only bots|glance] [--into FOLDER]

`bots` is the search of strong bots (services/bots/core), `glance` the check of stored moves
(tools/core). Needs only the standard library, and never fails: a set-up must not stop at something
that can be done without. What is up to date stays as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ["-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno"]
"""No sum may be reordered or fused: the answers are those of the Python, to the last bit."""
IN_VAIN = " in vain"


class Core(NamedTuple):
    """A library of C files."""

    name: str
    sources: Path
    library: Path
    without: str
    """What is so without it."""


CORES = (
    Core(
        "bots",
        ROOT / "services/bots/core",
        ROOT / "services/bots/src/laelo_bots/libcore.so",
        "strong bots think in Python, which takes longer",
    ),
    Core(
        "glance",
        ROOT / "tools/core",
        ROOT / "tools/src/laelo_tools/history/libglance.so",
        "the log's moves are checked in Python, which takes longer",
    ),
)


def main() -> int:
    """Build what is not up to date; say so if it cannot be built."""
    parser = argparse.ArgumentParser(description="Build what is also written in C.")
    parser.add_argument("--force", action="store_true", help="also if it is up to date")
    parser.add_argument("--only", choices=[core.name for core in CORES], help="one of the two")
    parser.add_argument("--into", type=Path, help="folder of the libraries, and of their stamps")
    asked = parser.parse_args()
    for core in CORES:
        if asked.only in (None, core.name):
            prepare(core, asked.into, force=asked.force)
    return 0


def prepare(core: Core, into: Path | None, *, force: bool) -> None:
    """Build a library if it is not up to date."""
    compiler = find_compiler()
    if not compiler:
        say(f"no C compiler was found: {core.without}")
        return
    library = into / core.library.name if into else core.library
    stamp = into / f"{core.name}.stamp" if into else core.sources / "core.stamp"
    command = [*compiler, *FLAGS, *flags_of_machine()]
    wanted = digest(core, command)
    if not force and stamp.is_file():
        known = wanted if library.is_file() else wanted + IN_VAIN
        if stamp.read_text() == known:
            return
    try:
        is_built = build(core, command, library)
        stamp.write_text(wanted if is_built else wanted + IN_VAIN)
    except OSError as error:
        say(f"{core.sources.relative_to(ROOT)} cannot be built, {core.without}: {error}")


def find_compiler() -> list[str]:
    """The compiler that CC names with its options, such as `ccache gcc`, or else the first that
    there is; empty if there is none.
    """
    said = os.environ.get("CC", "")
    try:
        named, *options = shlex.split(said) or [""]
    except ValueError:  # a quote that is not closed: there is no such compiler
        named, options = said, []
    found = next(filter(None, map(shutil.which, [named] if named else COMPILERS)), None)
    return [found, *options] if found else []


def flags_of_machine() -> list[str]:
    """To count bits is most of a search, and every such machine since 2008 can do it at once."""
    return ["-mpopcnt"] if platform.machine() in {"x86_64", "AMD64"} else []


def digest(core: Core, command: list[str]) -> str:
    """Changes when there is something new to build."""
    total = hashlib.sha256("\0".join([*command, platform.platform()]).encode())
    for file in sorted([*core.sources.glob("*.c"), *core.sources.glob("*.h")]):
        total.update(file.read_bytes())
    return total.hexdigest()


def build(core: Core, command: list[str], library: Path) -> bool:
    """Put a new library in the place of the old one, which whoever has it open goes on with. One
    that can't be built leaves none: the old one would give other answers. Raises OSError.
    """
    new = library.with_name(f"{library.stem}.{os.getpid()}.so")
    sources = [str(source) for source in sorted(core.sources.glob("*.c"))]
    try:
        built = subprocess.run(
            [*command, "-o", str(new), *sources], capture_output=True, text=True, check=False
        )
        if built.returncode == 0:
            new.replace(library)
            return True
        library.unlink(missing_ok=True)
        place = core.sources.relative_to(ROOT)
        say(f"{command[0]} cannot build {place}, {core.without}:\n{built.stderr[-2000:]}")
        return False
    finally:
        new.unlink(missing_ok=True)


def say(text: str) -> None:
    """To the person at the terminal."""
    print(f"set-up: {text}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
