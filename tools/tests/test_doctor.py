"""`laelo doctor`: says of each part how it is, and what to do where it is not well."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import grpc.aio
import pytest
from grpc_health.v1 import health, health_pb2_grpc
from laelo_common.log import NatsSettings, connect, ensure_streams
from laelo_common.testing.nats import NatsServer
from laelo_tools.cli import main
from laelo_tools.doctor.database import database
from laelo_tools.doctor.finding import Finding
from laelo_tools.doctor.log import log
from laelo_tools.doctor.services import gateway, services
from laelo_tools.errors import LaeloError
from laelo_tools.services import dials

PAGE = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-security-policy: default-src 'self'\r\n"
    b"content-length: 13\r\nconnection: close\r\n\r\n<html></html>"
)
UNREADY = b"HTTP/1.1 503 No\r\ncontent-length: 6\r\nconnection: close\r\n\r\naway!\n"
UPGRADED = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"

Answer = Callable[[str], bytes]


def well(path: str) -> bytes:
    return UPGRADED if path == "/ws" else PAGE


@pytest.fixture
async def serve() -> AsyncIterator[Callable[[Answer], object]]:
    """Serves each path as it is told; gives the address."""
    servers: list[asyncio.Server] = []

    async def start(answer: Answer) -> str:
        async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            writer.write(answer(head.split(" ")[1]))
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(one, "127.0.0.1", 0)
        servers.append(server)
        return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    yield start
    for server in servers:
        server.close()


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    with NatsServer() as server:
        yield server


def bad(findings: list[Finding]) -> dict[str, str]:
    return {finding.what: finding.said for finding in findings if not finding.well}


async def test_a_gateway_that_is_well(serve) -> None:
    findings = await gateway(await serve(well))
    assert [finding.what for finding in findings] == ["gateway", "page", "socket"]
    assert bad(findings) == {}


async def test_each_thing_that_a_gateway_may_lack_is_named(serve) -> None:
    def unready(path: str) -> bytes:
        return UNREADY if path == "/readyz" else well(path)

    def pageless(path: str) -> bytes:
        return UNREADY if path == "/" else well(path)

    def careless(path: str) -> bytes:
        return well(path).replace(b"content-security-policy", b"x-policy")

    def socketless(path: str) -> bytes:
        return PAGE if path == "/ws" else well(path)

    assert bad(await gateway(await serve(unready))) == {"gateway": "away!"}
    assert bad(await gateway(await serve(pageless))) == {"page": "status 503"}
    assert bad(await gateway(await serve(careless))) == {"page": "status 200"}
    assert bad(await gateway(await serve(socketless))) == {"socket": "HTTP/1.1 200 OK"}


async def test_a_gateway_that_is_not_there() -> None:
    (finding,) = await gateway("http://127.0.0.1:1")
    assert finding.line().startswith("BAD gateway: does not answer at http://127.0.0.1:1")


def test_a_certificate_that_cannot_be_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAELO_OPERATOR_TLS_FOLDER", str(tmp_path))
    with pytest.raises(LaeloError, match=r"LAELO_OPERATOR_TLS_FOLDER.*tls\.crt cannot be read"):
        dials()


async def test_a_service_answers_for_itself() -> None:
    server, servicer = grpc.aio.server(), health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        found = await services({"table-1": address, "rules-1": "127.0.0.1:1"})
        assert bad(found) == {"rules-1": "nobody listens at 127.0.0.1:1"}
        await servicer.enter_graceful_shutdown()
        assert bad(await services({"table-1": address})) == {
            "table-1": f"does not serve at {address}"
        }
    finally:
        await server.stop(None)


@pytest.mark.integration
async def test_the_streams_of_the_log(nats: NatsServer) -> None:
    missing, *_ = await log(nats.url)
    assert missing.said == "there is no TBL, TRN, MMQ, SNAP, WAIT, CLOCK"
    assert "laelo_common.log.prepare" in missing.line()
    connection = await connect(NatsSettings((nats.url,)))
    try:
        await ensure_streams(connection)
        streams, clock = await log(nats.url)
        assert streams.line() == "ok  streams: 6 with 0 messages, 1 of each"
        assert clock.well
        other = b'{"name":"SNAP","subjects":["snap.*.*"],"max_msgs_per_subject":2,"num_replicas":1}'
        await connection.inbox.ask(b"$JS.API.STREAM.UPDATE.SNAP", other)
        assert bad(await log(nats.url)) == {"streams": "SNAP made by another version"}
    finally:
        await connection.close()


async def test_what_cannot_be_reached() -> None:
    assert bad(await log("nats://127.0.0.1:1", patience_s=0.3)).keys() == {"log"}
    finding = await database("gateway", "postgresql://gateway:hidden@127.0.0.1:1/gateway")
    assert not finding.well
    assert "hidden" not in finding.line()


def test_the_command_tells_all_and_fails_if_something_is_bad(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor", "--url", "http://127.0.0.1:1", "--service", "bots=127.0.0.1:1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line[:12] for line in lines] == ["BAD bots: no", "BAD gateway:"]
    assert main(["doctor", "--pg", "gateway"]) == 1
    assert "NAME=WHERE" in capsys.readouterr().err
