"""The orderly end: tables are given up when their watchers are at home elsewhere."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from laelo_table.store import TableStore

HAND_OVER_SECONDS: Final = 2.5
"""For which watchers are waited for: where there is no other replica they do not leave."""
LOOK_SECONDS: Final = 0.05


async def hand_over(store: TableStore, close: Callable[[], Awaitable[None]]) -> None:
    """Go on serving, though health says that this replica is asked no more, until nobody watches
    a table here; then `close` the streams.
    """
    for _ in range(round(HAND_OVER_SECONDS / LOOK_SECONDS)):
        if not any(warm.watchers for warm in store.tables.all()):
            break
        await asyncio.sleep(LOOK_SECONDS)
    await close()
