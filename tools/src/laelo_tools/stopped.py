"""One of the servers of a platform that is stopped, on the data that it left."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from laelo_tools.embedded import Nats, Postgres
from laelo_tools.errors import LaeloError
from laelo_tools.ports import Ports
from laelo_tools.state import StateFolder, folders
from laelo_tools.supervisor import OnExit, Supervisor

S = TypeVar("S", Nats, Postgres)


@asynccontextmanager
async def server_on_store(name: str, make: Callable[[Path, int], S]) -> AsyncIterator[S]:
    """A server on the folder `name` of this checkout's data, for as long as it is read.

    Raises LaeloError if nothing was played, or the platform is about to start.
    """
    folder = StateFolder(folders()[0])
    store = folder.path / name
    if not store.is_dir():
        raise LaeloError("Nothing runs in this checkout, and nothing was played: `make run`.")
    if not folder.acquire():
        raise LaeloError("The platform of this checkout is starting: try again in a moment.")
    ports, supervisor = Ports(), Supervisor(OnExit.LEAVE)
    server = make(store, ports.free())
    try:
        await supervisor.start(await asyncio.to_thread(server.prepare))
        yield server
    finally:
        await supervisor.stop()
        ports.release()
        folder.release()
