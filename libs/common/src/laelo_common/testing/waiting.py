"""Waiting for something to become true, in tests: for conditions, never for time."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until the condition holds; TimeoutError only when all hope is gone."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - anything may make it true
            await asyncio.sleep(0.002)
