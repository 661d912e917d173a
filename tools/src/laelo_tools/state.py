"""Where a local run keeps its data, and how other commands find a run."""

import fcntl
import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self, TextIO

from laelo_tools.errors import LaeloError

ROOT = Path(__file__).resolve().parents[3]
LOCAL = ROOT / ".local"
MOST_RUNS = 9
PLATFORM_FILE = "platform.json"
LOCK_FILE = "lock"


@dataclass(frozen=True, slots=True)
class Running:
    """A run as it describes itself in its state folder."""

    pid: int
    url: str
    nats_url: str
    pg_dsn: str
    addresses: dict[str, str]
    pids: dict[str, int]
    metrics: dict[str, str] = field(default_factory=dict)
    """Where each part says how it is, at /readyz and /metrics."""
    operator: str = ""
    """A folder with the operator's certificate, where services talk by TLS."""


class StateFolder:
    """A folder that belongs to one run at a time: the lock ends with the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: TextIO | None = None

    @classmethod
    def first_free(cls, local: Path = LOCAL) -> Self:
        """`state`, or `state-2` and so on while other runs of this checkout have those before."""
        for folder in folders(local):
            found = cls(folder)
            if found.acquire():
                return found
        raise LaeloError(f"{MOST_RUNS} runs of this checkout are up already: stop one of them.")

    def acquire(self) -> bool:
        """Take the folder, making it if need be; False if a run has it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / LOCK_FILE).open("a")
        except OSError as error:
            raise LaeloError(
                f"The state folder {self.path} can't be used ({error}): correct its owner and"
                " mode, or move it away."
            ) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return False
        self._lock = lock
        return True

    def write(self, running: Running) -> None:
        """Say where this run can be found; readers never see half a file."""
        making = self.path / f"{PLATFORM_FILE}.new"
        making.write_text(json.dumps(asdict(running), indent=2) + "\n")
        making.replace(self.path / PLATFORM_FILE)

    def release(self) -> None:
        """Give the folder back; the data stays."""
        (self.path / PLATFORM_FILE).unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def folders(local: Path = LOCAL) -> list[Path]:
    """The state folders that runs of this checkout choose from."""
    return [local / "state", *(local / f"state-{n}" for n in range(2, MOST_RUNS + 1))]


def is_held(folder: Path) -> bool:
    """Whether a run has this folder now."""
    try:
        lock = os.open(folder / LOCK_FILE, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def find_running(local: Path = LOCAL) -> Running:
    """The first run of this checkout that is up. Raises LaeloError if there is none."""
    for folder in folders(local):
        if is_held(folder) and (folder / PLATFORM_FILE).is_file():
            return Running(**json.loads((folder / PLATFORM_FILE).read_text()))
    raise LaeloError("Nothing runs in this checkout: start it with `make run`.")
