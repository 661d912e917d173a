"""Archiving all that a log has, for tests of what comes after it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from laelo_archive.adapters.writing import PostgresShelves
from laelo_archive.archivist import Archivist
from laelo_common.log import Kind, MemoryLog
from laelo_common.postgres import Database

from .kit import KINDS

PATIENCE_SECONDS = 60


def archivists(log: MemoryLog, database: Database) -> list[Archivist]:
    """A replica's part of the work."""
    return [Archivist(kind, log, log, PostgresShelves(database)) for kind in Kind]


async def finish(log: MemoryLog, database: Database) -> None:
    """Let one replica archive all that the log has."""
    async with working(archivists(log, database)):
        shelves = PostgresShelves(database)
        async with asyncio.timeout(PATIENCE_SECONDS):
            for stream, kind in KINDS.items():
                last = (await log.life(kind)).last
                while (await shelves.cursor(stream)).sequence < last:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)


@asynccontextmanager
async def working(workers: Sequence[Archivist]) -> AsyncIterator[None]:
    """Let them work, and kill them in the end."""
    running = [asyncio.create_task(worker.run()) for worker in workers]
    try:
        yield
    finally:
        for task in running:
            task.cancel()
        ended = await asyncio.gather(*running, return_exceptions=True)
        assert {type(one) for one in ended} == {asyncio.CancelledError}, ended
