"""Channels to all replicas of a service, and calls that go to the next one if need be."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

import grpc.aio
from laelo_common.errors import Code, LaeloError
from laelo_common.status import error_of
from laelo_common.stream import Dial, plain

from laelo_gateway.adapters.addresses import Addresses

ANSWER_SECONDS: Final = 1.5
"""For one replica."""
MOST_ASKED: Final = 3
"""Replicas: so a client is told within 5 s."""
RESOLVE_SECONDS: Final = 2.0
AWAY: Final = "championships are out of reach at the moment: try again in a moment"
_ELSEWHERE: Final = (Code.TRY_LATER, Code.OVERLOADED, Code.INTERNAL)
"""Another replica may do what this one could not."""

_log = logging.getLogger(__name__)


class Channels:
    """One channel to each replica, kept in step with where they are."""

    def __init__(
        self, names: Iterable[str], on_change: Callable[[], None], dial: Dial = plain
    ) -> None:
        self._names = tuple(names)
        self._addresses = Addresses(self._names)
        self._on_change = on_change
        self._dial = dial
        self._open: dict[str, grpc.aio.Channel] = {}
        self._closing: set[asyncio.Task[None]] = set()

    def __bool__(self) -> bool:
        """Whether there is such a service at all."""
        return bool(self._names)

    @property
    def addresses(self) -> frozenset[str]:
        """All replicas, whether they answer or not."""
        return frozenset(self._open)

    def get(self, address: str) -> grpc.aio.Channel | None:
        """The channel to a replica, as long as it is there."""
        return self._open.get(address)

    async def run(self) -> None:
        """Follow the addresses for ever."""
        while True:
            self._settle(await self._addresses.resolve())
            await asyncio.sleep(RESOLVE_SECONDS)

    async def close(self) -> None:
        """Let go of all."""
        self._settle(frozenset())
        await asyncio.gather(*self._closing)

    def _settle(self, found: frozenset[str]) -> None:
        before = self.addresses
        for address in found - before:
            self._open[address] = self._dial(address)
        for address in before - found:
            task = asyncio.create_task(self._open.pop(address).close(None), name="channel-close")
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        if found != before:
            self._on_change()


def is_cancelled() -> bool:
    """Whether this very task is to end: gRPC raises the same when only a channel was closed."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def first_answer(stubs: Iterable[Any], method: str, request: Any) -> Any:
    """The first replica's answer, or refusal. Raises LaeloError: with TRY_LATER
    when none has one. What is told to people is the code's own sentence:
    nobody's words from elsewhere reach a client.
    """
    for stub in list(stubs)[:MOST_ASKED]:
        try:
            return await getattr(stub, method)(request, timeout=ANSWER_SECONDS)
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            _log.debug("%s: the replica has left", method)
        except grpc.aio.AioRpcError as failure:
            error = error_of(failure)
            _log.debug("%s: %s", method, error.code)
            if error.code not in _ELSEWHERE:
                raise LaeloError(error.code) from failure
    raise LaeloError(Code.TRY_LATER, AWAY)
