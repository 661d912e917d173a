"""What a service tells about itself over OTLP; switched on by OTEL_* variables only."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, Final, Protocol

from laelo_common.metrics import Counter, Metrics
from laelo_common.telemetry.traces import current, is_sampled

_UNTRACED: Final = nullcontext("")


class TelemetryError(Exception):
    """An OTEL_* variable is wrong: one sentence."""


class Span(Protocol):
    """A part of a trace that is under way."""

    traceparent: str
    """To pass on to whoever does a part of it."""

    def end(self, fault: str = "") -> None:
        """It is over; a fault is named by a code or by the type of an exception."""


class Exporter(Protocol):
    """The part of OpenTelemetry that is used; see `otel`."""

    recorded: Counter
    dropped: Counter

    def begin(
        self, name: str, parent: str, links: Sequence[str], attributes: Mapping[str, Any]
    ) -> Span:
        """Begin a span that is recorded. Parent and links are traceparents."""

    def export(self, metrics: Metrics) -> None:
        """Export these metrics from now on."""

    def stop(self) -> None:
        """Export what is left."""


class Telemetry:
    """Traces of a service. While it is off, nothing of OpenTelemetry is even imported.

    Whether a trace is taken is decided once, where it begins: `begin_root`. Everywhere else
    the traceparent that arrived decides: not sampled, no tracer is called.
    """

    def __init__(self, exporter: Exporter | None = None, ratio: float = 0.0) -> None:
        self._exporter = exporter
        self._ratio = ratio

    @property
    def is_on(self) -> bool:
        """Whether anything is exported."""
        return self._exporter is not None

    def begin_root(self, name: str, **attributes: Any) -> Span | None:
        """Begin a trace; None if it is not taken. Who has begun it, ends it."""
        if self._exporter is None or random.random() >= self._ratio:
            return None
        return self._exporter.begin(name, "", (), attributes)

    def begin(
        self, name: str, traceparent: str, links: Sequence[str] = (), **attributes: Any
    ) -> Span | None:
        """Begin a part of the trace that arrived; None if it is not taken. Who has begun it,
        ends it.
        """
        if self._exporter is None or not is_sampled(traceparent):
            return None
        return self._exporter.begin(name, traceparent, links, attributes)

    def root(self, name: str, **attributes: Any) -> AbstractContextManager[str]:
        """A trace for the work at hand, or not: gives its traceparent, empty if not taken."""
        span = self.begin_root(name, **attributes)
        return _UNTRACED if span is None else at_hand(span)

    def span(self, name: str, traceparent: str, **attributes: Any) -> AbstractContextManager[str]:
        """A part of the trace that arrived: gives the traceparent to pass on."""
        span = self.begin(name, traceparent, **attributes)
        if span is None:
            return nullcontext(traceparent) if traceparent else _UNTRACED
        return at_hand(span)

    def part(self, name: str, **attributes: Any) -> AbstractContextManager[str]:
        """A part of the work at hand, if that is traced."""
        traceparent = current.get()
        return self.span(name, traceparent, **attributes) if traceparent else _UNTRACED

    def export(self, metrics: Metrics) -> None:
        """Export the metrics too; all of them have to be there by now."""
        for fate in ("recorded", "dropped"):
            metrics.count(
                "laelo_telemetry_spans_total",
                "Spans, and what became of them.",
                partial(self._spans, fate),
                fate=fate,
            )
        if self._exporter is not None:
            self._exporter.export(metrics)

    def stop(self) -> None:
        """Export what is left and switch off."""
        exporter, self._exporter = self._exporter, None
        if exporter is not None:
            exporter.stop()

    def _spans(self, fate: str) -> float:
        counter = getattr(self._exporter, fate, None)
        return 0 if counter is None else counter.value


OFF: Final = Telemetry()


@contextmanager
def at_hand(span: Span | None) -> Iterator[str]:
    """Let the logs show the trace, and parts of the work be parts of the span, until it is
    over, and so the span. None: the work is not traced, whatever it was begun by.
    """
    traceparent = "" if span is None else span.traceparent
    token = current.set(traceparent)
    fault = ""
    try:
        yield traceparent
    except Exception as error:
        # Only its type: what it says may be somebody's secret. To be cancelled is no fault.
        fault = type(error).__name__
        raise
    finally:
        current.reset(token)
        if span is not None:
            span.end(fault)


def start(service: str, replica: str, environ: Mapping[str, str]) -> Telemetry:
    """Switch on what the OTEL_* variables ask for. Raises TelemetryError."""
    traces, numbers = _wants(environ, "TRACES"), _wants(environ, "METRICS")
    if not (traces or numbers):
        return Telemetry()
    from laelo_common.telemetry.otel import OtelExporter  # noqa: PLC0415 - dear; only when on

    name = environ.get("OTEL_SERVICE_NAME", f"laelo-{service}")
    exporter = OtelExporter(name, replica, traces=traces, metrics=numbers)
    return Telemetry(exporter, sampling_ratio(environ) if traces else 0.0)


def sampling_ratio(environ: Mapping[str, str]) -> float:
    """The share of traces to take, by OTEL_TRACES_SAMPLER and its argument; default all."""
    sampler = environ.get("OTEL_TRACES_SAMPLER", "parentbased_always_on")
    kind = sampler.removeprefix("parentbased_")
    fixed = {"always_on": 1.0, "always_off": 0.0}
    if kind in fixed:
        return fixed[kind]
    if kind != "traceidratio":
        raise TelemetryError(
            f"OTEL_TRACES_SAMPLER: {sampler!r} is not always_on, always_off or traceidratio, "
            "with or without parentbased_ before it"
        )
    raw = environ.get("OTEL_TRACES_SAMPLER_ARG", "1")
    try:
        ratio = float(raw)
    except ValueError:
        ratio = -1.0
    if not 0.0 <= ratio <= 1.0:
        raise TelemetryError(f"OTEL_TRACES_SAMPLER_ARG: {raw!r} is not a number from 0 to 1")
    return ratio


def _wants(environ: Mapping[str, str], signal: str) -> bool:
    """Whether an address is set for the signal, and nothing says no."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    if environ.get(f"OTEL_{signal}_EXPORTER", "otlp") != "otlp":
        return False
    names = ("OTEL_EXPORTER_OTLP_ENDPOINT", f"OTEL_EXPORTER_OTLP_{signal}_ENDPOINT")
    return any(environ.get(name) for name in names)
