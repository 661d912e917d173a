"""Something of the issuer's that is fetched seldom and goes on being used for a while."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, Generic, NamedTuple, TypeVar

from laelo_common.errors import LaeloError

T = TypeVar("T")

SHORTEST_SECONDS: Final = 300.0
LONGEST_SECONDS: Final = 24 * 3600.0
"""Between these it is fresh, whatever the issuer says."""
STALE_SECONDS: Final = 24 * 3600.0
"""How long it is used after that while it cannot be fetched."""
PAUSE_SECONDS: Final = 30.0
"""Between two attempts, so that neither an outage nor odd tokens make many."""

_log = logging.getLogger(__name__)


class Fetched(NamedTuple, Generic[T]):
    """What was fetched, and for how many seconds it may be kept."""

    value: T
    seconds: float


class Cached(Generic[T]):
    """One thing, fetched by one at a time. `fetch` raises LaeloError. Times in seconds."""

    def __init__(
        self,
        fetch: Callable[[], Awaitable[Fetched[T]]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = asyncio.Lock()
        self._value: T | None = None
        self._fresh_until = 0.0
        self._tried = float("-inf")

    async def get(self) -> T:
        """The newest there is. Raises LaeloError if there is none that may be used."""
        async with self._lock:
            now = self._clock()
            if self._value is not None and now < self._fresh_until:
                return self._value
            if self._value is None or now >= self._fresh_until + STALE_SECONDS:
                return await self._renew()
            if self._may_try(now):
                try:
                    return await self._renew()
                except LaeloError as error:
                    _log.warning("an older one is used, as it cannot be fetched: %s", error)
            return self._value

    async def newer(self) -> T:
        """One that is fetched now, if that was not tried just before. Raises LaeloError."""
        async with self._lock:
            if self._value is not None and not self._may_try(self._clock()):
                return self._value
            return await self._renew()

    def _may_try(self, now: float) -> bool:
        return now - self._tried >= PAUSE_SECONDS

    async def _renew(self) -> T:
        self._tried = self._clock()
        fetched = await self._fetch()
        seconds = min(max(fetched.seconds, SHORTEST_SECONDS), LONGEST_SECONDS)
        self._value = fetched.value
        self._fresh_until = self._clock() + seconds
        return fetched.value
