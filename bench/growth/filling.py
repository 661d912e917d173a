"""A log in which much has been played already."""

import asyncio
import statistics
import time
from itertools import cycle
from typing import Final

from laelo_common.ids import new_id
from laelo_common.log import (
    Aggregate,
    Connection,
    JetStreamLog,
    Kind,
    NatsSettings,
    connect,
)
from laelo_tools.history.source import histories
from laelo_tools.streams import servers_of

TOGETHER: Final = 256
PLAYED: Final = 170
"""Commits of a table on which one match was played, as most are."""

LOADED: Final = 100
"""So many of the old tables are loaded, cold, to see what that takes."""


async def fill(nats_url: str, commits: int) -> list[str]:
    """Store commits of matches that were played here under the ids of other tables, until there
    are so many more; some of these tables.
    """
    async with histories(nats_url) as source:
        stored = (await source.all()).values()
    played = [[one.data for one in records[:PLAYED]] for records in stored]
    connection = await connect(NatsSettings(servers_of(nats_url), name="laelo-bench"))
    tables: list[str] = []
    try:
        for match in cycle(played):
            if commits <= 0:
                break
            tables.append(new_id())
            await _store(connection, tables[-1], match[:commits])
            commits -= len(match)
    finally:
        await connection.close()
    return tables[:: max(1, len(tables) // LOADED)][:LOADED]


async def _store(connection: Connection, table: str, commits: list[bytes]) -> None:
    subject = Aggregate(Kind.TABLE, table).subject.encode()
    for start in range(0, len(commits), TOGETHER):
        part = commits[start : start + TOGETHER]
        await asyncio.gather(*(connection.inbox.ask(subject, data, b"") for data in part))


async def bytes_a_commit(nats_url: str) -> float:
    """What a commit takes in the log's store."""
    connection = await connect(NatsSettings(servers_of(nats_url), name="laelo-bench"))
    try:
        state = (await connection.wire.jetstream().stream_info(Kind.TABLE.stream)).state
    finally:
        await connection.close()
    return round(state.bytes / state.messages, 1)


async def load_ms(nats_url: str, tables: list[str]) -> dict[str, float]:
    """What it takes to read a table's whole history, one after the other: milliseconds."""
    connection = await connect(NatsSettings(servers_of(nats_url), name="laelo-bench"))
    found, commits = [], 0
    try:
        log = JetStreamLog(connection)
        for table in tables:
            began = time.perf_counter()
            commits += len((await log.load(Aggregate(Kind.TABLE, table))).commits)
            found.append((time.perf_counter() - began) * 1000)
    finally:
        await connection.close()
    found.sort()
    return {
        "tables": len(found),
        "commits_a_table": round(commits / len(found), 1),
        "p50_ms": round(statistics.median(found), 2),
        "p99_ms": round(found[int(len(found) * 0.99)], 2),
    }
