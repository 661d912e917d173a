"""idle-proxy: a connection on which nothing happens outlives a proxy's patience.

Seen elsewhere: kubernetes/ingress-nginx#2917. Three idle minutes through a real nginx that
cuts what is silent for 60 s, as it does unless told otherwise: on the first page, and at a
table where nobody moves. It is slow, so it runs with the slow tests.
"""

import asyncio
import contextlib
import json
import os
import shutil
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from laelo_common.ids import new_id
from laelo_tools.platform import Options, Platform
from laelo_tools.ports import Ports
from websockets.asyncio.client import ClientConnection, connect

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.integration,
    pytest.mark.skipif(
        NGINX is None,
        reason="nginx is not installed (Debian, Ubuntu: apt-get install nginx-light)",
    ),
]

IDLE_SECONDS = float(os.environ.get("LAELO_IDLE_SECONDS", "180"))
CONFIG = """
daemon off; master_process off; pid {folder}/pid; error_log stderr;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass {target};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection "upgrade";
        }}
    }}
}}
"""


@asynccontextmanager
async def nginx(folder: Path, target: str) -> AsyncIterator[str]:
    """An nginx in front of a gateway, with its default timeouts; where it listens."""
    assert NGINX is not None
    ports = Ports()
    port = ports.free()
    config = folder / "nginx.conf"
    config.write_text(CONFIG.format(folder=folder, port=port, target=target))
    process = await asyncio.create_subprocess_exec(NGINX, "-p", str(folder), "-c", str(config))
    try:
        async with asyncio.timeout(20):
            while not listens(port):
                assert process.returncode is None
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
        ports.release()


def listens(port: int) -> bool:
    with sockets.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


async def ask(socket: ClientConnection, kind: str, **fields: object) -> dict[str, object]:
    """Send a frame; the frame that answers it."""
    name = new_id()
    await socket.send(json.dumps({"t": kind, "id": name, **fields}))
    while True:
        frame: dict[str, object] = json.loads(await socket.recv())
        if frame.get("re") == name:
            return frame


@asynccontextmanager
async def client(url: str) -> AsyncIterator[ClientConnection]:
    """A client that sends nothing by itself, but answers pings as every browser does."""
    address = f"ws://{urlsplit(url).netloc}/ws"
    async with connect(address, ping_interval=None, origin=url) as socket:  # type: ignore[arg-type]
        hello = {"proto": 1, "name": "Ana"}
        async with asyncio.timeout(20):
            while (await ask(socket, "hello", d=hello))["t"] != "welcome":  # noqa: ASYNC110
                await asyncio.sleep(0.1)  # ready, but without its database yet
        yield socket


async def hears_nothing(socket: ClientConnection) -> None:
    """Wait; raises ConnectionClosed if the connection does not last."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(IDLE_SECONDS):
            while True:
                frame = json.loads(await socket.recv())
                assert "seq" not in frame, "nothing happens at the table"


async def test_idle_minutes_behind_a_proxy_that_cuts_what_is_silent(tmp_path: Path) -> None:
    async with (
        Platform(Options(port=0, tables=1)) as platform,
        nginx(tmp_path, platform.url) as url,
        client(url) as reader,
        client(url) as player,
    ):
        table = new_id()
        assert (await ask(player, "table.create", table=table))["t"] == "snapshot"
        await asyncio.gather(hears_nothing(reader), hears_nothing(player))
        assert (await ask(player, "sync", table=table, seq=0))["t"] == "snapshot"
        assert (await ask(reader, "watch", table=table))["t"] == "snapshot"
