"""The life of a service, seen from outside: start, health, pages, and every way to end."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from laelo_common.runtime import SetupError, reach
from laelo_common.testing.waiting import until

DEMO = Path(__file__).with_name("runtime_demo.py")
HEALTH = health_pb2.HealthCheckResponse


class Demo:
    """One run of the demo service."""

    def __init__(self, process: asyncio.subprocess.Process, ready_file: Path) -> None:
        self.process = process
        self.ready_file = ready_file
        self.ports: dict[str, int] = {}

    async def ready(self) -> None:
        await until(lambda: self.ready_file.exists() or self.process.returncode is not None)
        assert self.ready_file.exists(), await self.end()
        self.ports = json.loads(self.ready_file.read_text())

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    async def end(self) -> tuple[int | None, list[str], list[dict[str, Any]]]:
        """Exit status, printed lines, log lines."""
        out, err = await self.process.communicate()
        logs = [json.loads(line) for line in err.decode().splitlines() if line.startswith("{")]
        return self.process.returncode, out.decode().splitlines(), logs

    async def get(self, path: str, method: str = "GET") -> tuple[int, str]:
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\n\r\n"
        return await http(self.ports["http_port"], head.encode())

    async def health(self, name: str) -> Any:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{self.ports['port']}") as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            return (await stub.Check(health_pb2.HealthCheckRequest(service=name))).status


async def http(port: int, request: bytes) -> tuple[int, str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    answer = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split(" ")[1]), body


@asynccontextmanager
async def demo(
    tmp_path: Path, others: Mapping[str, str] = MappingProxyType({}), /, **environ: str
) -> AsyncIterator[Demo]:
    ready_file = tmp_path / "ready.json"
    settings = {f"LAELO_DEMO_{key.upper()}": value for key, value in environ.items()}
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LAELO_", "OTEL_"))}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(DEMO),
        env={**kept, "LAELO_DEMO_READY_FILE": str(ready_file), **settings, **others},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield Demo(process, ready_file)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def outcome(tmp_path: Path, **environ: str) -> tuple[int | None, str]:
    """Of a run that ends by itself: exit status, and what its last log line says."""
    async with demo(tmp_path, **environ) as run:
        status, _, logs = await run.end()
        return status, logs[-1]["message"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_whole_life(tmp_path: Path, number: int) -> None:
    status: int | None
    async with demo(tmp_path) as run:
        await run.ready()
        assert await run.get("/livez") == (200, "alive\n")
        assert await run.get("/readyz?verbose") == (200, "ready\n")
        status, metrics = await run.get("/metrics")
        assert (status, "laelo_demo_things_total 2" in metrics) == (200, True)
        assert await run.get("/livez", "HEAD") == (200, "")
        assert (await run.get("/livez", "POST"))[0] == 405
        assert (await run.get("/etc/passwd"))[0] == 404
        assert await run.health("") == HEALTH.SERVING
        assert await run.health("laelo.demo.v1.DemoService") == HEALTH.SERVING
        run.stop(number)
        status, out, logs = await run.end()
        assert status == 0
        assert out == ["opened", "drained, stopping", "closed"]
        assert [line["message"] for line in logs] == ["ready", "stopping"]
        assert logs[0]["port"] == run.ports["port"]
        assert logs[0]["pid"] == run.process.pid
        assert not run.ready_file.exists()


async def test_reflection_is_off_unless_it_is_asked_for(tmp_path: Path) -> None:
    def services(port: int) -> list[str]:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            return list(ProtoReflectionDescriptorDatabase(channel).get_services())

    async with demo(tmp_path, reflection="on") as run:
        await run.ready()
        found = await asyncio.to_thread(services, run.ports["port"])
        assert "laelo.demo.v1.DemoService" in found
    async with demo(tmp_path / "off") as run:
        (tmp_path / "off").mkdir()
        await run.ready()
        with pytest.raises(grpc.RpcError) as error:
            await asyncio.to_thread(services, run.ports["port"])
        assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_watchers_of_health_hear_of_the_end(tmp_path: Path) -> None:
    async with demo(tmp_path) as run:
        await run.ready()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{run.ports['port']}") as channel:
            stub: Any = health_pb2_grpc.HealthStub(channel)
            watch = stub.Watch(health_pb2.HealthCheckRequest(service=""))
            assert (await watch.read()).status == HEALTH.SERVING
            run.stop()
            assert (await watch.read()).status == HEALTH.NOT_SERVING
        status, _, _ = await run.end()
        assert status == 0


async def test_a_service_without_the_certificate_it_was_told_of_does_not_start(
    tmp_path: Path,
) -> None:
    status, message = await outcome(tmp_path, tls_folder=str(tmp_path))
    assert status == 1
    assert f"LAELO_DEMO_TLS_FOLDER is '{tmp_path}'" in message
    assert f"{tmp_path / 'tls.crt'} cannot be read" in message


async def test_a_service_can_say_that_it_is_not_ready(tmp_path: Path) -> None:
    async with demo(tmp_path, act="unready") as run:
        await run.ready()
        async with asyncio.timeout(20):
            while (page := await run.get("/readyz"))[0] == 200:
                pass
        assert page == (503, "NATS is out of reach\n")
        assert await run.health("") == HEALTH.NOT_SERVING
        assert (await run.get("/livez"))[0] == 200


@pytest.mark.parametrize("kind", ["port", "http_port"])
async def test_a_taken_port_is_named_with_the_way_out(tmp_path: Path, kind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert await outcome(tmp_path, **{kind: str(port)}) == (
            1,
            f"demo does not start: port {port} on 127.0.0.1 is taken by another program: stop "
            f"that one, or set LAELO_DEMO_{kind.upper()} to another one (0 = any free one)",
        )


async def test_an_address_that_is_none_is_named(tmp_path: Path) -> None:
    status, message = await outcome(tmp_path, host="no.such.host.invalid")
    assert status == 1
    assert "'no.such.host.invalid' is no address to listen on" in message


async def test_what_is_out_of_reach_is_named_with_the_way_out(tmp_path: Path) -> None:
    assert await outcome(tmp_path, act="no-log") == (
        1,
        "demo does not start: NATS at nats://x did not answer within 0.3 s (nobody listens): "
        "start it, or set LAELO_DEMO_NATS_URL",
    )


async def test_a_start_that_never_ends_is_ended(tmp_path: Path) -> None:
    status, message = await outcome(tmp_path, act="slow-start", start_seconds="0.2")
    assert status == 1
    assert "not ready within 0.2 s" in message
    assert "LAELO_DEMO_START_SECONDS" in message


async def test_a_ready_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    status, message = await outcome(tmp_path, ready_file=str(tmp_path / "none" / "ready"))
    assert (status, "cannot be written (No such file or directory)" in message) == (1, True)


async def test_stopped_while_starting(tmp_path: Path) -> None:
    async with demo(tmp_path, act="slow-start") as run:
        assert run.process.stdout is not None
        assert await run.process.stdout.readline() == b"opened\n"
        assert await run.process.stdout.readline() == b"starting\n"
        run.stop()
        status, out, _ = await run.end()
        assert (status, out) == (0, ["closed"])


async def test_a_bug_at_the_start_is_logged_with_its_place(tmp_path: Path) -> None:
    async with demo(tmp_path, act="bug") as run:
        status, out, logs = await run.end()
        assert (status, out) == (1, ["opened", "closed"])
        assert "ZeroDivisionError: a bug" in logs[-1]["error"]


async def test_a_service_ends_with_the_task_it_needs(tmp_path: Path) -> None:
    async with demo(tmp_path, act="task-fails") as run:
        status, out, logs = await run.end()
        assert status == 1
        assert out[-1] == "closed"
        assert any("RuntimeError: the follower broke" in line.get("error", "") for line in logs)


async def test_a_close_that_hangs_is_left(tmp_path: Path) -> None:
    async with demo(tmp_path, act="close-hangs") as run:
        await run.ready()
        run.stop()
        async with asyncio.timeout(30):
            status, _, logs = await run.end()
        assert status == 0
        assert "closing took longer" in logs[-1]["message"]


async def test_a_close_that_fails_is_a_failure(tmp_path: Path) -> None:
    async with demo(tmp_path, act="close-fails") as run:
        await run.ready()
        run.stop()
        status, _, _ = await run.end()
        assert status == 1


async def test_a_collector_that_takes_nothing_keeps_no_service_from_its_end(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        where = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        async with demo(tmp_path, where) as run:
            await run.ready()
            run.stop()
            status, out, logs = await run.end()
    assert status == 0, logs
    assert out == ["opened", "drained, stopping", "closed"]


async def test_wrong_settings_end_it_before_anything_is_opened(tmp_path: Path) -> None:
    async with demo(tmp_path, act="badly", prot="1") as run:
        out, err = await run.process.communicate()
        assert run.process.returncode == 2
        assert out == b""
        lines = err.decode().splitlines()
        assert lines[0] == "demo does not start, its settings are wrong:"
        assert lines[1].startswith("LAELO_DEMO_ACT: 'badly' is not one of well,")
        assert lines[2].endswith("did you mean LAELO_DEMO_PORT?")


async def test_noise_on_the_pages_port_harms_nobody(tmp_path: Path) -> None:
    async with demo(tmp_path) as run:
        await run.ready()
        port = run.ports["http_port"]
        assert (await http(port, b"what\r\n\r\n"))[0] == 400
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"x" * 100_000)
        with suppress(ConnectionError):
            await writer.drain()
            assert await reader.read() == b"", "no answer"
        writer.close()
        assert await run.get("/livez") == (200, "alive\n")


async def test_reach_raises_faults_and_tries_the_rest_again() -> None:
    tries = 0

    async def third_time() -> str:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise ConnectionRefusedError("not yet")
        return "there"

    assert await reach("it", third_time, 20, "wait") == "there"

    async def broken() -> str:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        await reach("it", broken, 20, "wait")

    async def hangs() -> str:
        await asyncio.Event().wait()
        return ""

    with pytest.raises(SetupError, match=r"it did not answer within 0\.05 s: wait"):
        await reach("it", hangs, 0.05, "wait")
