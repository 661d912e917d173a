"""Where histories are read: the log of a platform that runs, or the store of one that doesn't."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from laelo_common.log import (
    Aggregate,
    JetStreamLog,
    Kind,
    LogError,
    NatsSettings,
    Recorded,
    Snapshot,
    connect,
)

from laelo_tools.embedded import Nats
from laelo_tools.errors import LaeloError
from laelo_tools.state import find_running
from laelo_tools.stopped import server_on_store
from laelo_tools.streams import servers_of

_CONNECT_SECONDS = 5.0
_READ_SECONDS = 300.0


class Histories:
    """Reads the tables and championships of one log."""

    def __init__(self, log: JetStreamLog) -> None:
        self._log = log

    async def of(self, table: str) -> tuple[list[Recorded], Snapshot | None]:
        """All commits of a table and its snapshot. Raises LaeloError for what is no table id."""
        aggregate = _aggregate(Kind.TABLE, table, "table")
        loaded = await self._log.load(aggregate)
        if loaded.snapshot is None:
            return loaded.commits, None
        return await self._log.tail(aggregate, 0), loaded.snapshot

    async def championship(self, name: str) -> list[Recorded]:
        """All commits of a championship. Raises LaeloError for what is no id of one."""
        return await self._log.tail(_aggregate(Kind.CHAMPIONSHIP, name, "championship"), 0)

    async def all(self, kind: Kind = Kind.TABLE) -> dict[str, list[Recorded]]:
        """The commits of all tables, or championships, by id, in the order of the first ones.
        Raises LaeloError for a log that is not read in time.
        """
        found: dict[str, list[Recorded]] = defaultdict(list)

        def keep(record: Recorded) -> None:
            found[record.subject.split(".")[-2]].append(record)

        following = await self._log.follow(kind, 0, keep)
        try:
            async with asyncio.timeout(_READ_SECONDS):
                await following.caught_up()
        except TimeoutError as error:
            raise LaeloError(
                f"The log was not read to its end in {_READ_SECONDS:g} s: name tables, or have the"
                " second copy checked, `laelo log replay --check`."
            ) from error
        finally:
            await following.close()
        return dict(found)

    async def snapshot(self, table: str) -> Snapshot | None:
        """The snapshot of a table."""
        return (await self._log.load(Aggregate(Kind.TABLE, table))).snapshot


def _aggregate(kind: Kind, name: str, what: str) -> Aggregate:
    try:
        return Aggregate(kind, name)
    except ValueError as error:
        raise LaeloError(f"{name!r} is no id of a {what}.") from error


@asynccontextmanager
async def histories(nats_url: str | None = None) -> AsyncIterator[Histories]:
    """The log at an address, of this checkout's platform, or of its store while it is stopped.

    Raises LaeloError when there is none.
    """
    if nats_url is not None:
        async with _histories_at(nats_url) as found:
            yield found
        return
    try:
        running = find_running()
    except LaeloError:
        async with server_on_store("nats", Nats) as nats, _histories_at(nats.url) as found:
            yield found
    else:
        async with _histories_at(running.nats_url) as found:
            yield found


@asynccontextmanager
async def _histories_at(url: str) -> AsyncIterator[Histories]:
    settings = NatsSettings(
        servers=servers_of(url),
        name="laelo-log",
        inbox_prefix="_INBOX.deploy",
        connect_s=_CONNECT_SECONDS,
    )
    try:
        connection = await connect(settings)
    except LogError as error:
        raise LaeloError(f"The log is out of reach: {error}.") from error
    try:
        yield Histories(JetStreamLog(connection))
    except LogError as error:
        raise LaeloError(f"The log does not answer: {error}.") from error
    finally:
        await connection.close()
