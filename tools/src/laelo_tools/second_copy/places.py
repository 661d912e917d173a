"""Where log and database are: given, those of the platform that runs, or of one that is stopped."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import asyncpg
from laelo_common.log import Connection, LogError, NatsSettings, connect

from laelo_tools.embedded import Nats, Postgres
from laelo_tools.errors import LaeloError
from laelo_tools.ports import Ports
from laelo_tools.state import StateFolder, find_running, folders
from laelo_tools.streams import servers_of
from laelo_tools.supervisor import OnExit, Supervisor

CONNECT_SECONDS = 5.0
REQUEST_SECONDS = 20.0
"""Much is asked at once here, and each commit is synced."""


Database = Any
"""A connection to the database, of asyncpg."""


class Places(NamedTuple):
    """Where log, archive and ranking are; the last two may be in one database."""

    nats_url: str
    pg_dsn: str
    ranking_dsn: str


@asynccontextmanager
async def places(
    nats_url: str | None = None, pg_dsn: str | None = None, ranking_dsn: str | None = None
) -> AsyncIterator[Places]:
    """All places; what is not given is this checkout's, started for as long as it is needed if
    no platform runs. The ranking is where the archive is if nothing else is said.
    Raises LaeloError.
    """
    if nats_url is not None and pg_dsn is not None:
        yield Places(nats_url, pg_dsn, ranking_dsn or pg_dsn)
        return
    try:
        running = find_running()
    except LaeloError:
        async with on_state(StateFolder(folders()[0])) as own:
            dsn = pg_dsn or own.pg_dsn
            yield Places(nats_url or own.nats_url, dsn, ranking_dsn or dsn)
    else:
        dsn = pg_dsn or running.pg_dsn
        yield Places(nats_url or running.nats_url, dsn, ranking_dsn or dsn)


@asynccontextmanager
async def on_state(folder: StateFolder) -> AsyncIterator[Places]:
    """Servers on the data of a platform that is stopped. Its log may be gone. Raises LaeloError."""
    if not (folder.path / "postgres").exists():
        raise LaeloError("Nothing runs in this checkout, and nothing was archived: `make run`.")
    if not folder.acquire():
        raise LaeloError("The platform of this checkout is starting: try again in a moment.")
    ports, supervisor = Ports(), Supervisor(OnExit.LEAVE)
    nats = Nats(folder.path / "nats", ports.free())
    postgres = Postgres(folder.path / "postgres", ports.free())
    try:
        programs = [await asyncio.to_thread(server.prepare) for server in (nats, postgres)]
        await supervisor.start(*programs)
        yield Places(nats.url, postgres.dsn, postgres.dsn)
    finally:
        await supervisor.stop()
        ports.release()
        folder.release()


@asynccontextmanager
async def database_at(dsn: str) -> AsyncIterator[Database]:
    """A connection to the database. Raises LaeloError, also for what goes wrong inside."""
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise LaeloError(f"The database with the second copy is out of reach: {error}.") from error
    try:
        yield connection
    except asyncpg.UndefinedTableError as error:
        raise LaeloError(
            "This database has no second copy: the archive never ran on it."
        ) from error
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise LaeloError(f"The database does not answer: {error}.") from error
    finally:
        await connection.close(timeout=CONNECT_SECONDS)


@asynccontextmanager
async def log_at(url: str) -> AsyncIterator[Connection]:
    """A connection to the log. Raises LaeloError, also for what goes wrong inside."""
    settings = NatsSettings(
        servers=servers_of(url),
        name="laelo-restore",
        inbox_prefix="_INBOX.restore",
        connect_s=CONNECT_SECONDS,
        request_s=REQUEST_SECONDS,
    )
    try:
        connection = await connect(settings)
    except LogError as error:
        raise LaeloError(f"The log is out of reach: {error}.") from error
    try:
        yield connection
    except LogError as error:
        raise LaeloError(f"The log does not do what is asked: {error}.") from error
    finally:
        await connection.close()
