"""A disk whose power can be cut: an ext4 file system of its own in a file, on a loop device.

`cut` is the file system's own GOINGDOWN without a flush of its journal: from that moment nothing
reaches the disk any more, and all that no fsync has forced there is gone after the next mount,
data and names of files alike. It needs root and loop devices, so no container without rights.
"""

import fcntl
import os
import struct
import subprocess
from pathlib import Path
from typing import Final

_SHUTDOWN: Final = 0x8004587D
"""EXT4_IOC_SHUTDOWN, the same number as XFS_IOC_GOINGDOWN."""
_NO_LOG_FLUSH: Final = 2


class DiskError(Exception):
    """There can be no such disk here; says what it needs."""


class Disk:
    """One file system of its own; `path` is where it is mounted."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.path = folder / "disk"
        self._image = folder / "disk.img"
        self.path.mkdir(parents=True)
        with self._image.open("wb") as image:
            image.truncate(megabytes << 20)
        _run("mkfs.ext4", "-q", "-F", str(self._image))
        self.mount()

    def mount(self) -> None:
        """Mount it: after a cut its journal is replayed."""
        _run("mount", "-o", "loop,noatime", str(self._image), str(self.path))

    def cut(self) -> None:
        """Lose the power. Whoever has a file open gets errors from now on."""
        folder = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, _SHUTDOWN, struct.pack("I", _NO_LOG_FLUSH))
        finally:
            os.close(folder)

    def unmount(self) -> None:
        """Take it away; nobody may have a file open."""
        _run("umount", str(self.path))

    def remove(self) -> None:
        """Take it away for good."""
        if os.path.ismount(self.path):
            self.unmount()
        self._image.unlink()


def _run(*argv: str) -> None:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise DiskError(f"there is no {argv[0]}: install e2fsprogs and mount") from error
    if done.returncode:
        raise DiskError(f"{' '.join(argv)}: {done.stderr.strip()}; it takes root and loop devices")
