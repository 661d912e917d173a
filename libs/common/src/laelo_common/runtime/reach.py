"""Waiting for something that the service needs, for a while."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from laelo_common.runtime.service import SetupError

T = TypeVar("T")

_log = logging.getLogger(__name__)
_PAUSE = 0.2


async def reach(what: str, attempt: Callable[[], Awaitable[T]], seconds: float, way_out: str) -> T:
    """Try again and again; after `seconds` raise SetupError with one sentence.

    `attempt` fails with OSError (a TimeoutError is one); anything else is a fault and raised.

        await reach("NATS at nats://host", connect, 20, "start it, or set LAELO_TABLE_NATS_URL")
    """
    last: OSError | None = None
    try:
        async with asyncio.timeout(seconds):
            while True:
                try:
                    return await attempt()
                except OSError as error:
                    _log.info("%s is not there yet: %s", what, error)
                    last = error
                await asyncio.sleep(_PAUSE)
    except TimeoutError:
        cause = f" ({last})" if last is not None and str(last) else ""
        raise SetupError(f"{what} did not answer within {seconds:g} s{cause}: {way_out}") from last
