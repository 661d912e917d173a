"""The whole house as tests use it, with stand-ins for the services."""

import json
import sys
from pathlib import Path

import asyncpg
import pytest
from laelo_tools.errors import LaeloError
from laelo_tools.history.source import histories
from laelo_tools.platform import SERVICES, Options, Platform
from laelo_tools.roles import console_dsn
from laelo_tools.state import StateFolder, find_running

pytestmark = pytest.mark.integration

# Writes what it was started with before it becomes the stand-in.
TELL = """
import json, os
settings = {k: v for k, v in os.environ.items() if k.startswith("LAELO_")}
print(json.dumps(settings), flush=True)
"""


def options(stand_ins: Path, **more: object) -> Options:
    environment = {service: {"PYTHONPATH": str(stand_ins)} for service in SERVICES}
    return Options(port=0, env=environment, **more)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAELO_PG_DSN", raising=False)


def scan(folder: Path) -> list[Path]:
    return list(folder.glob("laelo-*"))


def told(platform: Platform, name: str) -> dict[str, str]:
    settings: dict[str, str] = json.loads(platform.output(name)[0])
    return settings


async def test_parts_are_told_where_the_others_are(stand_ins: Path) -> None:
    for service in ("table", "gateway"):
        main = stand_ins / f"laelo_{service}" / "main.py"
        main.write_text(TELL + main.read_text())
    wanted = options(stand_ins, rules=3, gateways=2, pause_ms=0, bot_delay_ms="5-20")
    async with Platform(wanted) as platform:
        where = platform.addresses
        table = told(platform, "table-2")
        assert table["LAELO_TABLE_NATS_URL"] == platform.nats_url
        assert table["LAELO_TABLE_RULES_ADDRESSES"].split(",") == [
            where["rules-1"], where["rules-2"], where["rules-3"],
        ]  # fmt: skip
        assert table["LAELO_TABLE_BOTS_ADDRESSES"] == where["bots-1"]
        assert table["LAELO_TABLE_PAUSE_MS"] == "0"
        assert table["LAELO_TABLE_BOT_DELAY_MS"] == "5-20"
        assert table["LAELO_TABLE_PORT"] == where["table-2"].split(":")[1]
        gateway = told(platform, "gateway-2")
        assert gateway["LAELO_GATEWAY_TABLE_ADDRESSES"].split(",") == [
            where["table-1"], where["table-2"],
        ]  # fmt: skip
        assert gateway["LAELO_GATEWAY_PG_DSN"] == platform.pg_dsn
        assert gateway["LAELO_GATEWAY_HTTP_PORT"] == where["gateway-2"].split(":")[1]
        assert platform.url == "http://" + where["gateway-1"]


async def test_the_console_comes_as_a_role_of_its_own(stand_ins: Path) -> None:
    main = stand_ins / "laelo_gateway" / "console" / "main.py"
    main.write_text(TELL + main.read_text())
    async with Platform(options(stand_ins, consoles=1, archives=1)) as platform:
        console = told(platform, "console-1")
        where = platform.addresses
        assert console["LAELO_CONSOLE_HTTP_PORT"] == where["console-1"].split(":")[1]
        assert console["LAELO_CONSOLE_ARCHIVE_ADDRESSES"] == where["archive-1"]
        assert console["LAELO_CONSOLE_HTTP_PORT"] not in (where["gateway-1"], platform.url)
        connection = await asyncpg.connect(console["LAELO_CONSOLE_PG_DSN"])
        assert await connection.fetchval("SELECT user") == "console"
        assert not await connection.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = user")
        await connection.close()
        assert await console_dsn(platform.pg_dsn) == console["LAELO_CONSOLE_PG_DSN"]
        assert await console_dsn("postgresql://a:secret@db/x") == "postgresql://a:secret@db/x"


async def test_championships_know_each_other(stand_ins: Path) -> None:
    for service in ("tournament", "matchmaking", "gateway"):
        main = stand_ins / f"laelo_{service}" / "main.py"
        main.write_text(TELL + main.read_text())
    wanted = options(stand_ins, tournaments=2, matchmaking=2, clock_scale=0.5)
    async with Platform(wanted) as platform:
        where = platform.addresses
        both = [where["tournament-1"], where["tournament-2"]]
        tournament = told(platform, "tournament-2")
        assert tournament["LAELO_TOURNAMENT_TABLE_ADDRESSES"].split(",") == [
            where["table-1"], where["table-2"],
        ]  # fmt: skip
        assert tournament["LAELO_TOURNAMENT_PG_DSN"] == platform.pg_dsn
        assert tournament["LAELO_TOURNAMENT_CLOCK_SCALE"] == "0.5"
        assert tournament["LAELO_TOURNAMENT_LOCAL"] == "true"
        matchmaking = told(platform, "matchmaking-1")
        assert matchmaking["LAELO_MATCHMAKING_TOURNAMENT_ADDRESSES"].split(",") == both
        assert matchmaking["LAELO_MATCHMAKING_NATS_URL"] == platform.nats_url
        gateway = told(platform, "gateway-1")
        assert gateway["LAELO_GATEWAY_TOURNAMENT_ADDRESSES"].split(",") == both
        assert gateway["LAELO_GATEWAY_MATCHMAKING_ADDRESSES"].split(",") == [
            where["matchmaking-1"], where["matchmaking-2"],
        ]  # fmt: skip


async def test_the_archive_knows_the_log_and_the_gateway_knows_the_archive(
    stand_ins: Path,
) -> None:
    for service in ("archive", "gateway"):
        main = stand_ins / f"laelo_{service}" / "main.py"
        main.write_text(TELL + main.read_text())
    async with Platform(options(stand_ins, archives=2)) as platform:
        archive = told(platform, "archive-1")
        assert archive["LAELO_ARCHIVE_NATS_URL"] == platform.nats_url
        assert archive["LAELO_ARCHIVE_PG_DSN"] == platform.pg_dsn
        where = [platform.addresses["archive-1"], platform.addresses["archive-2"]]
        gateway = told(platform, "gateway-1")
        assert gateway["LAELO_GATEWAY_ARCHIVE_ADDRESSES"].split(",") == where


async def test_without_an_archive_the_gateway_is_told_of_none(stand_ins: Path) -> None:
    main = stand_ins / "laelo_gateway" / "main.py"
    main.write_text(TELL + main.read_text())
    async with Platform(options(stand_ins)) as platform:
        assert "LAELO_GATEWAY_ARCHIVE_ADDRESSES" not in told(platform, "gateway-1")


async def test_a_part_is_killed_and_comes_back_in_its_old_place(stand_ins: Path) -> None:
    async with Platform(options(stand_ins)) as platform:
        before = platform.pids
        for name in ("nats", "postgres", "table-1", "gateway-1"):
            assert await platform.kill(name) == -9
            assert name not in platform.pids
            await platform.restart(name)
            await platform.wait_ready(name)
            assert platform.pids[name] != before[name]
        connection = await asyncpg.connect(platform.pg_dsn)
        await connection.close()
        untouched = set(before) - {"nats", "postgres", "table-1", "gateway-1"}
        assert all(platform.pids[name] == before[name] for name in untouched)


async def test_a_temporary_state_leaves_nothing(
    stand_ins: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    async with Platform(options(stand_ins)):
        (made,) = [path.name for path in scan(tmp_path)]
        assert made.startswith("laelo-")
    assert scan(tmp_path) == []


async def test_a_given_state_is_kept_and_found(stand_ins: Path, tmp_path: Path) -> None:
    folder = StateFolder.first_free(tmp_path / "local")
    async with Platform(options(stand_ins, state=folder.path)) as platform:
        folder.write(platform.describe())
        assert find_running(tmp_path / "local") == platform.describe()
        connection = await asyncpg.connect(platform.pg_dsn)
        await connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
        await connection.close()
    async with Platform(options(stand_ins, state=folder.path)) as platform:
        connection = await asyncpg.connect(platform.pg_dsn)
        assert await connection.fetchval("SELECT n FROM kept") == 7
        await connection.close()
    folder.release()


async def test_a_postgres_of_ones_own_is_used(stand_ins: Path, monkeypatch) -> None:
    async with Platform(options(stand_ins)) as first:
        monkeypatch.setenv("LAELO_PG_DSN", first.pg_dsn)
        async with Platform(options(stand_ins)) as second:
            assert second.pg_dsn == first.pg_dsn
            assert "postgres" not in second.pids


async def test_a_postgres_that_does_not_answer_is_one_sentence(
    stand_ins: Path, monkeypatch
) -> None:
    monkeypatch.setenv("LAELO_PG_DSN", "postgresql://me:hush@127.0.0.1:1/laelo")
    with pytest.raises(LaeloError, match="LAELO_PG_DSN names can't be used") as caught:
        async with Platform(options(stand_ins)):
            pass
    assert "hush" not in str(caught.value)


async def test_a_nats_that_does_not_start_is_named(
    stand_ins: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("laelo_tools.embedded.nats.find_nats_server", lambda: sys.executable)
    with pytest.raises(LaeloError, match="nats did not start"):
        async with Platform(options(stand_ins)) as platform:
            assert platform


async def test_a_cluster_keeps_so_many_copies_and_others_are_told_of_its_fronts(
    stand_ins: Path,
) -> None:
    main = stand_ins / "laelo_table" / "main.py"
    main.write_text(TELL + main.read_text())
    fronts: dict[str, list[str]] = {}

    def front(name: str, address: str) -> str:
        fronts.setdefault(name, []).append(address)
        return address.replace("127.0.0.1", "localhost")

    async with Platform(options(stand_ins, nats=3, front=front)) as platform:
        names = ("nats-1", "nats-2", "nats-3")
        assert set(names) <= platform.pids.keys()
        assert [len(fronts[name]) for name in names] == [2, 2, 2]  # for clients, and for the others
        own = platform.nats_url.split(",")
        assert own == [f"nats://{fronts[name][0]}" for name in names]
        table = told(platform, "table-1")
        assert table["LAELO_TABLE_NATS_URL"].count("localhost") == 3
        assert table["LAELO_TABLE_RULES_ADDRESSES"] == platform.told["rules-1"]
        assert platform.told["rules-1"] == front("rules-1", platform.addresses["rules-1"])
        await platform.kill("nats-2")
        async with histories(platform.nats_url) as log:
            assert await log.all() == {}
        await platform.restart("nats-2")


@pytest.mark.parametrize("size", [0, 2, 4])
async def test_an_even_number_of_servers_is_no_cluster(stand_ins: Path, size: int) -> None:
    with pytest.raises(LaeloError, match="no cluster: choose of 1, 3, 5"):
        async with Platform(options(stand_ins, nats=size)):
            pass
