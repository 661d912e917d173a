"""The log of a run, read once, and what follows from it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from laelo.matchmaking.v1 import events_pb2 as queue_pb2
from laelo.table.v1 import events_pb2
from laelo_common.log import Kind, Recorded
from laelo_table.domain.evolve import evolve
from laelo_table.domain.state import NO_TABLE, Table
from laelo_tools.errors import LaeloError
from laelo_tools.history.source import histories

R = TypeVar("R")
TRIES: Final = 20


class TableLog:
    """The commits of a table; `states[v]` is how it was after version `v`."""

    def __init__(self, table: str, records: list[Recorded]) -> None:
        self.id = table
        self.records = records

    @cached_property
    def commits(self) -> list[events_pb2.Commit]:
        """What is stored, read."""
        return [events_pb2.Commit.FromString(record.data) for record in self.records]

    @cached_property
    def states(self) -> list[Table]:
        """The fold of the log, version by version, from nothing."""
        states = [NO_TABLE]
        for commit in self.commits:
            states.append(evolve(states[-1], commit))
        return states

    @property
    def last(self) -> Table:
        """How the table is."""
        return self.states[-1]


class Log(NamedTuple):
    """All that was stored."""

    tables: dict[str, TableLog]
    championships: dict[str, list[Recorded]]
    queue: list[queue_pb2.Commit]


def log_of(
    tables: dict[str, list[Recorded]],
    championships: dict[str, list[Recorded]] | None = None,
    queues: dict[str, list[Recorded]] | None = None,
) -> Log:
    """Put together what was read."""
    joined = [record for records in (queues or {}).values() for record in records]
    return Log(
        {name: TableLog(name, records) for name, records in tables.items()},
        championships or {},
        [queue_pb2.Commit.FromString(record.data) for record in joined],
    )


async def patiently(read: Callable[[], Awaitable[R]]) -> R:
    """Read, again if need be: a log whose servers have just come back may not answer at once."""
    for _ in range(TRIES - 1):
        with suppress(LaeloError):
            return await read()
        await asyncio.sleep(1.0)
    return await read()


async def read_log(nats_url: str) -> Log:
    """Read all of it."""
    async with histories(nats_url) as log:
        return log_of(
            await log.all(Kind.TABLE),
            await log.all(Kind.CHAMPIONSHIP),
            await log.all(Kind.QUEUE),
        )
