"""Podman for tests: what it runs, what it says, and its socket for testcontainers."""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .log_users import environment

IMAGE = "localhost/laelo:dev"
SERVER_IMAGES = ("localhost/laelo-nats:dev", "localhost/laelo-postgres:dev")
RESTRICTED = ("--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--memory=256m")
PATIENCE_SECONDS = 90.0


def podman(*arguments: str) -> str:
    """What podman says; a failure fails the test with its words."""
    done = subprocess.run(["podman", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"podman {' '.join(arguments)}: {done.stderr}"
    return done.stdout


def logs(container: str) -> str:
    """All that a container has written; services write to standard error."""
    done = subprocess.run(
        ["podman", "logs", container],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return done.stdout


def missing() -> str | None:
    """Why no container can be run here; None if one can."""
    if shutil.which("podman") is None:
        return "podman is not installed"
    for image in (IMAGE, *SERVER_IMAGES):
        if subprocess.run(["podman", "image", "exists", image], check=False).returncode:
            return f"there is no image {image}: make test-containers builds it"
    return None


def require_engine() -> None:
    """Skip where there are no containers; fail where there have to be."""
    if why := missing():
        if os.environ.get("LAELO_CONTAINERS_REQUIRED"):
            pytest.fail(why)
        pytest.skip(why)


def inside(script: str) -> str:
    """What a script of Python prints in the product's image."""
    run = ("run", "--rm", *RESTRICTED, "--entrypoint", "/usr/bin/python3.11")
    return podman(*run, IMAGE, "-c", script)


@contextmanager
def running(*arguments: str) -> Iterator[str]:
    """A container of the product's image in the background; its id. Removed afterwards."""
    container = podman("run", "--detach", *RESTRICTED, *arguments).strip()
    try:
        yield container
    finally:
        podman("rm", "--force", "--time", "0", container)


@contextmanager
def socket_for_testcontainers() -> Iterator[None]:
    """Podman's service, and the settings by which testcontainers finds it."""
    with tempfile.TemporaryDirectory(prefix="laelo-podman-") as folder:
        address = f"unix://{folder}/podman.sock"
        service = subprocess.Popen(["podman", "system", "service", "--time=0", address])
        values = {
            "DOCKER_HOST": address,
            "TESTCONTAINERS_RYUK_DISABLED": "true",
            "TESTCONTAINERS_CONNECTION_MODE": "docker_host",
            "TESTCONTAINERS_HOST_OVERRIDE": "127.0.0.1",
        }
        try:
            until(Path(folder, "podman.sock").exists)
            with environment(values):
                yield
        finally:
            service.terminate()
            service.wait(10)


def until(true: Callable[[], object]) -> None:
    """Wait for a condition; fail if it never comes true."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.1)


async def eventually(true: Callable[[], object]) -> None:
    """The same, while others go on."""
    await asyncio.to_thread(until, true)
