"""The gateway's numbers: plain ints that the hot path adds to."""

from collections.abc import Callable
from functools import partial
from typing import Final

from laelo_common.errors import Code
from laelo_common.metrics import Histogram, Metrics

OURS: Final = frozenset((Code.INTERNAL, Code.TRY_LATER, Code.OVERLOADED))
"""Refusals that no player could have avoided."""

TEXTS = {
    "frames_in": "text frames that clients sent",
    "frames_out": "frames that clients were sent",
    "commands": "commands that went to tables",
    "failed": "commands that were not done for a reason that no player could have avoided",
    "rewatches": "times a table was watched anew to get what was missed",
    "dropped": "clients dropped because they did not read",
    "too_fast": "frames refused because the client was too fast",
    "guests": "guests that were made",
    "returned": "guests that came back with their token",
    "resumed": "connections that went on with what an earlier one had seen",
}


class Counts:
    """One attribute for each of TEXTS."""

    def __init__(self) -> None:
        self.frames_in = 0
        self.frames_out = 0
        self.refused = dict.fromkeys(Code, 0)
        """Frames and commands that were refused, by code."""
        self.answered = dict.fromkeys(range(1, 6), 0)
        """HTTP requests by the first digit of the answer's status."""
        self.answer_seconds = Histogram()
        self.commands = 0
        self.failed = 0
        self.rewatches = 0
        self.dropped = 0
        self.too_fast = 0
        self.guests = 0
        self.returned = 0
        self.resumed = 0

    def drop(self) -> None:
        """A client was dropped."""
        self.dropped += 1

    def refuse(self, code: str) -> None:
        """Something was refused."""
        self.refused[Code(code)] += 1

    def register(self, metrics: Metrics) -> None:
        """Show all of them as `laelo_gateway_<name>_total`."""
        for name, text in TEXTS.items():
            metrics.count(f"laelo_gateway_{name}_total", text, self._reader(name))
        for code in Code:
            metrics.count(
                "laelo_gateway_refused_total",
                "frames and commands that were refused",
                partial(self.refused.__getitem__, code),
                code=code.value,
            )
        for digit in self.answered:
            metrics.count(
                "laelo_gateway_http_responses_total",
                "answers to HTTP requests",
                partial(self.answered.__getitem__, digit),
                status=f"{digit}xx",
            )
        self.answer_seconds = metrics.histogram(
            "laelo_gateway_answer_seconds",
            "from a command to its answer, for one command in eight and all that are traced",
        )

    def _reader(self, name: str) -> Callable[[], float]:
        return lambda: float(getattr(self, name))
