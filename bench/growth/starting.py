"""How long the parts of a platform take to be ready again after they were killed."""

import time
from dataclasses import replace
from typing import Final

from laelo_tools.platform import Platform

from bench.growth.playing import BASE

ALL: Final = replace(BASE, tournaments=1, matchmaking=1, archives=1)
PARTS: Final = (
    *("nats", "postgres", "rules-1", "bots-1", "table-1"),
    *("tournament-1", "matchmaking-1", "archive-1", "gateway-1"),
)


async def start_all() -> dict[str, float]:
    """Seconds: `all` from nothing to ready, then each part after kill -9."""
    began = time.monotonic()
    async with Platform(ALL) as platform:
        found = {"all": time.monotonic() - began}
        found |= {name: await start_again(platform, name) for name in PARTS}
    return {name: round(seconds, 2) for name, seconds in found.items()}


async def start_again(platform: Platform, name: str) -> float:
    """Seconds from the start of a part that was killed until it is ready."""
    await platform.kill(name)
    began = time.monotonic()
    await platform.restart(name)
    return time.monotonic() - began
