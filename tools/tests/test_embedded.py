"""PostgreSQL and NATS for real: first start, data that stays, broken folders, ways to run."""

import os
import re
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import asyncpg
import nats
import pytest
from laelo_tools.embedded import Nats, Postgres, privileges
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.errors import LaeloError
from laelo_tools.ports import Ports
from laelo_tools.supervisor import Supervisor
from nats.js.api import StreamConfig

pytestmark = pytest.mark.integration


@pytest.fixture
def ports() -> Iterator[Ports]:
    pool = Ports()
    yield pool
    pool.release()


@pytest.fixture
async def supervisor() -> AsyncIterator[Supervisor]:
    running = Supervisor()
    yield running
    await running.stop()


async def ask(postgres: Postgres, query: str) -> object:
    connection = await asyncpg.connect(postgres.dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


WAYS: list[Callable[[], privileges.Privileges]] = [privileges.plain]
if os.geteuid() == 0:
    WAYS = [privileges.setuid]
    if privileges.namespaces_work():
        WAYS.append(privileges.namespace)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_postgres_keeps_its_data(way, tmp_path: Path, ports: Ports, request) -> None:
    data = tmp_path / "postgres"
    request.addfinalizer(lambda: remove_data(data))
    for expected in (None, 7):
        postgres = Postgres(data, ports.free(), durable=False, rights=way())
        supervisor = Supervisor()
        try:
            await supervisor.start(postgres.prepare())
            if expected is None:
                await ask(postgres, "CREATE TABLE kept AS SELECT 7 AS n")
            assert await ask(postgres, "SELECT n FROM kept") == 7
            assert await supervisor.child("postgres").stop() == 0
        finally:
            await supervisor.stop()


async def test_the_servers_data_opens_no_folder_to_others(tmp_path: Path, ports: Ports) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    supervisor = Supervisor()
    postgres = Postgres(closed / "postgres", ports.free(), durable=False)
    try:
        await supervisor.start(postgres.prepare())
        assert await ask(postgres, "SHOW server_encoding") == "UTF8"
    finally:
        await supervisor.stop()
    assert closed.stat().st_mode & 0o777 == 0o700


async def test_a_durable_server_syncs(tmp_path: Path, ports: Ports, supervisor: Supervisor) -> None:
    postgres = Postgres(tmp_path / "postgres", ports.free())
    await supervisor.start(postgres.prepare())
    assert await ask(postgres, "SHOW fsync") == "on"
    assert await ask(postgres, "SHOW listen_addresses") == "127.0.0.1"


@pytest.mark.parametrize("content", ["", "16\n", "nonsense\n"])
def test_data_of_another_version_is_refused_and_kept(content: str, tmp_path: Path) -> None:
    data = tmp_path / "postgres"
    data.mkdir()
    (data / "PG_VERSION").write_text(content)
    with pytest.raises(LaeloError, match=r"is of version .*make clean-data"):
        Postgres(data, 1).prepare()
    assert (data / "PG_VERSION").read_text() == content


def test_a_folder_that_is_no_data_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    with pytest.raises(LaeloError, match=r"is broken .*make clean-data"):
        Postgres(tmp_path / "postgres", 1).prepare()


async def test_damage_that_only_the_server_notices(
    tmp_path: Path, ports: Ports, supervisor: Supervisor
) -> None:
    postgres = Postgres(tmp_path / "postgres", ports.free(), durable=False)
    program = postgres.prepare()
    (tmp_path / "postgres" / "global" / "pg_control").write_bytes(b"damaged")
    with pytest.raises(LaeloError, match=r"(?s)postgres did not start.*pg_control"):
        await supervisor.start(program)


async def test_an_interrupted_first_start_is_begun_anew(
    tmp_path: Path, ports: Ports, supervisor: Supervisor
) -> None:
    half = tmp_path / "postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    await supervisor.start(Postgres(tmp_path / "postgres", ports.free(), durable=False).prepare())
    assert not half.exists()


def test_a_chosen_folder_without_a_server_is_named(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LAELO_PG_BIN", str(tmp_path))
    with pytest.raises(LaeloError, match="LAELO_PG_BIN"):
        Postgres(tmp_path / "postgres", 1).prepare()


async def stored(server: Nats, publish: int = 0) -> int:
    connection = await nats.connect(server.url)
    try:
        stream = connection.jetstream()
        if publish:
            await stream.add_stream(StreamConfig(name="TBL", subjects=["tbl.>"]))
            for _ in range(publish):
                await stream.publish("tbl.x", b"commit")
        return int((await stream.stream_info("TBL")).state.messages)
    finally:
        await connection.close()


async def test_nats_keeps_its_streams_over_a_kill(
    tmp_path: Path, ports: Ports, supervisor: Supervisor
) -> None:
    server = Nats(tmp_path / "nats", ports.free())
    await supervisor.start(server.prepare())
    assert await stored(server, publish=50) == 50
    await supervisor.child("nats").kill()
    await supervisor.restart("nats")
    assert await stored(server) == 50
    assert await supervisor.child("nats").stop() == 0


@pytest.mark.parametrize(("sync", "expected"), [("always", True), ("default", False)])
def test_the_sync_is_written_down(sync, expected: bool, tmp_path: Path) -> None:
    Nats(tmp_path / "nats", 4222, sync=sync).prepare()
    assert ("sync_interval: always" in (tmp_path / "nats.conf").read_text()) is expected


@pytest.mark.parametrize(("said", "threads"), [(None, "1"), ("4", "4")])
def test_nats_has_one_thread_unless_the_environment_says_more(
    said: str | None, threads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOMAXPROCS", raising=False)
    if said is not None:
        monkeypatch.setenv("GOMAXPROCS", said)
    assert Nats(tmp_path / "nats", 4222).prepare().env == {"GOMAXPROCS": threads}


@pytest.mark.parametrize("damaged", ["meta.inf", "meta.sum"])
async def test_a_stream_that_nats_leaves_out_is_noticed(
    damaged: str, tmp_path: Path, ports: Ports
) -> None:
    server = Nats(tmp_path / "nats", ports.free())
    first, second = Supervisor(), Supervisor()
    try:
        await first.start(server.prepare())
        await stored(server, publish=3)
        await first.stop()
        (victim,) = (tmp_path / "nats").rglob(damaged)
        victim.write_text("damaged")
        with pytest.raises(LaeloError, match=re.escape(str(tmp_path / "nats")) + " is broken"):
            await second.start(server.prepare())
        assert victim.read_text() == "damaged"
    finally:
        await first.stop()
        await second.stop()


def test_a_store_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "nats").write_text("not a folder")
    with pytest.raises(LaeloError, match=r"is broken .*make clean-data"):
        Nats(tmp_path / "nats", 4222).prepare()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_store_that_cant_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "nats").mkdir(mode=0o500)
    with pytest.raises(LaeloError, match="can't be read and written"):
        Nats(tmp_path / "nats", 4222).prepare()
