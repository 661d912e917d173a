"""The service as it is run, over real NATS and PostgreSQL, all of which are restarted."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
import pytest
from laelo.archive.v1 import archive_pb2, archive_pb2_grpc
from laelo_common.errors import Code
from laelo_common.ids import new_id
from laelo_common.log import (
    Aggregate,
    Connection,
    JetStreamLog,
    NatsSettings,
    connect,
    ensure_streams,
)
from laelo_common.postgres import Database
from laelo_common.status import error_of
from laelo_common.testing.nats import NatsServer

from .conftest import Server
from .kit import Histories, an_id, some_histories
from .reading_kit import rows_in

pytestmark = pytest.mark.integration

PATIENCE_SECONDS = 60


class Process:
    """A replica as a process of its own."""

    def __init__(self, folder: Path, nats: NatsServer, server: Server) -> None:
        self._ready = folder / f"{new_id()}.json"
        own = {
            "LAELO_ARCHIVE_NATS_URL": nats.url,
            "LAELO_ARCHIVE_PG_DSN": server.dsn,
            "LAELO_ARCHIVE_READY_FILE": str(self._ready),
        }
        self.output = folder / f"{new_id()}.log"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "laelo_archive.main"],
                env={**os.environ, **own},
                stderr=output,
            )

    async def ports(self) -> dict[str, int]:
        """Where it listens, once it answers."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self._ready.exists():
                assert self.process.poll() is None, self.output.read_text()
                await asyncio.sleep(0.02)
        ports: dict[str, int] = json.loads(self._ready.read_text())
        return ports

    async def page(self, name: str) -> tuple[int, str]:
        """A page of the probes: status and text."""
        url = f"http://127.0.0.1:{(await self.ports())['http_port']}/{name}"

        def read() -> tuple[int, str]:
            try:
                with urllib.request.urlopen(url) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read().decode()

        return await asyncio.to_thread(read)

    async def until_page(self, name: str, *wanted: str) -> None:
        """Wait until a page says all of it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                _, text = await self.page(name)
                if all(one in text for one in wanted):
                    return
                assert self.process.poll() is None, self.output.read_text()
                await asyncio.sleep(0.05)

    def stop(self) -> int:
        """End it in an orderly way; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(15)

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()


@asynccontextmanager
async def connected(nats: NatsServer) -> AsyncIterator[Connection]:
    connection = await connect(NatsSettings((nats.url,)))
    await ensure_streams(connection)
    try:
        yield connection
    finally:
        await connection.close()


async def append(connection: Connection, histories: Histories, parts: slice) -> None:
    """Store a part of every history."""
    log = JetStreamLog(connection)
    for aggregate, stored in histories.items():
        await append_one(log, aggregate, stored, parts)


async def append_one(
    log: JetStreamLog, aggregate: Aggregate, stored: list[bytes], parts: slice
) -> None:
    newest = await log.newest(aggregate)
    last = newest.sequence if newest else 0
    for number in range(len(stored))[parts]:
        last = await log.append(aggregate, stored[number], last, f"{aggregate.id}:{number}")


async def until_archived(database: Database, histories: Histories, parts: slice) -> None:
    """Wait until so much of every history is archived."""
    wanted = sum(len(range(len(stored))[parts]) for stored in histories.values())
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            async with database.connection() as connection:
                found = await connection.fetchval("SELECT count(*) FROM archive_commits")
            assert found <= wanted
            if found == wanted:
                return
            await asyncio.sleep(0.05)


async def test_restarts_of_everything_lose_nothing(
    tmp_path: Path, nats: NatsServer, server: Server
) -> None:
    histories = some_histories(random.Random(1), 3)
    quarters = [slice(number * 40, number * 40 + 40) for number in range(3)]
    quarters.append(slice(120, None))
    one, other = Process(tmp_path, nats, server), Process(tmp_path, nats, server)
    try:
        async with server.database() as database:
            async with connected(nats) as connection:
                await append(connection, histories, quarters[0])
            await asyncio.gather(one.ports(), other.ports())
            await until_archived(database, histories, slice(40))
            one.kill()
            async with connected(nats) as connection:
                await append(connection, histories, quarters[1])
            await until_archived(database, histories, slice(80))
            nats.restart(kill=True)
            async with connected(nats) as connection:
                await append(connection, histories, quarters[2])
            await until_archived(database, histories, slice(120))
        await server.stop()
        async with connected(nats) as connection:
            await append(connection, histories, quarters[3])
        await other.until_page("readyz", "PostgreSQL is out of reach")
        await server.start()
        async with server.database() as database:
            await until_archived(database, histories, slice(None))
            rows = await rows_in(database)
        assert not [row for row in rows["aggregates"] if row[5]]
        assert len(rows["aggregates"]) == len(histories)
        assert all(row[1] == 1 and row[2] for row in rows["streams"])
        await other.until_page("readyz", "ready")
        await other.until_page("metrics", 'laelo_archive_behind{stream="TBL"} 0')
        assert other.stop() == 0
    finally:
        for process in (one, other):
            process.kill()


def rebuilt(dsn: str) -> "subprocess.CompletedProcess[str]":
    """What the program that makes the read models anew says."""
    own = {**os.environ, "LAELO_ARCHIVE_PG_DSN": dsn}
    argv = [sys.executable, "-m", "laelo_archive.rebuild"]
    return subprocess.run(argv, env=own, capture_output=True, text=True, check=False)


async def test_it_is_asked_over_grpc(tmp_path: Path, nats: NatsServer, server: Server) -> None:
    histories = some_histories(random.Random(2), 2)
    process = Process(tmp_path, nats, server)
    try:
        async with connected(nats) as connection, server.database() as database:
            await append(connection, histories, slice(None))
            await until_archived(database, histories, slice(None))
            before = await rows_in(database)
            async with database.connection() as other:
                await other.execute("DELETE FROM archive_hands")
            done = await asyncio.to_thread(rebuilt, server.dsn)
            assert (done.returncode, done.stdout) == (
                0, f"made anew from {len(before['commits'])} commits\n",
            )  # fmt: skip
            assert await rows_in(database) == before
        address = f"127.0.0.1:{(await process.ports())['port']}"
        async with grpc.aio.insecure_channel(address) as channel:
            stub = archive_pb2_grpc.ArchiveServiceStub(channel)
            table = an_id(90)
            whole = await stub.Replay(archive_pb2.ReplayRequest(table=table, match=1))
            assert whole.hands
            assert whole.championship == an_id(1, "C")
            history = await stub.History(archive_pb2.HistoryRequest(player="player-01"))
            assert {row.championship for row in history.rows} == {an_id(1, "C")}
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await stub.Replay(archive_pb2.ReplayRequest(table="nothing", match=1))
            assert error_of(failed.value).code is Code.UNKNOWN_MATCH
            await server.stop()
            with pytest.raises(grpc.aio.AioRpcError) as failed:
                await stub.Replay(archive_pb2.ReplayRequest(table=table, match=1))
            assert error_of(failed.value).code is Code.TRY_LATER
        done = await asyncio.to_thread(rebuilt, server.dsn)
        assert (done.returncode, done.stdout) == (1, "")
        assert "nothing is changed" in done.stderr
        assert process.stop() == 0
    finally:
        process.kill()
