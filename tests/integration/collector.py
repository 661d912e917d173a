"""What an OpenTelemetry collector is to the services: takes traces and metrics over gRPC."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import grpc.aio
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_pb2
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as metrics_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as trace_grpc

PATIENCE_SECONDS = 120.0


class Span(NamedTuple):
    """One span that was received."""

    name: str
    service: str
    trace: bytes
    id: bytes
    parent: bytes
    links: tuple[bytes, ...]
    """Spans that it is linked to."""
    begin_ns: int
    end_ns: int
    attributes: dict[str, str | int]
    fault: str


class Collector:
    """Keeps all that came."""

    def __init__(self) -> None:
        self.address = ""
        self.spans: dict[bytes, Span] = {}
        self.metrics: dict[str, set[str]] = {}
        """Names of the metrics of each service."""
        self._came = asyncio.Condition()

    async def take_traces(
        self, request: trace_pb2.ExportTraceServiceRequest, _context: Any
    ) -> trace_pb2.ExportTraceServiceResponse:
        """Spans of a service."""
        for resource in request.resource_spans:
            service = _service(resource.resource)
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                self.spans[span.span_id] = _read(span, service)
        await self._tell()
        return trace_pb2.ExportTraceServiceResponse()

    async def take_metrics(
        self, request: metrics_pb2.ExportMetricsServiceRequest, _context: Any
    ) -> metrics_pb2.ExportMetricsServiceResponse:
        """Numbers of a service."""
        for resource in request.resource_metrics:
            names = self.metrics.setdefault(_service(resource.resource), set())
            names.update(
                metric.name for scope in resource.scope_metrics for metric in scope.metrics
            )
        await self._tell()
        return metrics_pb2.ExportMetricsServiceResponse()

    async def until(self, found: Callable[[], Any]) -> Any:
        """Wait until something is found; what it is. Raises AssertionError if it never is."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS), self._came:
                while not (what := found()):
                    await self._came.wait()
                return what
        except TimeoutError:
            spans = Counter(span.name for span in self.spans.values())
            raise AssertionError(f"only {spans} and metrics of {[*self.metrics]} came") from None

    def way_up(self, span: Span) -> list[Span]:
        """A span and all above it, to the root of its trace, as far as they have come."""
        way = [span]
        while (above := self.spans.get(way[-1].parent)) is not None:
            way.append(above)
        return way

    def below(self, span: Span, name: str) -> list[Span]:
        """Spans of this name that are parts of a span."""
        return [one for one in self.spans.values() if one.parent == span.id and one.name == name]

    async def _tell(self) -> None:
        async with self._came:
            self._came.notify_all()


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    """A collector that listens on a free port."""
    collector, server = Collector(), grpc.aio.server()
    traces, metrics = trace_grpc.TraceServiceServicer(), metrics_grpc.MetricsServiceServicer()
    traces.Export = collector.take_traces  # type: ignore[method-assign]
    metrics.Export = collector.take_metrics  # type: ignore[method-assign]
    trace_grpc.add_TraceServiceServicer_to_server(traces, server)
    metrics_grpc.add_MetricsServiceServicer_to_server(metrics, server)
    collector.address = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield collector
    finally:
        await server.stop(None)


def _service(resource: Any) -> str:
    return str(_attributes(resource.attributes)["service.name"])


def _attributes(pairs: Any) -> dict[str, str | int]:
    return {pair.key: pair.value.string_value or pair.value.int_value for pair in pairs}


def _read(span: Any, service: str) -> Span:
    return Span(
        span.name,
        service,
        span.trace_id,
        span.span_id,
        span.parent_span_id,
        tuple(link.span_id for link in span.links),
        span.start_time_unix_nano,
        span.end_time_unix_nano,
        _attributes(span.attributes),
        span.status.message if span.status.code == 2 else "",
    )
