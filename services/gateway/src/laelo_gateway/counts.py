"""The gateway's numbers: plain ints that the hot path adds to."""

from collections.abc import Callable

from laelo_common.metrics import Metrics

TEXTS = {
    "frames_in": "text frames that clients sent",
    "frames_out": "frames that clients were sent",
    "refused": "frames and commands that were refused",
    "commands": "commands that went to tables",
    "rewatches": "times a table was watched anew to get what was missed",
    "dropped": "clients dropped because they did not read",
    "too_fast": "frames refused because the client was too fast",
    "guests": "guests that were made",
    "returned": "guests that came back with their token",
}


class Counts:
    """One attribute for each of TEXTS."""

    def __init__(self) -> None:
        self.frames_in = 0
        self.frames_out = 0
        self.refused = 0
        self.commands = 0
        self.rewatches = 0
        self.dropped = 0
        self.too_fast = 0
        self.guests = 0
        self.returned = 0

    def drop(self) -> None:
        """A client was dropped."""
        self.dropped += 1

    def register(self, metrics: Metrics) -> None:
        """Show all of them as `laelo_gateway_<name>_total`."""
        for name, text in TEXTS.items():
            metrics.count(f"laelo_gateway_{name}_total", text, self._reader(name))

    def _reader(self, name: str) -> Callable[[], float]:
        return lambda: float(getattr(self, name))
