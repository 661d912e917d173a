"""What a service tells about itself over OTLP; switched on by OTEL_* variables only."""

import random
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, Protocol

from laelo_common.metrics import Metrics
from laelo_common.telemetry.traces import is_sampled

_UNTRACED: Final = nullcontext("")


class TelemetryError(Exception):
    """An OTEL_* variable is wrong: one sentence."""


class Exporter(Protocol):
    """The part of OpenTelemetry that is used; see `otel`."""

    def span(
        self, name: str, parent: str, attributes: Mapping[str, Any]
    ) -> AbstractContextManager[str]:
        """A span that is recorded; gives its traceparent."""

    def export(self, metrics: Metrics) -> None:
        """Export these metrics from now on."""

    def stop(self) -> None:
        """Export what is left."""


class Telemetry:
    """Traces of a service. While it is off, nothing of OpenTelemetry is even imported.

    Whether a trace is taken is decided once, where it begins (`root`, in the gateway).
    Everywhere else the traceparent that arrived decides: not sampled, no tracer is called.
    """

    def __init__(self, exporter: Exporter | None = None, ratio: float = 0.0) -> None:
        self._exporter = exporter
        self._ratio = ratio

    @property
    def is_on(self) -> bool:
        """Whether anything is exported."""
        return self._exporter is not None

    def root(self, name: str, **attributes: Any) -> AbstractContextManager[str]:
        """Begin a trace, or not: gives its traceparent, empty if it is not taken."""
        if self._exporter is None or random.random() >= self._ratio:
            return _UNTRACED
        return self._exporter.span(name, "", attributes)

    def span(self, name: str, traceparent: str, **attributes: Any) -> AbstractContextManager[str]:
        """A part of the trace that arrived: gives the traceparent to pass on."""
        if self._exporter is None or not is_sampled(traceparent):
            return nullcontext(traceparent) if traceparent else _UNTRACED
        return self._exporter.span(name, traceparent, attributes)

    def export(self, metrics: Metrics) -> None:
        """Export the metrics too; all of them have to be there by now."""
        if self._exporter is not None:
            self._exporter.export(metrics)

    def stop(self) -> None:
        """Export what is left and switch off."""
        exporter, self._exporter = self._exporter, None
        if exporter is not None:
            exporter.stop()


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
