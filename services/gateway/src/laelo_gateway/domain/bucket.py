"""A limit on how fast one client may talk."""


class Bucket:
    """`burst` frames at once, `rate` a second for ever. Times in seconds, any clock."""

    __slots__ = ("_burst", "_left", "_rate", "_seen", "refused")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = self._left = burst
        self._seen = now
        self.refused = 0
        """How many were refused since one was last allowed with half the bucket full."""

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
