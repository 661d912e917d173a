"""A running service, as its wiring sees it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from http import HTTPStatus
from typing import Any, Generic, NamedTuple, TypeVar

import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from laelo_common.metrics import Metrics
from laelo_common.runtime import process
from laelo_common.runtime.probes import Answer
from laelo_common.settings import ServiceSettings
from laelo_common.stream import SERVER_OPTIONS, Dial, plain
from laelo_common.telemetry import Telemetry
from laelo_common.tls import CALLERS, Guard, Identity

S = TypeVar("S", bound=ServiceSettings)

_log = logging.getLogger(__name__)


class SetupError(Exception):
    """The service cannot run: one sentence with the cause and the way out."""


class Plan(NamedTuple, Generic[S]):
    """What is known of a service before it lives."""

    name: str
    settings: S
    replica: str
    telemetry: Telemetry
    identity: Identity | None = None
    """Shown to other services; None = services talk in the clear."""


class Service(Generic[S]):
    """What the wiring of a service gets: settings, server, metrics, and hooks for the end."""

    def __init__(self, plan: Plan[S]) -> None:
        self.name = plan.name
        self.settings = plan.settings
        self.replica = plan.replica
        self.telemetry = plan.telemetry
        self.metrics = Metrics()
        process.show(self.metrics)
        self._identity = plan.identity
        self.metrics.gauge(
            "laelo_certificate_end_seconds",
            "When the certificate that others are shown runs out (Unix time); 0 = there is none.",
            lambda: 0.0 if plan.identity is None else plan.identity.current().ends,
        )
        self._guard = Guard(CALLERS.get(plan.name, {})) if plan.identity is not None else None
        guards = () if self._guard is None else (self._guard,)
        self.grpc = grpc.aio.server(options=SERVER_OPTIONS, interceptors=guards)
        """Add servicers here, and name them with `serves`."""
        self.port = 0
        """Where the service listens, once that is known."""
        self.is_open = False
        """Whether requests are answered."""
        self.ended = asyncio.Event()
        """Set when the service has to stop."""
        self.fault: BaseException | None = None
        self._health = health.aio.HealthServicer()
        self._names: list[str] = []
        self._drains: list[Callable[[], Awaitable[None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._unready: str | None = "starting"
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)

    def serves(self, *names: str) -> None:
        """Full names of gRPC services, such as `laelo.rules.v1.RulesService`, for health."""
        self._names.extend(names)

    def dial(self, service: str) -> Dial:
        """How to open channels to replicas of a service: `service.dial("rules")`."""
        return plain if self._identity is None else self._identity.dial(service)

    def on_drain(self, drain: Callable[[], Awaitable[None]]) -> None:
        """Called at the stop, before the server: `StreamServer.close`, for instance."""
        self._drains.append(drain)

    def task(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Work beside the requests, until the end. If it fails, the service stops with it."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._task_ended)

    def fail(self, fault: BaseException) -> None:
        """Stop the service with an exit status that is not 0."""
        if self.fault is None:
            self.fault = fault
        self.ended.set()

    async def set_ready(self, unready: str | None = None) -> None:
        """Tell health and /readyz: None = ready, else why not ("NATS is out of reach")."""
        self._unready = unready
        status = health_pb2.HealthCheckResponse
        value = status.SERVING if unready is None else status.NOT_SERVING
        for name in ("", *self._names):
            await self._health.set(name, value)

    # For the runtime.

    def listen(self, target: str) -> None:
        """Take the port. Raises SetupError."""
        self.metrics.count("laelo_calls_refused_total", "Calls refused: not theirs.", self._refused)
        try:
            if self._identity is None:
                self.port = self.grpc.add_insecure_port(target)
            else:
                credentials = self._identity.server_credentials()
                self.port = self.grpc.add_secure_port(target, credentials)
        except RuntimeError as error:
            raise SetupError(f"cannot listen on {target}: {error}") from error

    def _refused(self) -> int:
        return 0 if self._guard is None else self._guard.refused

    async def open(self) -> None:
        """Begin to answer."""
        if self.settings.reflection:
            names = (*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self.grpc)
        await self.grpc.start()
        self.is_open = True
        await self.set_ready()

    async def drain(self, seconds: float) -> None:
        """Say that no more is taken, and finish what is under way."""
        self._unready = "stopping"
        await self._health.enter_graceful_shutdown()
        if self._drains:
            drains = [asyncio.ensure_future(drain()) for drain in self._drains]
            done, late = await asyncio.wait(drains, timeout=seconds)
            for task in late:
                task.cancel()
            for error in await asyncio.gather(*done, return_exceptions=True):
                if isinstance(error, Exception):
                    _log.error("draining failed", exc_info=error)

    async def end_tasks(self) -> None:
        """Cancel the work beside the requests."""
        tasks = list(self._tasks)
        for task in tasks:
            task.remove_done_callback(self._task_ended)
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def readyz(self) -> Answer:
        """The page /readyz."""
        if self._unready is None:
            return Answer(HTTPStatus.OK, "ready\n")
        return Answer(HTTPStatus.SERVICE_UNAVAILABLE, f"{self._unready}\n")

    def _task_ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        fault = task.exception()
        if fault is not None:
            _log.error("task %s failed: the service stops", task.get_name(), exc_info=fault)
            self.fail(fault)
