"""How far a run is: a bar on a terminal, now and then a line elsewhere."""

import sys
import time
from typing import Final, TextIO

WIDTH: Final = 24
STEP: Final = 0.1
"""Without a terminal a line is written after each such share."""


class Progress:
    """Tells on standard error, so that results can be piped."""

    def __init__(self, whole: int, out: TextIO | None = None) -> None:
        self._whole = whole
        self._out = out or sys.stderr
        self._began = time.monotonic()
        self._told = 0.0

    def tell(self, done: int, text: str) -> None:
        """So many of all are done; `text` says what is known by now."""
        share = done / self._whole
        if self._out.isatty():
            bar = "#" * round(WIDTH * share)
            self._out.write(
                f"\r[{bar:.<{WIDTH}}] {done}/{self._whole}{self._left(share)} {text}\033[K"
            )
            if done == self._whole:
                self._out.write("\n")
        elif share >= self._told + STEP or done == self._whole:
            self._told = share
            self._out.write(f"{done}/{self._whole}{self._left(share)} {text}\n")
        self._out.flush()

    def _left(self, share: float) -> str:
        seconds = round((time.monotonic() - self._began) * (1 - share) / share) if share else 0
        return f", {seconds // 60}:{seconds % 60:02} left" if seconds else ""
