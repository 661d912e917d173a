"""How long players wait for what should have come: the pauses of a run, and what they fell into."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

AFTER_SECONDS: Final = 2.0
"""A pause that begins so soon after a step is still put down to it."""
NO_STEP: Final = "between"


class Pause(NamedTuple):
    """Somebody saw nothing from `began` on, `seconds` longer than the table's beat."""

    began: float
    seconds: float


class Step(NamedTuple):
    """Something was restarted. Times are the event loop's; `stopped` is when its process ended."""

    round: int
    name: str
    began: float
    stopped: float
    ended: float
    status: int
    """Exit status of the process that was told to stop."""

    @property
    def service(self) -> str:
        """What kind of part it is."""
        return self.name.partition("-")[0]


class Figures(NamedTuple):
    """Pauses in milliseconds."""

    pauses: int
    p50_ms: float
    p99_ms: float
    longest_ms: float


def figures(seconds: Iterable[float]) -> Figures:
    """Of any number of pauses; all are 0 for none."""
    ordered = sorted(seconds)
    if not ordered:
        return Figures(0, 0.0, 0.0, 0.0)
    p50, p99 = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return Figures(len(ordered), *(round(1000 * max(0.0, s), 1) for s in (p50, p99, ordered[-1])))


def step_of(pause: Pause, steps: Sequence[Step], beat: float) -> str:
    """The part during whose restart somebody waited; the newest, if several fit."""
    ended = pause.began + beat + pause.seconds
    for step in reversed(steps):
        if step.began <= ended and pause.began + beat <= step.ended + AFTER_SECONDS:
            return step.service
    return NO_STEP
