"""Keeps something alive that lives in the server and dies with it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from laelo_common.log.connection import Connection
from laelo_common.log.port import LogError

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.3
HEARTBEAT_NS = 1_000_000_000
# Two signs of life missed and a little more.
SILENCE_SECONDS = 2.5


class Keeper:
    """Sets something up, and again after a new connection, a fault or too long a silence."""

    def __init__(
        self, connection: Connection, name: str, set_up: Callable[[], Awaitable[None]]
    ) -> None:
        self._connection = connection
        self._name = name
        self._set_up = set_up
        self._loop = asyncio.get_running_loop()
        self._again = asyncio.Event()
        self._heard = self._loop.time()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._end_listening = connection.on_reconnect(self.resume)
        self._task = self._loop.create_task(self._keep(), name=name)
        self._task.add_done_callback(self._on_done)

    def heard(self) -> None:
        """Note a sign of life."""
        self._heard = self._loop.time()

    def again(self) -> None:
        """Set up again now, as a matter of course."""
        self._again.set()

    def resume(self) -> None:
        """Set up again now, since something was lost; this is counted."""
        self._connection.counters.resumed += 1
        self._again.set()

    def fail(self, error: Exception) -> None:
        """End with an error: it is logged, and `wait` raises it."""
        self._end_listening()
        self._task.cancel()
        if not self._ended.done():
            logger.error("%s ended", self._name, exc_info=error)
            self._ended.set_exception(error)
            self._ended.exception()  # it has been told; nobody must wait for it

    async def wait(self) -> None:
        """Wait for the end; raises the error that ended it."""
        await asyncio.shield(self._ended)

    async def close(self) -> None:
        """Stop keeping; the task is gone when this returns."""
        self._end_listening()
        self._task.cancel()
        await asyncio.wait([self._task])
        if not self._ended.done():
            self._ended.set_result(None)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self.fail(error)

    async def _keep(self) -> None:
        while True:
            self._again.clear()
            self.heard()
            try:
                await self._set_up()
            except LogError as error:
                logger.info("%s: %s; trying again", self._name, error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            await self._until_needed()

    async def _until_needed(self) -> None:
        while not self._again.is_set():
            left = self._heard + SILENCE_SECONDS - self._loop.time()
            if left <= 0:
                self.resume()
                return
            try:
                async with asyncio.timeout(left):
                    await self._again.wait()
            except TimeoutError:
                continue
