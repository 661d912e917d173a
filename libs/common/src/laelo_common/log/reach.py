"""Whether the log is within reach, and when it was not."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

GAPS_KEPT = 16


@dataclass(frozen=True, slots=True)
class Gap:
    """A time in which nothing could be stored, in milliseconds since 1970 UTC.

    `until_ms` is None while it lasts.
    """

    since_ms: int
    until_ms: int | None = None

    def covers(self, time_ms: int) -> bool:
        """Whether a moment lies in the gap."""
        return self.since_ms <= time_ms and (self.until_ms is None or time_ms <= self.until_ms)


class Reach:
    """Notes the gaps and tells who listens; the time players lost in them is given back."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._gaps: deque[Gap] = deque(maxlen=GAPS_KEPT)
        self._listeners: dict[int, tuple[Callable[[Gap], None], Callable[[Gap], None]]] = {}
        self._next_listener = 0
        self.out = False

    @property
    def out_since_ms(self) -> int | None:
        """When the present gap began; None while all is well."""
        return self._gaps[-1].since_ms if self.out else None

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The last gaps, oldest first."""
        return tuple(self._gaps)

    def gap_at(self, time_ms: int) -> Gap | None:
        """The gap that covers a moment, such as a deadline."""
        return next((gap for gap in self._gaps if gap.covers(time_ms)), None)

    def listen(
        self, on_lost: Callable[[Gap], None], on_back: Callable[[Gap], None]
    ) -> Callable[[], None]:
        """Be told when the log goes out of reach and when it is back; returns how to end it."""
        key = self._next_listener
        self._next_listener += 1
        self._listeners[key] = (on_lost, on_back)

        def end() -> None:
            self._listeners.pop(key, None)

        return end

    def lost(self, since_ms: int | None = None) -> None:
        """Note that the log is out of reach, since now or an earlier moment."""
        if self.out:
            return
        self.out = True
        gap = Gap(self._now_ms() if since_ms is None else since_ms)
        self._gaps.append(gap)
        for on_lost, _ in list(self._listeners.values()):
            on_lost(gap)

    def back(self) -> None:
        """Note that the log answers again."""
        if not self.out:
            return
        self.out = False
        gap = Gap(self._gaps.pop().since_ms, self._now_ms())
        self._gaps.append(gap)
        for _, on_back in list(self._listeners.values()):
            on_back(gap)
