"""Disks that can be filled: of a few hundred megabytes, in memory, each for one server.

They are mounted in a mount namespace of this run alone, so none is left whatever happens. Who
may not mount (anybody but root) gets ordinary folders, and a full disk is played by a limit on
the size of files (RLIMIT_FSIZE): a write past the end of a file then fails all the same, though
with another error than that of a disk that is full.
"""

import os
import resource
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from laelo_tools.load.processes import family

SIZE = 512 * 1024 * 1024
TRIES = 50
INSIDE = "LAELO_NEMESIS_NAMESPACE"


def enter_namespace(argv: list[str]) -> None:
    """Start this program anew where mounts are its own; return if that is so already, or can't
    be.
    """
    if os.environ.get(INSIDE) or os.geteuid() != 0:
        return
    own = ["unshare", "--mount", "--propagation", "private", "--"]
    if subprocess.run([*own, "true"], capture_output=True, check=False).returncode:
        return
    os.environ[INSIDE] = "1"
    os.execvp(own[0], [*own, sys.executable, *argv])


class Disks:
    """One for each of these servers, in a folder that is theirs as `<state>/<name>`."""

    def __init__(self, state: Path, names: Iterable[str]) -> None:
        self._state = state
        self._real = bool(os.environ.get(INSIDE))
        self._names = tuple(names)

    def prepare(self) -> None:
        """Make them."""
        for name in self._names:
            disk = self._disk(name)
            disk.mkdir(parents=True)
            if self._real:
                self._mount(name, SIZE, "mode=755")
            data = disk / "data"
            if name.startswith("nats"):
                data.mkdir()
            (self._state / name).symlink_to(data)

    def remove(self) -> None:
        """Unmount them; what was on them is gone."""
        if self._real:
            for name in self._names:
                subprocess.run(["umount", "--lazy", str(self._disk(name))], check=False)

    def fill(self, name: str, pid: int) -> None:
        """Leave no room on one: it is made as small as what is on it."""
        if not self._real:
            _limit(pid, 1)
            return
        for _ in range(TRIES):  # the server may write between the look and the deed
            seen = os.statvfs(self._disk(name))
            used = (seen.f_blocks - seen.f_bfree) * seen.f_frsize
            with suppress(subprocess.CalledProcessError):
                self._mount(name, used, "remount")
                return
        raise OSError(f"the disk of {name} is written to too quickly to be filled")

    def empty(self, name: str, pid: int | None) -> None:
        """Give it all its room again; `pid` is its server's, if that still runs."""
        if self._real:
            self._mount(name, SIZE, "remount")
        elif pid is not None:
            _limit(pid, None)

    def _disk(self, name: str) -> Path:
        return self._state / "disks" / name

    def _mount(self, name: str, size: int, how: str) -> None:
        options = f"size={size},{how}"
        argv = ["mount", "-t", "tmpfs", "-o", options, "laelo-nemesis", str(self._disk(name))]
        subprocess.run(argv, check=True, capture_output=True)


def _limit(pid: int, size: int | None) -> None:
    for one in family(pid):
        try:
            _, hard = resource.prlimit(one, resource.RLIMIT_FSIZE)
            resource.prlimit(one, resource.RLIMIT_FSIZE, (hard if size is None else size, hard))
        except ProcessLookupError:  # it has ended meanwhile
            continue
