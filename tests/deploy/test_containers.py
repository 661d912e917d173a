"""The product's image and the overlay `local`, run for real by podman; `make test-containers`."""

import asyncio
import json
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import asyncpg
import pytest
from laelo_common.ids import new_id
from laelo_common.log import Aggregate, JetStreamLog, Kind, NatsSettings, Unavailable, connect
from laelo_tools.cli import main as laelo
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table

from deploy.ci import one_machine
from tests.integration.player import Player

from .engine import (
    IMAGE,
    SERVER_IMAGES,
    eventually,
    inside,
    logs,
    podman,
    require_engine,
    running,
    socket_for_testcontainers,
    until,
)
from .log_users import ACCOUNTS, password, passwords

pytestmark = pytest.mark.container

SERVICES = ("rules", "bots", "table", "matchmaking", "tournament", "archive", "gateway")
QUICK = {"table": {"LAELO_TABLE_PAUSE_MS": "0", "LAELO_TABLE_BOT_DELAY_MS": "0"}}
"""Nobody has to see the moves."""
PROBES = {name: 19001 + number for number, name in enumerate(SERVICES)}


@pytest.fixture(scope="module", autouse=True)
def engine() -> None:
    require_engine()


@pytest.fixture(scope="module")
def server() -> Iterator[Callable[[str, int, str], Any]]:
    """Makes a container of a server's image: image, port, and what it says when it is ready."""
    # It takes a while to import, and most runs of the tests collect this file and no more.
    from testcontainers.core.container import DockerContainer
    from testcontainers.core.wait_strategies import LogMessageWaitStrategy

    def make(image: str, port: int, ready: str) -> DockerContainer:
        container = DockerContainer(image).with_exposed_ports(port)
        return container.waiting_for(LogMessageWaitStrategy(ready))

    with socket_for_testcontainers():
        yield make


# --- the image -------------------------------------------------------------------------------


def test_a_service_runs_without_any_right_and_ends_when_told() -> None:
    with running(IMAGE, "laelo_rules.main") as container:
        until(lambda: '"message": "ready"' in logs(container))
        (found,) = json.loads(podman("inspect", container))
        assert found["EffectiveCaps"] in (None, [])
        assert found["Config"]["User"] == "10001:10001"
        podman("stop", "--time", "12", container)
        (ended,) = json.loads(podman("inspect", container))
        assert ended["State"]["ExitCode"] == 0


def test_there_is_no_shell_and_no_program_but_python() -> None:
    script = """
import os
for place in ("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin"):
    if os.path.isdir(place):
        print(*os.listdir(place), sep="\\n")
"""
    assert inside(script).split() == ["python3.11"]


def test_nothing_in_it_can_be_changed() -> None:
    script = """
import os
for place, folders, names in os.walk("/", onerror=None):
    if place.startswith(("/proc", "/sys", "/dev", "/tmp", "/run", "/var/tmp")):
        folders.clear()
    elif os.access(place, os.W_OK):
        print(place)
"""
    assert inside(script) == ""


def test_everything_in_it_is_listed_with_its_licence() -> None:
    script = """
import json
from importlib.metadata import distributions
listed = json.load(open("/opt/laelo/sbom.cdx.json"))["components"]
there = {(d.name.lower().replace("_", "-"), d.version) for d in distributions()}
named = {(c["name"].lower().replace("_", "-"), c["version"]) for c in listed}
print(json.dumps({
    "unlisted": sorted(there - named), "not there": sorted(named - there), "packages": len(there),
    "without licence": [c["name"] for c in listed if not c.get("licenses")],
}))
"""
    found = json.loads(inside(script))
    assert found["unlisted"] == found["not there"] == []
    assert found["packages"] > 30
    nameless = {name for name in found["without licence"] if not name.startswith("laelo-")}
    assert nameless == {"protobuf"}, "its metadata names none; it is BSD's with three clauses"


def test_what_is_debians_in_it_is_listed_for_scanners() -> None:
    listed = inside("print(open('/var/lib/dpkg/status').read())")
    for package in ("libssl3", "libpython3.11-stdlib", "tzdata"):
        assert f"Package: {package}\n" in listed


def test_it_trusts_the_authorities_that_others_trust() -> None:
    """Signing in asks an issuer on the internet."""
    script = "import ssl; print(len(ssl.create_default_context().get_ca_certs()))"
    assert int(inside(script)) > 50


# --- the servers -----------------------------------------------------------------------------


def test_a_log_with_accounts_is_prepared_by_the_image(server) -> None:
    nats = server(SERVER_IMAGES[0], 4222, "Server is ready")
    nats.with_volume_mapping(str(ACCOUNTS), "/etc/nats/accounts.conf", "ro")
    nats.with_command("--config /etc/nats/accounts.conf --jetstream --store_dir /data")
    for name, value in passwords().items():
        nats.with_env(name, value)
    with nats as started:
        url = f"127.0.0.1:{started.get_exposed_port(4222)}"
        step = ("run", "--rm", "--network=host", "--read-only")
        deploy = f"LAELO_DEPLOY_NATS_URL=nats://deploy:{password('deploy')}@{url}"
        for _ in range(2):
            said = podman(*step, "-e", deploy, IMAGE, "laelo_common.log.prepare")
            assert "as they should be" in said


def test_databases_are_migrated_by_the_image(server) -> None:
    with server(SERVER_IMAGES[1], 5432, "ready to accept connections") as started:
        at = f"postgresql://postgres@127.0.0.1:{started.get_exposed_port(5432)}"
        for service in ("gateway", "tournament", "archive"):
            dsn = f"LAELO_{service.upper()}_PG_DSN={at}/{service}"
            step = ("run", "--rm", "--network=host", "--read-only", "-e", dsn, IMAGE)
            first = podman(*step, f"laelo_{service}.migrate")
            assert first.startswith("0001")
            assert podman(*step, f"laelo_{service}.migrate") == "nothing to do\n"


# --- everything on one machine ---------------------------------------------------------------


@pytest.fixture(scope="module")
def house() -> Iterator[str]:
    """The overlay `local` as it is; its address."""
    one_machine.up(QUICK)
    try:
        for port in PROBES.values():
            until(partial(is_ready, port))
        yield one_machine.URL
    finally:
        one_machine.down()


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


async def test_a_match_is_played_and_is_right(house: str) -> None:
    """Two persons and two bots; the table service ends on the way and is started again."""
    async with Player(house, "Ana", seed=1) as ana, Player(house, "Bia", seed=2) as bia:
        table = await ana.create()
        await bia.join(table, seat=1)
        await ana.start()
        await ana.until(lambda: ana.seq > 20)
        one_machine.restart("table")
        await ana.played(1, seconds=600)
        await bia.played(1)
        assert ana.matches == bia.matches
        assert ana.refused == bia.refused == []
    async with histories("nats://deploy:local@127.0.0.1:14222") as log:
        records, snapshot = await log.of(table)
    assert verify_table(table, records, snapshot).faults == []
    assert len(records) > 100
    await eventually(lambda: archived(table) == len(records))


def archived(table: str) -> int:
    """How many commits of a table the archive has."""

    async def count() -> int:
        connection = await asyncpg.connect("postgresql://postgres@127.0.0.1:15432/archive")
        try:
            query = "SELECT count(*) FROM archive_commits WHERE aggregate = $1"
            return int(await connection.fetchval(query, table))
        finally:
            await connection.close()

    return asyncio.run(count())


def test_the_page_is_served(house: str) -> None:
    with urllib.request.urlopen(house, timeout=10) as answer:
        assert "Lá e Lô" in answer.read().decode()
        assert "default-src" in answer.headers["content-security-policy"]


def test_nobody_asked_the_log_for_more_than_its_rights(house: str) -> None:
    said = logs(one_machine.container_of("nats"))
    assert "Server is ready" in said
    assert "Violation" not in said


def test_the_doctor_is_content_until_something_is_away(
    house: str, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--url", house, "--nats", "nats://deploy:local@127.0.0.1:14222"]
    for database in ("gateway", "tournament", "archive"):
        where += ["--pg", f"{database}=postgresql://postgres@127.0.0.1:15432/{database}"]
    for number, service in enumerate(SERVICES[:-1]):
        where += ["--service", f"{service}=127.0.0.1:{17001 + number}"]
    assert laelo(["doctor", *where]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(SERVICES[:-1]) + 3 + 2 + 3
    bots = one_machine.container_of("bots")
    podman("pause", bots)
    try:
        assert laelo(["doctor", *where]) == 1
        said = capsys.readouterr().out.splitlines()
        assert [line for line in said if line.startswith("BAD")] == [
            "BAD bots: does not serve at 127.0.0.1:17002"
            " - read what bots wrote last; its README has a runbook"
        ]
    finally:
        podman("unpause", bots)


async def test_the_log_does_not_let_anybody_in(house: str) -> None:
    table = Aggregate(Kind.TABLE, new_id())
    url = "nats://matchmaking:local@127.0.0.1:14222"
    settings = NatsSettings((url,), inbox_prefix="_INBOX.matchmaking", request_s=0.3)
    connection = await connect(settings)
    try:
        with pytest.raises(Unavailable):
            await JetStreamLog(connection).tail(table, 0)
    finally:
        await connection.close()
