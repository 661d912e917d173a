"""A log that is lost is filled from the second copy: the same commits at the same places."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import asyncpg
import pytest
from laelo.table.v1 import events_pb2
from laelo_archive.adapters.writing import PostgresShelves
from laelo_archive.archivist import Archivist
from laelo_common.log import (
    Aggregate,
    Connection,
    JetStreamClocks,
    JetStreamLives,
    JetStreamLog,
    Kind,
    NatsSettings,
    Recorded,
    connect,
    ensure_streams,
    read_pages,
)
from laelo_common.postgres import Database, second_copy
from laelo_common.testing.nats import NatsServer
from laelo_common.testing.waiting import until
from laelo_tools.errors import LaeloError
from laelo_tools.second_copy.restore import Restored, Restorer

from .conftest import Server
from .kit import START_MS, Histories, mixed, retold, some_histories
from .reading_kit import Rows, rows_in

pytestmark = pytest.mark.integration

DAY_MS = 86_400_000


@asynccontextmanager
async def connected(nats: NatsServer) -> AsyncIterator[Connection]:
    connection = await connect(NatsSettings((nats.url,), request_s=20))
    await ensure_streams(connection)
    try:
        yield connection
    finally:
        await connection.close()


@contextmanager
def another() -> Iterator[NatsServer]:
    """A server of which nothing is known."""
    with NatsServer() as server:
        yield server


async def fill(connection: Connection, streams: dict[str, list[Recorded]]) -> None:
    """Store all of it, as services would."""
    log = JetStreamLog(connection)
    last: dict[str, int] = {}
    for name, commits in streams.items():
        kind = next(kind for kind in Kind if kind.stream == name)
        for commit in commits:
            aggregate = Aggregate(kind, commit.subject.split(".")[-2])
            expected = last.get(commit.subject, 0)
            last[commit.subject] = await log.append(
                aggregate, commit.data, expected, f"{aggregate.id}:{commit.sequence}"
            )


async def archived(connection: Connection, database: Database) -> None:
    """Archive all that the log has."""
    log, lives = JetStreamLog(connection), JetStreamLives(connection)
    shelves = PostgresShelves(database)
    workers = [Archivist(kind, log, lives, shelves) for kind in Kind]
    running = [asyncio.create_task(worker.run()) for worker in workers]
    try:
        for kind, worker in zip(Kind, workers, strict=True):
            life = await lives.life(kind)
            await until(lambda: worker._cursor.sequence >= life.last or bool(worker.trouble))  # noqa: B023
            assert not worker.trouble
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def everything(connection: Connection) -> dict[str, list[tuple[int, str, bytes]]]:
    """What the log holds."""
    log, lives = JetStreamLog(connection), JetStreamLives(connection)
    found: dict[str, list[tuple[int, str, bytes]]] = {}
    for kind in Kind:
        life = await lives.life(kind)
        found[kind.stream] = [
            (one.sequence, one.subject, one.data)
            async for page in read_pages(log, kind, life.first - 1, life.last)
            for one in page
        ]
    return found


async def restored(connection: Connection, server: Server) -> list[Restored]:
    """Fill the log."""
    database = await asyncpg.connect(server.dsn)
    try:
        return await Restorer(connection, database).restore()
    finally:
        await database.close()


def a_house(seed: int, count: int = 4) -> tuple[Histories, dict[str, list[Recorded]]]:
    chance = random.Random(seed)
    histories = some_histories(chance, count)
    return histories, mixed(chance, histories)


async def told(database: Database) -> Rows:
    """The read models and the second copy, without the cursors."""
    rows = await rows_in(database)
    del rows["streams"]
    return rows


async def test_it_has_the_same_commits_at_the_same_places_and_goes_on(
    nats: NatsServer, server: Server, database: Database
) -> None:
    histories, streams = a_house(1)
    half = {name: commits[: len(commits) // 2] for name, commits in streams.items()}
    async with connected(nats) as connection:
        await fill(connection, half)
        await archived(connection, database)
        before = await everything(connection)
    rows = await told(database)
    with another() as anew:
        async with connected(anew) as connection:
            created = [(await JetStreamLives(connection).life(kind)).created for kind in Kind]
            for one in await restored(connection, server):
                assert (one.first, one.last, one.lost) == (1, *[len(half[one.kind.stream])] * 2)
                assert not one.was_there
            assert await everything(connection) == before
            assert await told(database) == rows
            for kind, made in zip(Kind, created, strict=True):
                place = await place_of(database, kind)
                assert (place.epoch, place.created) == (2, made)
            again = await restored(connection, server)
            assert all(one.was_there for one in again)
            await fill_on(connection, streams)
            await archived(connection, database)
            assert {len(commits) for commits in (await everything(connection)).values()} == {
                len(commits) for commits in streams.values()
            }
    found = await rows_in(database)
    assert not [row for row in found["aggregates"] if row[5]]
    assert len(found["aggregates"]) == len(histories)


async def place_of(database: Database, kind: Kind) -> second_copy.Place:
    async with database.connection() as connection:
        return await second_copy.place_of(connection, kind)


async def fill_on(connection: Connection, streams: dict[str, list[Recorded]]) -> None:
    """Store what is not there yet."""
    log = JetStreamLog(connection)
    for name, commits in streams.items():
        kind = next(kind for kind in Kind if kind.stream == name)
        for commit in commits[len(commits) // 2 :]:
            aggregate = Aggregate(kind, commit.subject.split(".")[-2])
            newest = await log.newest(aggregate)
            expected = newest.sequence if newest else 0
            await log.append(aggregate, commit.data, expected, f"{commit.sequence}")


async def test_killed_anywhere_it_goes_on_where_it_was(
    nats: NatsServer, server: Server, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laelo_common.log.refill.TOGETHER", 3)
    _, streams = a_house(2, 3)
    async with connected(nats) as connection:
        await fill(connection, streams)
        await archived(connection, database)
        before = await everything(connection)

    deaths = 0
    with another() as anew:
        async with connected(anew) as connection:
            for attempt in range(2000):
                task = asyncio.create_task(restored(connection, server))
                await asyncio.wait([task], timeout=attempt * 0.003)
                if task.done():
                    task.result()
                    break
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
                deaths += 1
            else:
                raise AssertionError("it never came to its end")
            assert deaths > 3
            assert await everything(connection) == before
        assert [(await place_of(database, kind)).epoch for kind in Kind] == [2, 2, 2]


async def test_what_was_seen_and_not_archived_is_lost_and_said_so(
    nats: NatsServer, server: Server, database: Database
) -> None:
    _, streams = a_house(4, 3)
    half = {name: commits[: len(commits) // 2] for name, commits in streams.items()}
    async with connected(nats) as connection:
        await fill(connection, half)
        await archived(connection, database)
        await fill_on(connection, streams)
        shelves = PostgresShelves(database)
        for kind in Kind:
            life = await JetStreamLives(connection).life(kind)
            cursor = await shelves.cursor(streams_of(kind))
            await shelves.note_seen(cursor, life.last)
            await shelves.note_seen(cursor, life.last - 1)
    with another() as anew:
        async with connected(anew) as connection:
            for one in await restored(connection, server):
                name = one.kind.stream
                assert (one.last, one.lost) == (len(half[name]), len(streams[name]))
                assert f"{name}: LOST: {one.last + 1}-{one.lost}, " in "\n".join(one.lines())
            async with database.connection() as link:
                await link.execute("CREATE TABLE tournament_cursor AS SELECT 9999 AS sequence")
            for one in await restored(connection, server):
                name = one.kind.stream
                ranked = 9999 if one.kind is Kind.CHAMPIONSHIP else 0
                assert (one.was_there, one.recorded) == (True, ranked)
                assert (one.last, one.lost) == (len(half[name]), max(len(streams[name]), ranked))
                assert f"{name}: LOST: {one.last + 1}-{one.lost}, " in "\n".join(one.lines())
    async with database.connection() as connection:
        rows = await connection.fetch("SELECT * FROM archive_epochs")
    assert {(row["stream"], row["sequence"], row["seen"]) for row in rows} == {
        (name, len(half[name]), len(streams[name])) for name in streams
    }


def streams_of(kind: Kind) -> Any:
    from laelo_archive.domain.project import Stream

    return Stream(kind.stream)


async def test_what_is_as_it_was_or_has_commits_of_its_own_is_left_alone(
    nats: NatsServer, server: Server, database: Database
) -> None:
    histories, streams = a_house(5, 2)
    async with connected(nats) as connection:
        await fill(connection, streams)
        await archived(connection, database)
        before = await everything(connection)
        assert all(one.was_there for one in await restored(connection, server))
        assert await everything(connection) == before
    with another() as anew:
        async with connected(anew) as connection:
            stranger = Aggregate(Kind.TABLE, "stranger")
            table = next(one for one in histories if one.kind is Kind.TABLE)
            (first, *_) = retold(histories[table][:1], stranger)
            await JetStreamLog(connection).append(stranger, first, 0, "x")
            with pytest.raises(LaeloError, match="commits of its own, up to 1;"):
                await restored(connection, server)
            assert len((await everything(connection))["TBL"]) == 1
    assert [(await place_of(database, kind)).epoch for kind in Kind] == [1, 1, 1]


async def test_older_commits_stay_away_and_the_others_keep_their_places(
    nats: NatsServer, server: Server, database: Database
) -> None:
    _, streams = a_house(6, 3)
    async with connected(nats) as connection:
        await fill(connection, streams)
        await archived(connection, database)
        before = await everything(connection)
    old = len(streams["TBL"]) // 3
    async with database.connection() as link:
        await link.execute(
            "UPDATE archive_commits SET stored_ms = stored_ms - $1"
            " WHERE stream = 'TRN' OR stream = 'TBL' AND sequence <= $2",
            31 * DAY_MS,
            old,
        )
    with another() as anew:
        async with connected(anew) as connection:
            first, second, _ = await restored(connection, server)
            assert (first.first, first.last) == (old + 1, len(streams["TBL"]))
            assert (second.first, second.last) == (len(streams["TRN"]) + 1, len(streams["TRN"]))
            found = await everything(connection)
            assert found["TBL"] == before["TBL"][old:]
            assert (found["TRN"], found["MMQ"]) == ([], before["MMQ"])
            await ensure_streams(connection)
            newest = await JetStreamLives(connection).life(Kind.CHAMPIONSHIP)
            assert newest.last == len(streams["TRN"])


async def test_snapshots_are_dropped_and_open_tables_have_codes_and_clocks(
    nats: NatsServer, server: Server, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_ms = START_MS + 1000
    open_table, closed = Aggregate(Kind.TABLE, "open"), Aggregate(Kind.TABLE, "closed")
    opened = events_pb2.Event(opened=events_pb2.TableOpened(code="ABC234"))
    shut = events_pb2.Event(table_closed=events_pb2.TableClosed(closing=events_pb2.CLOSING_HOST))
    histories = {}
    for aggregate, events in ((open_table, [opened]), (closed, [opened, shut])):
        commit = events_pb2.Commit(events=events)
        commit.head.version = commit.head.turn = 1
        commit.head.deadline_ms = now_ms - 10
        histories[aggregate] = retold([commit.SerializeToString()], aggregate)
    async with connected(nats) as connection:
        await fill(connection, mixed(random.Random(1), histories))
        await archived(connection, database)
    monkeypatch.setattr("laelo_tools.second_copy.open_tables.FIRST_LOOK_MS", 700)
    due = []
    with another() as anew:
        async with connected(anew) as connection:
            log = JetStreamLog(connection)
            log.snapshot(open_table, b"of before", 9)
            await until(lambda: not connection.inbox._waiting)
            await restored(connection, server)
            loaded = await log.load(open_table)
            assert loaded.snapshot is None
            assert [one.data for one in loaded.commits] == histories[open_table]
            assert await log.claimed("ABC234") == b"open"

            async def on_due(one: Any) -> None:
                due.append((one.table, one.turn))

            calls = await JetStreamClocks(connection).due(on_due)
            await until(lambda: len(due) >= 2)
            await calls.close()
    assert sorted(due) == [("open", 1), ("open", (1 << 40) + 1)]
