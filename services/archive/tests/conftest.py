"""A PostgreSQL and a nats-server for the tests that want real ones."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from laelo_archive.migrate import MIGRATIONS
from laelo_common.postgres import Database
from laelo_common.testing.nats import NatsServer
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Supervisor


class Server:
    """A PostgreSQL that can be stopped and started."""

    def __init__(self, data: Path, port: int) -> None:
        self._postgres = Postgres(data, port, durable=False)
        self._supervisor = Supervisor(OnExit.LEAVE)
        self.dsn = self._postgres.dsn

    async def start(self) -> None:
        """Start it; returns when it answers."""
        await self._supervisor.start(self._postgres.prepare())

    async def stop(self) -> None:
        """Stop it, whoever is connected."""
        await self._supervisor.stop()
        self._supervisor = Supervisor(OnExit.LEAVE)

    @asynccontextmanager
    async def database(self) -> AsyncIterator[Database]:
        """A pool of connections to a migrated database."""
        database = Database(self.dsn, MIGRATIONS)
        try:
            await database.reach()
            yield database
        finally:
            await database.close()


@asynccontextmanager
async def a_server(folder: Path) -> AsyncIterator[Server]:
    """A PostgreSQL that runs, and of which nothing stays behind."""
    ports = Ports()
    server = Server(folder / "postgres", ports.free())
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
        ports.release()
        remove_data(folder / "postgres")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    """A PostgreSQL that runs."""
    async with a_server(tmp_path) as running:
        yield running


@pytest.fixture
async def database(server: Server) -> AsyncIterator[Database]:
    """A migrated database of its own."""
    async with server.database() as made:
        yield made


@pytest.fixture
def nats() -> Iterator[NatsServer]:
    """A nats-server of its own."""
    with NatsServer() as running:
        yield running
