"""Doing what has to be done, whatever is away."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from laelo_common.errors import LaeloError
from laelo_common.log import LogError

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 2.0


async def until_done(
    act: Callable[[], Awaitable[None]], on_failure: Callable[[Exception], None]
) -> None:
    """Act, and again after a pause as long as something that is needed is away."""
    pause = _FIRST_PAUSE
    while True:
        try:
            await act()
        except (LaeloError, LogError) as error:
            on_failure(error)
        else:
            return
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, _LONGEST_PAUSE)


class Doings:
    """What is being done just now, so that it can be ended."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_closed = False

    def begin(self, doing: Coroutine[Any, Any, None], name: str) -> None:
        """Do it beside everything else; not at all once this is closed."""
        if self.is_closed:
            doing.close()
            return
        task = asyncio.get_running_loop().create_task(doing, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End it all."""
        self.is_closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
