"""The OpenTelemetry SDK behind `core`. It reads addresses and intervals from OTEL_* itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import CallbackOptions, Meter, Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON

from laelo_common.metrics import Metric, Metrics
from laelo_common.telemetry.traces import Trace, current, parse, written

_SCOPE = "laelo"


class OtelExporter:
    """Records spans and reads metrics for one service."""

    def __init__(self, service: str, replica: str, *, traces: bool, metrics: bool) -> None:
        self._resource = Resource.create({"service.name": service, "service.instance.id": replica})
        self._traces = self._tracer_provider() if traces else None
        self._wants_metrics = metrics
        self._metrics: MeterProvider | None = None

    def export(self, metrics: Metrics) -> None:
        """Every metric becomes an observable instrument that reads the plain ints."""
        if not self._wants_metrics:
            return
        reader = PeriodicExportingMetricReader(OTLPMetricExporter())
        provider = MeterProvider([reader], resource=self._resource, shutdown_on_exit=False)
        meter = provider.get_meter(_SCOPE)
        for metric in metrics:
            _observe(meter, metric)
        self._metrics = provider

    @contextmanager
    def span(self, name: str, parent: str, attributes: Mapping[str, Any]) -> Iterator[str]:
        """A recorded span; gives its traceparent and lets the logs show it."""
        if self._traces is None:
            yield parent
            return
        tracer = self._traces.get_tracer(_SCOPE)
        with tracer.start_as_current_span(name, _context(parent), attributes=attributes) as span:
            made = span.get_span_context()
            traceparent = written(Trace(made.trace_id, made.span_id, int(made.trace_flags)))
            token = current.set(traceparent)
            try:
                yield traceparent
            finally:
                current.reset(token)

    def stop(self) -> None:
        """Export what is left."""
        if self._traces is not None:
            self._traces.shutdown()
        if self._metrics is not None:
            self._metrics.shutdown()

    def _tracer_provider(self) -> TracerProvider:
        """Who calls `span` has decided already: no second sampler."""
        provider = TracerProvider(
            sampler=ALWAYS_ON, resource=self._resource, shutdown_on_exit=False
        )
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        return provider


def _context(parent: str) -> Context:
    """The context of a span that another process began; an empty one begins a trace."""
    known = parse(parent)
    if known is None:
        return Context()
    remote = trace.SpanContext(
        known.trace_id, known.span_id, is_remote=True, trace_flags=trace.TraceFlags(known.flags)
    )
    return trace.set_span_in_context(trace.NonRecordingSpan(remote), Context())


def _observe(meter: Meter, metric: Metric) -> None:
    """Histograms export their number of values; their shape is on /metrics."""
    make = meter.create_observable_gauge
    if metric.kind != "gauge":
        make = meter.create_observable_counter  # type: ignore[assignment]
    make(metric.name, callbacks=[_reader(metric)], description=metric.text)


def _reader(metric: Metric) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def read(_options: CallbackOptions) -> Iterable[Observation]:
        # The list may grow later: what is added after the start is seen too.
        return [Observation(series.read(), dict(series.labels)) for series in metric.series]

    return read
