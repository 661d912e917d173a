"""Waiting until somebody at a table has to act, over replicas in process."""

import asyncio

from laelo_table.domain.state import Table

from services.table.tests.house import Replica


async def ready_to_act(*replicas: Replica) -> Table:
    """The table when it waits for people, before, in or after a match, and all replicas know."""
    async with asyncio.timeout(20):
        while True:
            known = [await replica.state() for replica in replicas]
            state = known[0]
            waits = state.game is None or state.begun is not None or state.match_end is not None
            if waits and len({table.version for table in known}) == 1:
                return state
            await asyncio.sleep(0)  # let the house deal, and tell what was stored
