"""Deletes the data of all local runs of this checkout: python3 tools/clean_data.py.

Needs nothing but the standard library, so that it also helps where the set-up is broken.
"""

import fcntl
import shutil
import sys
from pathlib import Path

LOCAL = Path(__file__).resolve().parent.parent / ".local"


def is_held(folder: Path) -> bool:
    """Whether a run uses this folder now (see laelo_tools.state)."""
    lock = folder / "lock"
    if not lock.is_file():
        return False
    with lock.open() as held:
        try:
            fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def remove(folder: Path) -> None:
    """Remove a state folder, and the data that lies elsewhere if a link in it leads there."""
    for link in folder.iterdir():
        if link.is_symlink() and link.resolve().is_dir():
            shutil.rmtree(link.resolve())
    shutil.rmtree(folder)


def main() -> int:
    """Remove all, or nothing if one is in use."""
    folders = sorted(LOCAL.glob("state*"))
    if used := [folder for folder in folders if is_held(folder)]:
        print(f"clean-data: {used[0]} is in use: stop that run first.", file=sys.stderr)
        return 1
    for folder in folders:
        remove(folder)
        print(f"clean-data: removed {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
