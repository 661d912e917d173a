"""Renewal: the log's server takes a new certificate while it runs (certificates.md)."""

import asyncio
import ssl
from pathlib import Path

import pytest
from laelo_common.log import NatsSettings, Unavailable, connect
from laelo_common.log.streams import ensure_streams
from laelo_common.testing.authority import Authority
from laelo_common.testing.nats import NatsServer

pytestmark = pytest.mark.integration


def settings(server: NatsServer, authority: Path) -> NatsSettings:
    """For a client that trusts this authority and nobody else."""
    trust = ssl.create_default_context(cafile=str(authority))
    url = server.url.replace("127.0.0.1", "localhost")
    return NatsSettings(servers=(url,), tls=trust, connect_s=1.0)


async def test_a_new_certificate_is_taken_by_reload_and_connections_stay(tmp_path: Path) -> None:
    Authority().issue(tmp_path, "localhost")
    tls = "".join(
        f'{key}: "{tmp_path / file}"\n'
        for key, file in (("cert_file", "tls.crt"), ("key_file", "tls.key"))
    )
    with NatsServer(more=f"tls {{\n{tls}}}") as server:
        old = tmp_path / "old.crt"
        old.write_bytes((tmp_path / "ca.crt").read_bytes())
        connection = await connect(settings(server, old))
        try:
            Authority().issue(tmp_path, "localhost")
            with pytest.raises(Unavailable):
                await connect(settings(server, tmp_path / "ca.crt"))
            server.reload()
            async with asyncio.timeout(20):
                while True:
                    try:
                        renewed = await connect(settings(server, tmp_path / "ca.crt"))
                    except Unavailable:
                        continue
                    break
            await renewed.close()
            await ensure_streams(connection, 1)  # over the connection of before
        finally:
            await connection.close()
