"""What the kernel knows of the processes of this machine."""

import os
from pathlib import Path
from typing import NamedTuple


class Usage(NamedTuple):
    """CPU that was used so far, in seconds, and memory that is held now, in bytes."""

    cpu_seconds: float
    memory: int


def usage(pid: int, root: Path = Path("/proc")) -> Usage | None:
    """Of a process; None if it is no more, or nothing is known of it here."""
    try:
        stat = (root / str(pid) / "stat").read_text()
        statm = (root / str(pid) / "statm").read_text()
    except OSError:
        return None
    # The name, in brackets, may hold anything; what follows does not.
    fields = stat.rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    resident = int(statm.split()[1])
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), resident * os.sysconf("SC_PAGE_SIZE"))
