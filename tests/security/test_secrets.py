"""No secret gets into a log or an error, whatever goes wrong with it."""

import asyncio
import os
import re
import sys
from collections.abc import Mapping

import httpx
import pytest
from laelo_tools.platform import SERVICES, Options, Platform

from tests.integration.player import Player
from tests.security.hostile.house import account

pytestmark = pytest.mark.integration

MARK = "hunter2MARKED"
_COOKIE = re.compile(r"laelo_session=([^;]+)")
DSN = f"postgresql://laelo:{MARK}@127.0.0.1:1/laelo"
NATS = f"nats://laelo:{MARK}@127.0.0.1:1"
HOUSE = {"PG_DSN": DSN, "NATS_URL": NATS, "TABLE_ADDRESSES": "127.0.0.1:1"}
BROKEN: dict[str, tuple[str, Mapping[str, str]]] = {
    "log misspelt": ("archive", {"NATS_URL": f"nats://laelo:{MARK}@:x"}),
    "database misspelt": ("gateway", {"PG_DSN": f"postgresql://laelo:{MARK}@[::1/laelo"}),
    "no name": ("gateway", {"GOOGLE_CLIENT_ID": "x", "GOOGLE_CLIENT_SECRET": MARK}),
}


async def said_by(service: str, settings: Mapping[str, str]) -> str:
    """All that a service says until it gives up, or has been asked to stop."""
    environment = {f"LAELO_{service.upper()}_{name}": text for name, text in settings.items()}
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        f"laelo_{service}.main",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, **environment},
    )
    assert child.stdout is not None
    said = b""
    try:
        async with asyncio.timeout(60):
            while line := await child.stdout.readline():
                said += line
                if b'"ready"' in line or b"out of reach" in line:
                    child.terminate()
            await child.wait()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return said.decode()


@pytest.mark.parametrize("what", BROKEN)
async def test_a_service_that_cannot_use_a_secret_does_not_show_it(what: str) -> None:
    service, settings = BROKEN[what]
    base = {"START_SECONDS": "0.5", "LOG_LEVEL": "debug", "HTTP_PORT": "0"}
    said = await said_by(service, {**base, **HOUSE, **settings})
    assert said
    assert MARK not in said


async def test_nothing_that_runs_writes_a_secret_down() -> None:
    """Passwords of servers, the client's secret, tokens of guests, cookies of sessions."""
    lines: list[str] = []
    everything = {f"LAELO_{service.upper()}_LOG_LEVEL": "debug" for service in SERVICES}
    issuer = {
        "LAELO_GATEWAY_GOOGLE_CLIENT_ID": "client",
        "LAELO_GATEWAY_GOOGLE_CLIENT_SECRET": MARK,
        "LAELO_GATEWAY_PUBLIC_URL": "http://127.0.0.1:9",
        "LAELO_GATEWAY_ISSUER": "http://127.0.0.1:9",
    }
    env = dict.fromkeys(SERVICES, everything)
    options = Options(port=0, tables=1, gateways=2, env={**env, "gateway-2": issuer})
    async with Platform(options, lambda _, line: lines.append(line)) as platform:
        cookie = await account(platform.url, "ana", "Ana Segredo")
        found = _COOKIE.search(cookie)
        assert found is not None
        async with Player(platform.url, "Bia") as bia:
            await bia.create()
            token = str(bia.token)
        url = f"http://{platform.addresses['gateway-2']}"
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            await http.get("/auth/sign-in")
            await http.get(f"/auth/callback?code={MARK}&state={MARK}")
            await http.get("/api/history", headers={"authorization": f"Bearer bot_{MARK}"})
            await http.get("/api/account", headers={"cookie": f"laelo_session={MARK}"})
    text = "\n".join(lines)
    assert '"ready"' in text
    for secret in (MARK, token, found[1]):
        assert secret not in text
