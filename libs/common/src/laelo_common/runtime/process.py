"""What the process itself takes, under the names that Prometheus' own clients use."""

import asyncio
import contextlib
import os
import time
from pathlib import Path
from typing import Final

from laelo_common.metrics import Metrics

_STATM: Final = Path("/proc/self/statm")
_OPEN: Final = Path("/proc/self/fd")


def show(metrics: Metrics) -> None:
    """Show CPU time, memory, open files and since when the process lives."""
    began = time.time()
    metrics.count("process_cpu_seconds_total", "CPU time, user and system.", time.process_time)
    metrics.gauge("process_start_time_seconds", "When it was started (Unix time).", lambda: began)
    metrics.gauge("process_resident_memory_bytes", "Memory in use.", _resident)
    metrics.gauge("process_open_fds", "Open files and sockets.", _open_files)
    metrics.gauge("laelo_tasks", "Tasks of the event loop.", Tasks().count)


class Tasks:
    """Counts the tasks of the loop that asks first; metrics are also read from other threads."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    def count(self) -> int:
        """0 as long as no loop has asked."""
        with contextlib.suppress(RuntimeError):  # no loop runs in this thread
            self._loop = asyncio.get_running_loop()
        return len(asyncio.all_tasks(self._loop)) if self._loop is not None else 0


def _resident() -> int:
    """0 where the system does not tell it."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _open_files() -> int:
    try:
        return len(list(_OPEN.iterdir()))
    except OSError:
        return 0
