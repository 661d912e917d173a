"""Numbers of championships here: plain ints, and nothing by which anybody could be told."""

from collections.abc import Callable
from typing import Final

from laelo_common.metrics import Metrics

TEXTS: Final = {
    "queue_frames": "frames with the queue that were sent",
    "called_frames": "frames that called somebody to a match",
    "bracket_frames": "frames with a bracket that were sent",
    "queue_joins": "times somebody joined the queue",
}


class CupCounts:
    """One attribute for each of TEXTS."""

    def __init__(self) -> None:
        self.queue_frames = 0
        self.called_frames = 0
        self.bracket_frames = 0
        self.queue_joins = 0

    def register(self, metrics: Metrics) -> None:
        """Show all of them as `laelo_gateway_<name>_total`."""
        for name, text in TEXTS.items():
            metrics.count(f"laelo_gateway_{name}_total", text, self._reader(name))

    def _reader(self, name: str) -> Callable[[], float]:
        return lambda: float(getattr(self, name))
