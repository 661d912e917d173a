"""PostgreSQL refuses to run as root: how to start it all the same, without touching the system.

Three ways, in this order: as we are; inside a user namespace in which root is called nobody
(files stay ours, no folder is opened to others); as the real user nobody, which then needs the
binaries and the data in places that it can reach.
"""

import os
import shutil
import stat
import subprocess
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from laelo_tools.errors import LaeloError

NOBODY = 65534
SHARED = Path("/var/tmp")  # noqa: S108  (only below a folder of our own, checked by its owner)


class Way(Enum):
    """How a program that refuses root is started."""

    PLAIN = auto()
    NAMESPACE = auto()
    SETUID = auto()


@dataclass(frozen=True, slots=True)
class Privileges:
    """What to put before a command line, and which user to become."""

    way: Way
    prefix: tuple[str, ...] = ()
    user: int | None = None


def detect() -> Privileges:
    """The first of the three ways that works here."""
    if os.geteuid() != 0:
        return plain()
    return namespace() if namespaces_work() else setuid()


def plain() -> Privileges:
    """As the user that we are."""
    return Privileges(Way.PLAIN)


def namespace() -> Privileges:
    """As root in a user namespace that calls it nobody.

    The mapped id must have an entry in /etc/passwd, since PostgreSQL looks its name up;
    that of nobody exists in the barest container.
    """
    options = (f"--map-user={NOBODY}", f"--map-group={NOBODY}")
    return Privileges(Way.NAMESPACE, ("unshare", "--user", *options, "--"))


def setuid() -> Privileges:
    """As the real user nobody."""
    return Privileges(Way.SETUID, user=NOBODY)


def namespaces_work() -> bool:
    """Whether this kernel and container let us make a user namespace."""
    try:
        tried = subprocess.run([*namespace().prefix, "true"], capture_output=True, check=False)
    except OSError:
        return False
    return tried.returncode == 0


def reachable_by_others(path: Path) -> bool:
    """Whether every folder above lets any user pass."""
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.resolve().parents)


def shared_folder(name: str) -> Path:
    """A folder of ours that other users can enter but not write to."""
    folder = SHARED / f"laelo-{os.geteuid()}"
    folder.mkdir(mode=0o755, exist_ok=True)
    seen = folder.lstat()
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.geteuid() or seen.st_mode & 0o022:
        raise LaeloError(f"{folder} belongs to somebody else: remove it and start again.")
    inner = folder / name
    inner.mkdir(mode=0o755, exist_ok=True)
    return inner


def copy_for_others(package: Path, version: str) -> Path:
    """Copy a package and the folder of libraries beside it to where any user can run them.

    They keep their relative place, by which the programs find their libraries.
    """
    home = shared_folder("programs")
    done = home / f"{package.name}-{version}"
    if not done.is_dir():
        making = home / f"{done.name}.{os.getpid()}"
        for source in (package, package.with_name(f"{package.name}.libs")):
            shutil.copytree(source, making / source.name, symlinks=True)
        try:
            making.rename(done)
        except OSError:  # another run was faster
            shutil.rmtree(making)
    return done / package.name
