"""What the crowd counts: moves, how long they took, what went wrong."""

import time
from collections import Counter

EXAMPLES = 5


class Meter:
    """Counts while it runs."""

    def __init__(self) -> None:
        self.moves = 0
        self.matches = 0
        self.latencies_us: list[int] = []
        self.errors: Counter[str] = Counter()
        self.examples: list[str] = []
        self.seconds = 0.0
        self._began = 0.0
        self._runs = False

    def begin(self) -> None:
        """Count from now on, from nothing."""
        self.moves = self.matches = 0
        self.latencies_us = []
        self._runs = True
        self._began = time.perf_counter()

    def end(self) -> None:
        """Count no more; errors are always counted."""
        self.seconds = time.perf_counter() - self._began
        self._runs = False

    def moved(self, sent: float | None) -> None:
        """All clients of a table have a move; `sent` is when it was, if one of them sent it."""
        if self._runs:
            self.moves += 1
            if sent is not None:
                self.latencies_us.append(int((time.perf_counter() - sent) * 1e6))

    def ended(self) -> None:
        """A match is over."""
        if self._runs:
            self.matches += 1

    def wrong(self, code: str, words: str) -> None:
        """Something that must not happen."""
        self.errors[code] += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(f"{code}: {words}")
