"""Clocks in memory, which run by a time given from outside, for tests."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from laelo_common.errors import LaeloError
from laelo_common.log.port import Due, LogError, Unavailable, token

logger = logging.getLogger(__name__)


class MemoryClocks:
    """Clocks that run by a time given from outside: move it, then `fire`."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._set: dict[Due, int] = {}
        self._handlers: list[_Handler] = []
        self.reachable = True

    async def set(self, table: str, turn: int, at_ms: int) -> bool:
        """Make sure that the turn is called at `at_ms`; see `port.Clocks.set`."""
        await asyncio.sleep(0)
        if not self.reachable:
            raise Unavailable("out of reach")
        due = Due(token(table), turn)
        is_first = due not in self._set
        self._set.setdefault(due, at_ms)
        return is_first

    async def due(self, on_due: Callable[[Due], Awaitable[None]]) -> "_Handler":
        """Handle turns whose time is up, in turn with the other handlers."""
        handler = _Handler(self._handlers, on_due, asyncio.get_running_loop().create_future())
        self._handlers.append(handler)
        return handler

    async def fire(self) -> int:
        """Call all turns whose time is up; those whose handler fails stay. Returns how many."""
        due = sorted((at, turn) for turn, at in self._set.items() if at <= self._now_ms())
        fired = 0
        for _, turn in due:
            if not self._handlers:
                break
            handler = self._handlers.pop(0)
            self._handlers.append(handler)
            try:
                await handler.on_due(turn)
            except (LogError, LaeloError) as away:
                logger.warning("clock of turn %d at %s: %s", turn.turn, turn.table, away)
                continue
            except Exception:
                logger.exception("clock of turn %d at %s failed", turn.turn, turn.table)
                continue
            self._set.pop(turn, None)
            fired += 1
        return fired


@dataclass(slots=True, eq=False)
class _Handler:
    handlers: "list[_Handler]"
    on_due: Callable[[Due], Awaitable[None]]
    ended: asyncio.Future[None]

    async def wait(self) -> None:
        await asyncio.shield(self.ended)

    async def close(self) -> None:
        if self in self.handlers:
            self.handlers.remove(self)
            self.ended.set_result(None)
