"""How far something is, on the terminal: one line that grows, or now and then one in a file."""

import sys
import time
from typing import Final, TextIO

WIDTH: Final = 30
EVERY_SECONDS: Final = 0.2
IN_FILES_SECONDS: Final = 10.0


class Progress:
    """A bar for `what`, of `total` things; 0 = it is not known how many."""

    def __init__(self, what: str, total: int, out: TextIO | None = None) -> None:
        self._what = what
        self._total = total
        self._out = out or sys.stderr
        self._every = EVERY_SECONDS if self._out.isatty() else IN_FILES_SECONDS
        self._began = time.monotonic()
        self._told = self._began
        self.done = 0

    def add(self, count: int) -> None:
        """So many more are done."""
        self.done += count
        now = time.monotonic()
        if now - self._told >= self._every:
            self._told = now
            self._tell("\r" if self._out.isatty() else "\n")

    def end(self) -> None:
        """All is done."""
        self._tell("\n")

    def line(self) -> str:
        """How far it is, how fast and for how long still, in words."""
        seconds = max(time.monotonic() - self._began, 1e-9)
        rate = self.done / seconds
        line = f"{self._what} {self.done:,}"
        if self._total:
            part = min(1.0, self.done / self._total)
            bar = "█" * round(part * WIDTH)
            line = f"{self._what} [{bar:·<{WIDTH}}] {self.done:,} of {self._total:,}"
        left = (self._total - self.done) / rate if self._total and rate else 0.0
        return f"{line}, {rate:,.0f} a second" + (f", {left:.0f} s left" if left >= 1 else "")

    def _tell(self, end: str) -> None:
        print(self.line(), end=end, file=self._out, flush=True)
