"""The solver in C where there is a compiler, otherwise the one in Python: same answers."""

import contextlib
import ctypes
import hashlib
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from laelo_bots.domain import solver
from laelo_bots.domain.solver import Table

from .players import PlayerError

Solve = Callable[[Table, list[tuple[int, int]]], list[int]]

SOURCE: Final = Path(__file__).with_name("exact.c")
BUILT: Final = Path(__file__).resolve().parents[2] / ".local" / "arena"
_EMPTY: Final = -1

_log = logging.getLogger(__name__)


def solver_of() -> Solve:
    """The fastest solver that this machine has."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        _log.warning("no C compiler is found: worlds are solved in Python, 20 times slower")
        return solver.solve
    return _calling(_built(compiler))


def _built(compiler: str) -> Path:
    """The library; made anew whenever the source is another one. Raises PlayerError."""
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]
    library = _folder() / f"exact-{digest}.so"
    if not library.exists():
        # Several processes may build at once: each its own, and the last one's stays.
        made = library.with_suffix(f".{os.getpid()}")
        command = [compiler, "-O3", "-std=c11", "-shared", "-fPIC", "-o", str(made), str(SOURCE)]
        if subprocess.run(command, check=False).returncode:
            raise PlayerError(f"the solver cannot be built: {' '.join(command)}")
        made.replace(library)
    return library


def _folder() -> Path:
    """Where the library lies: in this checkout, or apart if that is somebody else's."""
    for folder in (BUILT, Path(tempfile.gettempdir()) / f"laelo-arena-{os.getuid()}"):
        with contextlib.suppress(PermissionError):
            folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    raise PlayerError(f"{BUILT} cannot be written, where the solver is built")


def _calling(library: Path) -> Solve:
    function = ctypes.CDLL(str(library)).laelo_solve
    function.restype = None
    four = ctypes.c_uint32 * 4

    def solve(table: Table, placements: list[tuple[int, int]]) -> list[int]:
        count = len(placements)
        left, right = table.ends or (_EMPTY, _EMPTY)
        tiles = bytes(tile for tile, _ in placements)
        ends = bytes(end for _, end in placements)
        worths = (ctypes.c_int8 * count)()
        function(four(*table.hands), left, right, table.turn, count, tiles, ends, worths)
        return list(worths)

    return solve
