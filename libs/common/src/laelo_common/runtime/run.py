"""From settings to a running service and back: the same start and end for all of them."""

import asyncio
import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http import HTTPStatus
from typing import Any, Final, TypeVar

from laelo_common import telemetry
from laelo_common.runtime import logs, ports
from laelo_common.runtime.probes import Answer, Probes
from laelo_common.runtime.service import Plan, Service, SetupError
from laelo_common.settings import ServiceSettings, SettingsError, load, prefix
from laelo_common.telemetry import TelemetryError
from laelo_common.tls import Identity, TlsError

S = TypeVar("S", bound=ServiceSettings)

Wire = Callable[[Service[S]], AbstractAsyncContextManager[None]]
"""An async context manager: connects and adds servicers, yields, closes what it opened."""

_log = logging.getLogger(__name__)

OK, FAILED, MISCONFIGURED = 0, 1, 2

GC_THRESHOLDS: Final = (20_000, 20, 50)
"""A service holds many objects that live long and are in no cycle: looking through them as
often as usual cost the table service a sixth of its time.
"""

_DRAIN_SECONDS: Final = 4.0
_SERVER_SECONDS: Final = 2.0
_CLOSE_SECONDS: Final = 3.0
_LAST_SECOND: Final = 9.5
"""The three before it fit in; whatever hangs after that is cut off."""


def run_service(
    name: str,
    kind: type[S],
    wire: Wire[S],
    *,
    serve_grpc: bool = True,
    loop: Callable[[], asyncio.AbstractEventLoop] | None = None,
    environ: Mapping[str, str] | None = None,
) -> int:
    """Run a service until it is told to stop; the exit status of the process.

    0 after SIGTERM or SIGINT, 1 after a fault, 2 if the settings are wrong. The end, within
    10 s: readiness off, health, `on_drain`, gRPC server, tasks, what `wire` opened,
    telemetry. A service without gRPC (`serve_grpc=False`) listens for HTTP in `wire`, on
    `settings.http_port`, and sets `service.port` itself; its probes are on `settings.port`.
    `loop` makes another event loop than asyncio's own, such as uvloop's.
    """
    environ = os.environ if environ is None else environ
    try:
        settings = load(kind, name, environ)
    except SettingsError as error:
        print(f"{name} does not start, its settings are wrong:\n{error}", file=sys.stderr)
        return MISCONFIGURED
    replica = settings.replica or f"{socket.gethostname()}-{os.getpid()}"
    logs.configure(name, replica, settings.log_level, settings.log_format)
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        traces = telemetry.start(name, replica, environ)
        with asyncio.Runner(loop_factory=loop) as runner:
            plan = Plan(name, settings, replica, traces, _identity(name, settings))
            return runner.run(_live(plan, wire, serve_grpc))
    except asyncio.CancelledError:
        _log.info("stopped while starting")
        return OK
    except (SetupError, TelemetryError) as error:
        _log.critical("%s does not start: %s", name, error)
    except Exception:  # noqa: BLE001 - logged
        _log.critical("%s failed", name, exc_info=True)
    return FAILED


def _identity(name: str, settings: ServiceSettings) -> Identity | None:
    """What the service shows to others, if it is told of any. Raises SetupError."""
    if settings.tls_folder is None:
        return None
    try:
        return Identity.of(name, settings.tls_folder)
    except TlsError as error:
        variable = prefix(name) + "TLS_FOLDER"
        raise SetupError(f"{variable} is {str(settings.tls_folder)!r}: {error}") from error


async def _live(plan: Plan[S], wire: Wire[S], serve_grpc: bool) -> int:
    """One life; each block ends what it began, the last one first."""
    service = Service(plan)
    async with (
        _signals(service),
        _listening(service, serve_grpc),
        _probes(service, serve_grpc) as probes_port,
        _exporting(service),
        _wired(service, wire),
        _serving(service),
        _announced(service, probes_port, serve_grpc),
    ):
        await service.ended.wait()
        _log.info("stopping")
    return OK if service.fault is None else FAILED


@asynccontextmanager
async def _signals(service: Service[Any]) -> AsyncIterator[None]:
    """SIGTERM and SIGINT end the service; while it still starts they cancel the start."""
    loop = asyncio.get_running_loop()
    main = asyncio.current_task()
    last = threading.Timer(_LAST_SECOND, _cut_off)
    last.daemon = True

    def stop() -> None:
        if not service.is_open and not service.ended.is_set() and main is not None:
            main.cancel()
        service.ended.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    watch = asyncio.create_task(_start_when(service.ended, last))
    try:
        yield
    finally:
        last.cancel()
        watch.cancel()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


async def _start_when(ended: asyncio.Event, timer: threading.Timer) -> None:
    await ended.wait()
    timer.start()


def _cut_off() -> None:
    _log.critical("did not stop within %g s: cut off", _LAST_SECOND)
    logging.shutdown()
    os._exit(FAILED)


@asynccontextmanager
async def _probes(service: Service[Any], serve_grpc: bool) -> AsyncIterator[int]:
    settings = service.settings
    wanted = settings.http_port if serve_grpc else settings.port
    probes = Probes(
        {
            "/livez": lambda: Answer(HTTPStatus.OK, "alive\n"),
            "/readyz": service.readyz,
            "/metrics": lambda: Answer(HTTPStatus.OK, service.metrics.text()),
        }
    )
    try:
        port = await probes.start(settings.host, wanted)
    except OSError as error:
        variable = prefix(service.name) + ("HTTP_PORT" if serve_grpc else "PORT")
        raise SetupError(ports.sentence(error, settings.host, wanted, variable)) from error
    try:
        yield port
    finally:
        await probes.stop()


@asynccontextmanager
async def _wired(service: Service[S], wire: Wire[S]) -> AsyncIterator[None]:
    seconds = service.settings.start_seconds
    manager = wire(service)
    try:
        async with asyncio.timeout(seconds):
            await manager.__aenter__()
    except TimeoutError as error:
        variable = prefix(service.name) + "START_SECONDS"
        raise SetupError(
            f"not ready within {seconds:g} s; the log lines before say what it waits for "
            f"({variable} sets the time)"
        ) from error
    try:
        yield
    finally:
        await service.end_tasks()
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await manager.__aexit__(None, None, None)
        except TimeoutError:
            _log.error("closing took longer than %g s", _CLOSE_SECONDS)


@asynccontextmanager
async def _exporting(service: Service[Any]) -> AsyncIterator[None]:
    try:
        yield
    finally:
        await asyncio.to_thread(service.telemetry.stop)


@asynccontextmanager
async def _listening(service: Service[Any], serve_grpc: bool) -> AsyncIterator[None]:
    """Take the port before anything else, so that a taken one is known at once."""
    settings = service.settings
    if serve_grpc:
        variable = prefix(service.name) + "PORT"
        ports.check_free(settings.host, settings.port, variable)
        service.listen(ports.target(settings.host, settings.port))
    try:
        yield
    finally:
        # A server that was never started has to be stopped too, or its port stays taken.
        await service.grpc.stop(None)


@asynccontextmanager
async def _serving(service: Service[Any]) -> AsyncIterator[None]:
    service.telemetry.export(service.metrics)
    await service.open()
    try:
        yield
    finally:
        await service.drain(_DRAIN_SECONDS)
        await service.grpc.stop(_SERVER_SECONDS)


@asynccontextmanager
async def _announced(
    service: Service[Any], probes_port: int, serve_grpc: bool
) -> AsyncIterator[None]:
    """Tell where the service listens: in the log, and in the ready file for who started it."""
    port, http_port = (service.port, probes_port) if serve_grpc else (probes_port, service.port)
    chosen = {"port": port, "http_port": http_port, "pid": os.getpid()}
    _log.info("ready", extra=chosen)
    file = service.settings.ready_file
    if file is None:
        yield
        return
    try:
        scratch = file.with_suffix(".new")
        scratch.write_text(json.dumps(chosen), encoding="utf-8")
        scratch.replace(file)
    except OSError as error:
        raise SetupError(f"the ready file {file} cannot be written ({error.strerror})") from error
    try:
        yield
    finally:
        file.unlink(missing_ok=True)
