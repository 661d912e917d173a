"""Restarting part after part, as a release does it: the next one when the last one is back."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from signal import SIGINT, SIGTERM
from typing import Final

from laelo_tools.platform import Platform
from laelo_tools.rolling.pauses import Step

ORDER: Final = ("rules", "bots", "table", "matchmaking", "tournament", "archive", "gateway")
"""Who is asked before who asks (docs/operations/upgrade.md)."""
SERVERS: Final = ("nats", "postgres")
"""Of these there is only one here: while it is away nobody has what it does."""
PRODUCTION_SECONDS: Final = 3.0
"""For which a new replica is ready before the next is stopped: `minReadySeconds` of the pods."""


async def restarts(
    platform: Platform, names: Sequence[str], number: int, settle: float
) -> AsyncIterator[Step]:
    """Restart these parts one after another; after each, wait `settle` seconds."""
    loop = asyncio.get_running_loop()
    for name in names:
        began = loop.time()
        status = await platform.kill(name, SIGINT if name == "postgres" else SIGTERM)
        stopped = loop.time()
        await platform.restart(name)
        yield Step(number, name, began, stopped, loop.time(), status)
        await asyncio.sleep(settle)


def replicas(platform: Platform, service: str) -> list[str]:
    """The replicas of a service, in order."""
    return [name for name in platform.addresses if name.startswith(f"{service}-")]
