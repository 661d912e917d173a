"""Services: each answers for itself; the gateway also as a browser would ask it."""

import asyncio
import base64
import secrets
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import httpx
from laelo_common.stream import Dial, Dials, all_plain

from laelo_tools.doctor.finding import Finding
from laelo_tools.supervisor.health import accepts, grpc_ready

SECONDS: Final = 5.0


async def services(addresses: Mapping[str, str], dials: Dials = all_plain) -> list[Finding]:
    """Whether each service (by name, at host:port) says over gRPC that it serves."""
    entries = sorted(addresses.items())
    asked = (_service(name, address, dials(name.split("-")[0])) for name, address in entries)
    return list(await asyncio.gather(*asked))


async def _service(name: str, address: str, dial: Dial) -> Finding:
    advice = f"read what {name} wrote last; its README has a runbook"
    if await grpc_ready(address, dial):
        return Finding(name, True, f"serves at {address}")
    said = "does not serve" if await accepts(address) else "nobody listens"
    return Finding(name, False, f"{said} at {address}", advice)


async def gateway(url: str) -> list[Finding]:
    """Whether the gateway is ready, has the page, and opens sockets."""
    try:
        # What is on this machine is not asked by way of a proxy.
        proxied = url.startswith("https://")
        async with httpx.AsyncClient(base_url=url, timeout=SECONDS, trust_env=proxied) as http:
            ready, page = await http.get("/readyz"), await http.get("/")
    except httpx.HTTPError as error:
        said = f"does not answer at {url} ({type(error).__name__})"
        return [Finding("gateway", False, said, "is it started, and is this its address?")]
    said = ready.text.strip()
    strict = "content-security-policy" in page.headers
    whole = page.status_code == httpx.codes.OK and "<html" in page.text and strict
    return [
        Finding("gateway", ready.status_code == httpx.codes.OK, said, "its README has a runbook"),
        Finding("page", whole, f"status {page.status_code}", "WEB_DIST has to name the built page"),
        await _socket(url),
    ]


async def _socket(url: str) -> Finding:
    """Whether /ws is upgraded, also by all that stands before the gateway."""
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    key = base64.b64encode(secrets.token_bytes(16)).decode()
    request = (
        f"GET /ws HTTP/1.1\r\nHost: {parts.netloc}\r\nOrigin: {url}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    )
    advice = "whatever stands before the gateway has to pass /ws on as a WebSocket"
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=secure or None)
            try:
                writer.write(request.encode())
                status = (await reader.readline()).decode("latin-1").strip()
            finally:
                writer.close()
    except OSError as error:
        return Finding("socket", False, f"no answer ({type(error).__name__})", advice)
    return Finding("socket", " 101 " in status, status or "closed without an answer", advice)
