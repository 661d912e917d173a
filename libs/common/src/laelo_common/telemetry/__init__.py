"""Traces and metrics over OTLP, off unless the standard OTEL_* variables switch them on."""

from laelo_common.telemetry.core import OFF, Span, Telemetry, TelemetryError, sampling_ratio, start
from laelo_common.telemetry.spans import SPANS
from laelo_common.telemetry.traces import Trace, current, is_sampled, parse, written

__all__ = [
    "OFF",
    "SPANS",
    "Span",
    "Telemetry",
    "TelemetryError",
    "Trace",
    "current",
    "is_sampled",
    "parse",
    "sampling_ratio",
    "start",
    "written",
]
