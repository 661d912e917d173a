"""What the kernel says of processes: CPU time and memory."""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_LOOP = 300_000


@dataclass(frozen=True, slots=True)
class Memory:
    """In bytes: `pss` counts what is shared by n processes as a nth."""

    pss: int
    rss: int


def family(pid: int) -> list[int]:
    """A process and all that it has started."""
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        try:
            children = (PROC / f"{one}/task/{one}/children").read_text().split()
        except OSError:  # it ended meanwhile, or the kernel keeps no such list
            continue
        todo.extend(int(child) for child in children)
    return found


def cpu_seconds(pid: int) -> float:
    """CPU time of a process's threads and of its descendants, user and system.

    From the scheduler's own count where the kernel offers it, which is exact to the
    nanosecond; else from the clock ticks.
    """
    return sum(_cpu_of(one) for one in family(pid))


def _cpu_of(pid: int) -> float:
    if not (PROC / "self/schedstat").exists():
        return _ticks_of(pid)
    total = 0
    for task in (PROC / f"{pid}/task").glob("*"):
        for line in _lines(task / "schedstat"):  # none if the thread has just ended
            total += int(line.split()[0])
    return total / 1e9


def _ticks_of(pid: int) -> float:
    try:
        fields = (PROC / f"{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory(pid: int) -> Memory:
    """Memory of a process and its descendants."""
    pss = rss = 0
    for one in family(pid):
        for line in _lines(PROC / f"{one}/smaps_rollup"):
            name, _, value = line.partition(":")
            if name == "Pss":
                pss += int(value.split()[0]) * 1024
            elif name == "Rss":
                rss += int(value.split()[0]) * 1024
    return Memory(pss, rss)


def _lines(path: Path) -> Iterable[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return ()


def calibrate() -> float:
    """CPU milliseconds of a fixed loop: how fast this machine is at the moment."""
    begin = time.process_time()
    total = 0
    for number in range(_LOOP):
        total += number * number & 1023  # something that no compiler leaves out
    return (time.process_time() - begin) * 1000
