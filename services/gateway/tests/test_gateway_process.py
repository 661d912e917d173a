"""The gateway as a process: start, settings, ports, an orderly end."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from laelo_gateway.testing.tables import replicas
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.integration

PATIENCE = 30.0
NOWHERE = "postgresql://nobody@127.0.0.1:1/none"


async def started(**settings: str) -> asyncio.subprocess.Process:
    environ = {name: value for name, value in os.environ.items() if "LAELO" not in name}
    environ |= {f"LAELO_GATEWAY_{name}": value for name, value in settings.items()}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "laelo_gateway.main", env=environ, stderr=asyncio.subprocess.PIPE
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """Exit status and what was written."""
    async with asyncio.timeout(PATIENCE):
        _, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, errors.decode()


@asynccontextmanager
async def gateway(tmp_path: Path, tables: str) -> AsyncIterator[tuple[Any, dict[str, int]]]:
    """A process that serves, and its ports."""
    ready = tmp_path / "ready.json"
    process = await started(
        TABLE_ADDRESSES=tables, PG_DSN=NOWHERE, HTTP_PORT="0", READY_FILE=str(ready)
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while not ready.exists():
                assert process.returncode is None
                await asyncio.sleep(0.02)
        yield process, json.loads(ready.read_text())
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_it_serves_without_postgres_and_ends_in_order(tmp_path: Path) -> None:
    async with replicas(1) as tables, gateway(tmp_path, tables[0].address) as (process, ports):
        page, probes = (f"http://127.0.0.1:{ports[name]}" for name in ("http_port", "port"))
        async with httpx.AsyncClient() as client, asyncio.timeout(PATIENCE):
            while not (await client.get(f"{page}/readyz")).is_success:
                pass
            metrics = (await client.get(f"{probes}/metrics")).text
        assert "laelo_gateway_frames_in_total 0" in metrics
        url = f"ws://127.0.0.1:{ports['http_port']}/ws"
        async with connect(url, proxy=None) as socket:
            await socket.send('{"t":"hello","id":"h","d":{"proto":1}}')
            assert json.loads(await socket.recv())["d"]["code"] == "TRY_LATER"
            process.send_signal(signal.SIGTERM)
            notice = json.loads(await socket.recv())["d"]
            assert notice["kind"] == "restarting"
            assert notice["again_ms"] > 0
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        status, errors = await ended(process)
        assert status == 0
        assert "Traceback" not in errors


async def test_a_taken_port_is_named_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = await started(TABLE_ADDRESSES="127.0.0.1:1", PG_DSN=NOWHERE, HTTP_PORT=str(port))
        status, errors = await ended(process)
    assert status != 0
    assert f"port {port} on 127.0.0.1 is taken" in errors
    assert "LAELO_GATEWAY_HTTP_PORT" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "LAELO_GATEWAY_TABLE_ADDRESSES is not set"),
        ({"TABLE_ADDRESSES": "nonsense", "PG_DSN": NOWHERE}, "'nonsense' is no host:port"),
        ({"TABLE_ADDRESSES": "a:1", "PG_DSN": NOWHERE, "RPC": "smoke"}, "stream, unary"),
    ],
)
async def test_wrong_settings_are_named(settings: dict[str, str], words: str) -> None:
    status, errors = await ended(await started(HTTP_PORT="0", **settings))
    assert status != 0
    assert words in errors
    assert "Traceback" not in errors
