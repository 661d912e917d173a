"""Traces and metrics over OTLP, off unless the standard OTEL_* variables switch them on."""

from laelo_common.telemetry.core import (
    OFF,
    Span,
    Telemetry,
    TelemetryError,
    at_hand,
    sampling_ratio,
    start,
)
from laelo_common.telemetry.spans import SPANS
from laelo_common.telemetry.traces import Trace, current, is_sampled, parse, written

__all__ = [
    "OFF",
    "SPANS",
    "Span",
    "Telemetry",
    "TelemetryError",
    "Trace",
    "at_hand",
    "current",
    "is_sampled",
    "parse",
    "sampling_ratio",
    "start",
    "written",
]
