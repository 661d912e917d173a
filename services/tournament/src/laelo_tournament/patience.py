"""Doing what has to be done, whatever is away and whatever goes wrong."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from laelo_common.errors import LaeloError
from laelo_common.log import LogError

_log = logging.getLogger(__name__)

FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0


class Patience:
    """Pauses between tries: longer each time, and never as long as another's."""

    def __init__(self) -> None:
        self._pause = FIRST_PAUSE

    async def wait(self) -> None:
        """Wait before the next try."""
        await asyncio.sleep(self._pause * random.uniform(0.5, 1.0))
        self._pause = min(2 * self._pause, LONGEST_PAUSE)


async def until_done(act: Callable[[], Awaitable[None]], what: str) -> None:
    """Act until it succeeds: whoever waits for this would wait for ever otherwise.

    `act` has to be such that it can be done again after it was done by half.
    """
    patience = Patience()
    while True:
        try:
            await act()
        except (LaeloError, LogError) as error:
            _log.warning("%s is tried again: %s", what, error)
        except Exception:  # noqa: BLE001 - logged, and it may be one that passes
            _log.exception("%s failed and is tried again", what)
        else:
            return
        await patience.wait()


class Doings:
    """What is being done just now, each under a name, so that it is done once and can be ended."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, name: str, doing: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do it beside everything else, unless it is being done or this is closed."""
        if self._is_closed or name in self._tasks:
            return
        task = asyncio.get_running_loop().create_task(doing(), name=name)
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._tasks.pop(name, None))

    def end(self, name: str) -> None:
        """Have it done no more."""
        task = self._tasks.get(name)
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    async def close(self) -> None:
        """End it all."""
        self._is_closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
