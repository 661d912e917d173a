"""Traces and metrics over OTLP, off unless the standard OTEL_* variables switch them on."""

from laelo_common.telemetry.core import Telemetry, TelemetryError, sampling_ratio, start
from laelo_common.telemetry.traces import Trace, current, is_sampled, parse, written

__all__ = [
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
