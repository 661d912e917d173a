"""What tests of tables in process need: waiting until somebody has to act, reading frames."""

import asyncio

from laelo_common.wire.server import EventFrame, SnapshotFrame
from laelo_table.domain.state import Phase, Table, phase_of

from services.table.tests.house import Listener, Replica

Numbered = EventFrame | SnapshotFrame


def numbered(listener: Listener, viewer: int) -> list[Numbered]:
    """The frames with a number that a listener was sent for a viewer, as they came."""
    return [frame for frame in listener.frames(viewer) if isinstance(frame, Numbered)]


async def ready_to_act(*replicas: Replica) -> Table:
    """The table when it waits for people, before, in or after a match, and all replicas know."""
    async with asyncio.timeout(20):
        while True:
            known = [await replica.state() for replica in replicas]
            state = known[0]
            if phase_of(state) is not Phase.PAUSE and len({t.version for t in known}) == 1:
                return state
            await asyncio.sleep(0)  # let the house deal, and tell what was stored
