"""The compose file on one machine, by podman-compose: passwords, names, networks, a match."""

import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.integration.player import Player

from .engine import IMAGE, SERVER_IMAGES, logs, podman, require_engine, until
from .manifests import ROOT, SERVICES

pytestmark = pytest.mark.container

PROJECT = "laelo-test"
STEPS = ("prepare-log", "migrate-gateway", "migrate-tournament", "migrate-archive")
OUT = """
import socket
try:
    socket.create_connection(("192.0.2.1", 443), 2)
except TimeoutError:
    print("a way out")
except OSError as error:
    print(error.strerror)
"""
"""An address that is nobody's: without a route there it is refused at once."""


def compose(env_file: Path, *arguments: str) -> None:
    """Run podman-compose; a failure fails the test with its words."""
    here = ROOT / "tests/deploy/compose.override.yaml"
    files = ["-f", str(ROOT / "deploy/compose/compose.yaml"), "-f", str(here)]
    program = ROOT / ".local/tools/compose/bin/podman-compose"
    done = subprocess.run(
        [program, "--env-file", env_file, "-p", PROJECT, *files, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def container(part: str) -> str:
    return f"{PROJECT}_{part}_1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its address. Older versions of podman cannot start what waits for something that has ended,
    so the services are started by themselves.
    """
    require_engine()
    env_file = tmp_path_factory.mktemp("compose") / ".env"
    script = ROOT / "deploy/compose/passwords.py"
    made = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    images = f"LAELO_IMAGE={IMAGE}\nLAELO_NATS_IMAGE={SERVER_IMAGES[0]}\n"
    images += f"LAELO_POSTGRES_IMAGE={SERVER_IMAGES[1]}\nLAELO_PORT={port}\n"
    env_file.write_text(made.stdout + images)
    url = f"http://127.0.0.1:{port}"
    try:
        compose(env_file, "up", "--detach", "nats", "postgres", *STEPS)
        for step in STEPS:
            until(partial(has_ended_well, step))
        compose(env_file, "up", "--detach", "--no-deps", *SERVICES)
        until(partial(is_ready, url))
        yield url
    finally:
        compose(env_file, "down", "--volumes")


def has_ended_well(step: str) -> bool:
    """Whether a step is done; one that came too early is started again."""
    (found,) = json.loads(podman("inspect", container(step)))
    return bool(found["State"]["Status"] == "exited" and found["State"]["ExitCode"] == 0)


def is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


async def test_people_play(house: str) -> None:
    async with Player(house, "Ana", seed=1) as ana:
        await ana.create()
        await ana.start()
        await ana.until(lambda: ana.seq > 12, seconds=120)
        assert ana.refused == []


def test_every_password_is_right(house: str) -> None:
    log = logs(container("nats"))
    assert "Server is ready" in log
    assert "Violation" not in log
    assert "authentication error" not in log
    for service in ("gateway", "tournament", "archive"):
        assert "PostgreSQL is reached" in logs(container(service))


def test_only_the_gateway_is_reached_and_gets_out(house: str) -> None:
    for part in (*SERVICES, "nats", "postgres"):
        assert bool(podman("port", container(part))) is (part == "gateway"), part
    run = ("exec", container("table"), "/usr/bin/python3.11", "-c", OUT)
    assert podman(*run) == "Network is unreachable\n"
