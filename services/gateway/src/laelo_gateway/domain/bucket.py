"""Limits on how fast somebody may do something."""

from collections import OrderedDict
from typing import Final

KEPT: Final = 10_000


class Bucket:
    """`burst` at once, `rate` a second for ever. Times in seconds, any clock."""

    __slots__ = ("_burst", "_left", "_rate", "_seen", "refused")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = self._left = burst
        self._seen = now
        self.refused = 0
        """How many were refused since one was last allowed with half the bucket full."""

    def is_spent(self, now: float) -> bool:
        """Whether one more would be refused."""
        return self._left + (now - self._seen) * self._rate < 1.0

    def take(self, now: float) -> bool:
        """Whether one more is allowed."""
        left = self._left + (now - self._seen) * self._rate
        self._seen = now
        left = min(self._burst, left)
        if left < 1.0:
            self._left = left
            self.refused += 1
            return False
        if left > self._burst / 2:
            self.refused = 0
        self._left = left - 1.0
        return True


class Buckets:
    """One bucket for each person, or each address. The least recently used are forgotten."""

    def __init__(self, rate: float, burst: float, kept: int = KEPT) -> None:
        self._rate = rate
        self._burst = burst
        self._most = kept
        self._kept: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, key: str, now: float) -> Bucket:
        """The bucket of this one; a full one if it was not seen lately."""
        bucket = self._kept.get(key)
        if bucket is None:
            bucket = self._kept[key] = Bucket(self._rate, self._burst, now)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return bucket

    def take(self, key: str, now: float) -> bool:
        """Whether this one may once more."""
        return self.of(key, now).take(now)

    def is_spent(self, key: str, now: float) -> bool:
        """Whether this one could not be allowed anything now; nothing is counted."""
        return self.of(key, now).is_spent(now)
