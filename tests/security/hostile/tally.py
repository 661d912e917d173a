"""What came of an attack: how much was sent, what was answered, and what should not have been."""

from collections import Counter
from collections.abc import Callable
from typing import Final

MOST_FAULTS: Final = 50


class Tally:
    """Counts by attack and answer. `on_sent` hears of every thing that was sent."""

    def __init__(self, on_sent: Callable[[int], None] = lambda _: None) -> None:
        self._on_sent = on_sent
        self.sent: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.is_over = False
        """Set when the time is up: nothing more is sent."""
        self.faults: list[str] = []
        """What no attack may bring about."""

    @property
    def total(self) -> int:
        """All that was sent."""
        return self.sent.total()

    def count(self, attack: str, many: int = 1) -> None:
        """So many more were sent."""
        self.sent[attack] += many
        self._on_sent(many)

    def answer(self, attack: str, what: object) -> None:
        """Something was answered."""
        self.answers[f"{attack} {what}"] += 1

    def fault(self, what: str) -> None:
        """Something happened that must not."""
        self.answers["faults"] += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(what)
