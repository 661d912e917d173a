"""The OpenTelemetry SDK behind `core`. It reads addresses and intervals from OTEL_* itself."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import CallbackOptions, Meter, Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ALWAYS_ON

from laelo_common.metrics import Counter, Metric, Metrics
from laelo_common.telemetry.histograms import WithHistograms
from laelo_common.telemetry.spans import ASKS, SERVES, SPANS, STORES, TAKES_IN
from laelo_common.telemetry.traces import Trace, parse, written

STOP_SECONDS: Final = 2.0

_log = logging.getLogger(__name__)
_SCOPE: Final = "laelo"
_KINDS: Final = {
    SERVES: trace.SpanKind.SERVER,
    ASKS: trace.SpanKind.CLIENT,
    STORES: trace.SpanKind.PRODUCER,
    TAKES_IN: trace.SpanKind.CONSUMER,
}


class OtelSpan:
    """A span of the SDK, begun and not yet ended."""

    __slots__ = ("_span", "traceparent")

    def __init__(self, span: trace.Span) -> None:
        made = span.get_span_context()
        self._span = span
        self.traceparent = written(Trace(made.trace_id, made.span_id, int(made.trace_flags)))

    def end(self, fault: str = "") -> None:
        """End it, now."""
        if fault:
            self._span.set_status(trace.Status(trace.StatusCode.ERROR, fault))
        self._span.end()


class Batches(BatchSpanProcessor):
    """Sends spans in batches, and counts those for which there was no room."""

    def __init__(self, recorded: Counter, dropped: Counter) -> None:
        super().__init__(OTLPSpanExporter())
        self._recorded = recorded
        self._dropped = dropped

    def on_end(self, span: ReadableSpan) -> None:
        """Keep an ended span for the next batch; if all is full, the oldest one goes."""
        queue = self._batch_processor._queue  # the SDK tells it nowhere else
        full = len(queue) == queue.maxlen
        counter = self._dropped if full else self._recorded
        counter.value += 1
        super().on_end(span)


class OtelExporter:
    """Records spans and reads metrics for one service."""

    def __init__(self, service: str, replica: str, *, traces: bool, metrics: bool) -> None:
        self._resource = Resource.create({"service.name": service, "service.instance.id": replica})
        self.recorded = Counter()
        self.dropped = Counter()
        self._traces = self._tracer_provider() if traces else None
        self._tracer = (self._traces or trace.NoOpTracerProvider()).get_tracer(_SCOPE)
        self._wants_metrics = metrics
        self._metrics: MeterProvider | None = None

    def export(self, metrics: Metrics) -> None:
        """Every metric becomes an observable instrument that reads the plain ints."""
        if not self._wants_metrics:
            return
        histograms = [metric for metric in metrics if metric.kind == "histogram"]
        reader = PeriodicExportingMetricReader(WithHistograms(histograms))
        provider = MeterProvider([reader], resource=self._resource, shutdown_on_exit=False)
        meter = provider.get_meter(_SCOPE)
        for metric in metrics:
            if metric.kind != "histogram":
                _observe(meter, metric)
        self._metrics = provider

    def begin(
        self, name: str, parent: str, links: Sequence[str], attributes: Mapping[str, Any]
    ) -> OtelSpan:
        """Begin a span that is recorded."""
        return OtelSpan(
            self._tracer.start_span(
                name,
                _context(parent),
                kind=_KINDS[SPANS[name]],
                attributes=attributes,
                links=[trace.Link(known) for known in map(_remote, links) if known is not None],
            )
        )

    def stop(self) -> None:
        """Export what is left, as far as the collector takes it within a moment.

        By itself the SDK would ask a dead one for longer than a service has to end.
        """
        ending = threading.Thread(target=self._shut_down, name="telemetry-end", daemon=True)
        ending.start()
        ending.join(STOP_SECONDS)
        if ending.is_alive():
            _log.warning("the collector does not take what is left: it is lost")

    def _shut_down(self) -> None:
        if self._traces is not None:
            self._traces.shutdown()
        if self._metrics is not None:
            self._metrics.shutdown()

    def _tracer_provider(self) -> TracerProvider:
        """Who calls `span` has decided already: no second sampler."""
        provider = TracerProvider(
            sampler=ALWAYS_ON, resource=self._resource, shutdown_on_exit=False
        )
        provider.add_span_processor(Batches(self.recorded, self.dropped))
        return provider


def _context(parent: str) -> Context:
    """The context of a span that another process began; an empty one begins a trace."""
    remote = _remote(parent)
    if remote is None:
        return Context()
    return trace.set_span_in_context(trace.NonRecordingSpan(remote), Context())


def _remote(traceparent: str) -> trace.SpanContext | None:
    known = parse(traceparent)
    if known is None:
        return None
    flags = trace.TraceFlags(known.flags)
    return trace.SpanContext(known.trace_id, known.span_id, is_remote=True, trace_flags=flags)


def _observe(meter: Meter, metric: Metric) -> None:
    make = meter.create_observable_gauge
    if metric.kind == "counter":
        make = meter.create_observable_counter  # type: ignore[assignment]
    make(metric.name, callbacks=[_reader(metric)], unit=metric.unit, description=metric.text)


def _reader(metric: Metric) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def read(_options: CallbackOptions) -> Iterable[Observation]:
        # The list may grow later: what is added after the start is seen too.
        # A bool is no number to the encoder.
        return [Observation(+series.read(), dict(series.labels)) for series in metric.series]

    return read
