"""Doing what has to be done, whatever is away and whatever goes wrong."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Final

from laelo_common.errors import LaeloError
from laelo_common.log import LogError
from laelo_common.metrics import Counter

_log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 2.0


class Patience:
    """Tries, and pauses between them: longer each time, and never as long as another's.

    `failed` counts the tries that came to nothing.
    """

    def __init__(self, failed: Counter) -> None:
        self._pause = FIRST_PAUSE
        self._failed = failed

    async def has_done(self, act: Callable[[], Awaitable[object]], what: str) -> bool:
        """Try once; after a failure wait before telling of it.

        `act` has to be such that it can be done again after it was done by half.
        """
        try:
            await act()
        except (LaeloError, LogError) as error:
            _log.warning("%s is tried again: %s", what, error)
        except Exception:  # noqa: BLE001 - logged, and it may be one that passes
            _log.exception("%s failed and is tried again", what)
        else:
            self._pause = FIRST_PAUSE
            return True
        self._failed.value += 1
        await asyncio.sleep(self._pause * random.uniform(0.5, 1.0))
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        return False

    async def until_done(self, act: Callable[[], Awaitable[object]], what: str) -> None:
        """Try until it is done: whoever waits for this would wait for ever otherwise."""
        while not await self.has_done(act, what):
            pass
