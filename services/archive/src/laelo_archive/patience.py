"""Pauses between tries: longer each time, and never as long as another's."""

import asyncio
import random
from typing import Final

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0


class Patience:
    """How long to wait before the next try."""

    def __init__(self) -> None:
        self._pause = FIRST_PAUSE

    async def wait(self) -> None:
        """Wait before the next try."""
        await asyncio.sleep(self._pause * random.uniform(0.5, 1.0))
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def succeeded(self) -> None:
        """Begin with short pauses again."""
        self._pause = FIRST_PAUSE
