"""The other servers: how each is started, and its clients with it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

from laelo_tools.errors import LaeloError
from laelo_tools.ports import Ports
from laelo_tools.supervisor.child import ends_with_parent

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
READY_SECONDS: Final = 30.0


class Peer(NamedTuple):
    """A server of `servers/`, and in which of its ways the game is played on it."""

    server: str
    kind: str = ""


PEERS: Final = {
    "boardgame.io": Peer("boardgame"),
    "colyseus-state": Peer("colyseus", "state"),
    "colyseus-messages": Peer("colyseus", "messages"),
}


class Running(NamedTuple):
    """A peer that can be played on."""

    url: str
    pid: int


def find_node() -> str:
    """The node for them, after their packages were installed. Raises LaeloError."""
    command = (sys.executable, str(ROOT / "tools/bootstrap.py"), "peers")
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise LaeloError("The peers could not be installed; what failed is said above.")
    return done.stdout.strip()


@asynccontextmanager
async def serve(node: str, peer: Peer) -> AsyncIterator[Running]:
    """The server in a process of its own, as it is run in production."""
    ports = Ports()
    port = ports.free()
    process = await asyncio.create_subprocess_exec(
        *ends_with_parent(signal.SIGKILL),
        node,
        str(HERE / "servers" / f"{peer.server}.mjs"),
        env={**os.environ, "NODE_ENV": "production", "PORT": str(port)},
        stdout=PIPE,
        start_new_session=True,
    )
    try:
        await _ready(process, peer.server)
        yield Running(f"http://127.0.0.1:{port}", process.pid)
        if process.returncode is not None:
            raise LaeloError(f"{peer.server} ended under the load, with {process.returncode}.")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        ports.release()


async def _ready(process: Process, name: str) -> None:
    if process.stdout is None:
        raise LaeloError("A server has no pipe.")
    try:
        async with asyncio.timeout(READY_SECONDS):
            async for line in process.stdout:
                if line.strip() == b"ready":
                    return
    except TimeoutError as error:
        raise LaeloError(f"{name} was not ready within {READY_SECONDS:g} s.") from error
    raise LaeloError(f"{name} ended before it was ready; its last words are above.")


def crowd(node: str, peer: Peer, url: str, tables: int, think_ms: int) -> Sequence[str]:
    """The command line of all clients at once."""
    order = {
        "peer": peer.server,
        "kind": peer.kind,
        "url": url,
        "tables": tables,
        "think_ms": think_ms,
        "seed": 0,
    }
    return (node, str(HERE / "crowd.mjs"), json.dumps(order))
