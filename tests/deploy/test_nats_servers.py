"""The three servers as they are deployed: they find each other and keep a commit.

Only what a machine alone cannot have is replaced: names by addresses, folders, ports.
"""

import json
import os
import re
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_common.ids import new_id
from laelo_common.log import (
    Aggregate,
    JetStreamLog,
    Kind,
    NatsSettings,
    Unavailable,
    connect,
    prepare,
)
from laelo_common.testing.authority import Authority
from laelo_common.testing.nats import find_nats_server

from .log_users import ACCOUNTS, ROOT, environment, password, passwords

pytestmark = pytest.mark.integration

CONFIG = ROOT / "deploy/k8s/components/nats/nats.conf"
SERVERS = CONFIG.with_name("servers.yaml")
PATIENCE_SECONDS = 30.0


class Servers:
    """Three servers on this machine. `urls` has no user in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = [_free_ports() for _ in range(3)]
        self.processes: list[subprocess.Popen[bytes]] = []
        Authority().issue(folder, "localhost")
        (folder / "accounts.conf").write_text(ACCOUNTS.read_text())

    def start(self) -> None:
        for number in range(3):
            command = [str(find_nats_server()), "--config", str(self._config(number))]
            values = {**os.environ, **passwords(), "POD_NAME": f"nats-{number}"}
            with (self.folder / f"{number}.log").open("wb") as log:
                self.processes.append(subprocess.Popen(command, env=values, stdout=log, stderr=log))

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()

    def urls(self, user: str) -> str:
        who = f"{user}:{password(user)}"
        return ",".join(f"nats://{who}@localhost:{client}" for client, _, _ in self.ports)

    def said(self, number: int) -> str:
        return (self.folder / f"{number}.log").read_text()

    def _config(self, number: int) -> Path:
        client, cluster, monitor = self.ports[number]
        text = CONFIG.read_text()
        for n, (_, other, _) in enumerate(self.ports):
            text = _replaced(text, f"nats://nats-{n}.nats:6222", f"nats://localhost:{other}")
        text = _replaced(text, "0.0.0.0:4222", f"127.0.0.1:{client}")
        text = _replaced(text, "0.0.0.0:6222", f"127.0.0.1:{cluster}")
        text = _replaced(text, "0.0.0.0:8222", f"127.0.0.1:{monitor}")
        text = _replaced(text, "/etc/nats-tls", str(self.folder))
        text = _replaced(text, "/run/nats/nats.pid", str(self.folder / f"{number}.pid"))
        text = _replaced(text, "store_dir: /data", f"store_dir: {self.folder / str(number)}")
        file = self.folder / f"nats-{number}.conf"
        file.write_text(text)
        return file


def _replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def _free_ports() -> tuple[int, int, int]:
    with ExitStack() as held:
        sockets = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(3)]
        first, second, third = (one.getsockname()[1] for one in sockets)
        return first, second, third


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    house = Servers(tmp_path_factory.mktemp("nats"))
    house.start()
    try:
        with environment({"SSL_CERT_FILE": str(house.folder / "ca.crt")}):
            deploy = {"LAELO_DEPLOY_NATS_URL": house.urls("deploy"), "LAELO_DEPLOY_REPLICAS": "3"}
            assert prepare.main(deploy) == prepare.OK, house.said(0)
            yield house
    finally:
        house.stop()


async def test_a_commit_is_kept_by_all_three(servers: Servers) -> None:
    urls = tuple(servers.urls("table").split(","))
    connection = await connect(NatsSettings(urls, inbox_prefix="_INBOX.table"))
    try:
        log, table = JetStreamLog(connection), Aggregate(Kind.TABLE, new_id())
        head = Head(aggregate=table.id, version=1, command=new_id())
        await log.append(table, AnyCommit(head=head).SerializeToString(), 0, f"{table.id}:1")
        assert len(await log.tail(table, 0)) == 1
    finally:
        await connection.close()
    for _, _, monitor in servers.ports:
        address = f"http://127.0.0.1:{monitor}/jsz?streams=1&config=1"
        until(lambda address=address: _stored(address) == 1)  # type: ignore[misc]


def _stored(address: str) -> int:
    """How many commits of tables a server has itself."""
    with urllib.request.urlopen(address, timeout=5) as answer:
        found = json.load(answer)
    streams = [s for account in found["account_details"] for s in account["stream_detail"]]
    (tables,) = (stream for stream in streams if stream["name"] == "TBL")
    assert tables["config"]["num_replicas"] == 3
    return int(tables["state"]["messages"])


async def test_who_does_not_know_the_authority_does_not_come_in(servers: Servers) -> None:
    with environment({"SSL_CERT_FILE": "/dev/null"}):
        urls = tuple(servers.urls("table").split(","))
        with pytest.raises(Unavailable):
            await connect(NatsSettings(urls, connect_s=0.5))


def test_who_has_no_certificate_does_not_join_the_servers(servers: Servers) -> None:
    _, cluster, _ = servers.ports[0]
    with socket.create_connection(("127.0.0.1", cluster), timeout=5) as route:
        route.sendall(b'CONNECT {"verbose":false,"name":"x","cluster":"laelo"}\r\nPING\r\n')
        until(lambda: "TLS route handshake error" in servers.said(0))


def test_a_server_that_is_told_to_go_goes_in_an_orderly_way(servers: Servers) -> None:
    """By what the pod's preStop runs."""
    command = re.search(r"--signal=ldm=/run/nats/nats\.pid", SERVERS.read_text())
    assert command
    told = command[0].replace("/run/nats/nats.pid", str(servers.folder / "2.pid"))
    subprocess.run([find_nats_server(), told], check=True)
    until(lambda: "Entering lame duck mode" in servers.said(2))


def until(true: Callable[[], object]) -> None:
    """Wait for a condition; fail if it never comes true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)
