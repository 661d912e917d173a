"""Telemetry: off without OTEL_* variables, and one trace across processes with them."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common import telemetry
from laelo_common.metrics import Metrics
from laelo_common.telemetry import Trace, is_sampled, parse, sampling_ratio, written
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_pb2
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as metrics_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as trace_grpc

SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
UNSAMPLED = SAMPLED[:-1] + "0"

ids = st.integers(1, 2**64 - 1)


class Collector(trace_grpc.TraceServiceServicer, metrics_grpc.MetricsServiceServicer):
    """Takes what an OTLP exporter sends."""

    def __init__(self) -> None:
        self.spans: dict[str, Any] = {}
        self.numbers: dict[str, Any] = {}
        self.services: set[str] = set()

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802 - gRPC's name
        if isinstance(request, trace_pb2.ExportTraceServiceRequest):
            for resource in request.resource_spans:
                for attribute in resource.resource.attributes:
                    if attribute.key == "service.name":
                        self.services.add(attribute.value.string_value)
                for scope in resource.scope_spans:
                    self.spans.update({span.name: span for span in scope.spans})
            return trace_pb2.ExportTraceServiceResponse()
        for resource in request.resource_metrics:
            for scope in resource.scope_metrics:
                self.numbers.update({metric.name: metric for metric in scope.metrics})
        return metrics_pb2.ExportMetricsServiceResponse()


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=2))
    servicer = Collector()
    trace_grpc.add_TraceServiceServicer_to_server(servicer, server)
    metrics_grpc.add_MetricsServiceServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{port}")
    yield servicer
    server.stop(None).wait()


@given(ids, ids, st.integers(0, 255))
def test_a_traceparent_survives_reading_and_writing(trace: int, span: int, flags: int) -> None:
    text = written(Trace(trace, span, flags))
    assert parse(text) == Trace(trace, span, flags)
    assert is_sampled(text) == bool(flags & 1)


@given(st.text(alphabet="0123456789abcdefg-", max_size=60))
def test_what_is_no_traceparent_is_none(text: str) -> None:
    parsed = parse(text)
    assert parsed is None or written(parsed) == text


def test_all_zero_ids_are_no_trace() -> None:
    assert parse("00-" + "0" * 32 + "-00f067aa0ba902b7-01") is None


def test_off_without_variables_and_nothing_is_imported() -> None:
    code = (
        "import sys; from laelo_common import telemetry; t = telemetry.start('x', 'r', {});"
        "assert not t.is_on; assert t.root('a').__enter__() == ''; t.stop();"
        "print([m for m in sys.modules if m.startswith('opentelemetry')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"},
        {
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x",
            "OTEL_TRACES_EXPORTER": "none",
            "OTEL_METRICS_EXPORTER": "none",
        },
    ],
)
def test_what_keeps_it_off(environ: dict[str, str]) -> None:
    assert not telemetry.start("x", "r", environ).is_on


@pytest.mark.parametrize(
    ("sampler", "argument", "ratio"),
    [
        (None, None, 1.0),
        ("always_off", None, 0.0),
        ("parentbased_always_on", None, 1.0),
        ("traceidratio", "0.25", 0.25),
        ("parentbased_traceidratio", "0.01", 0.01),
    ],
)
def test_the_share_of_traces(sampler: str | None, argument: str | None, ratio: float) -> None:
    names = {"OTEL_TRACES_SAMPLER": sampler, "OTEL_TRACES_SAMPLER_ARG": argument}
    assert sampling_ratio({k: v for k, v in names.items() if v is not None}) == ratio


@pytest.mark.parametrize("argument", ["much", "1.5", "-1", "nan"])
def test_a_wrong_share_is_said(argument: str) -> None:
    environ = {"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": argument}
    with pytest.raises(telemetry.TelemetryError, match=r"OTEL_TRACES_SAMPLER_ARG.*0 to 1"):
        sampling_ratio(environ)
    with pytest.raises(telemetry.TelemetryError, match="OTEL_TRACES_SAMPLER"):
        sampling_ratio({"OTEL_TRACES_SAMPLER": "jaeger_remote"})


def test_one_trace_across_two_services(collector: Collector) -> None:
    import os

    gateway = telemetry.start("gateway", "g1", os.environ)
    table = telemetry.start("table", "t1", os.environ)
    with gateway.root("gateway.command", table="T1") as sent:
        assert is_sampled(sent)
        with table.span("table.command", sent) as inner:
            assert telemetry.current.get() == inner
    with table.span("rules.judge", UNSAMPLED) as passed_on:
        assert passed_on == UNSAMPLED
    gateway.stop()
    table.stop()
    assert set(collector.spans) == {"gateway.command", "table.command"}
    move, decide = collector.spans["gateway.command"], collector.spans["table.command"]
    assert decide.trace_id == move.trace_id
    assert decide.parent_span_id == move.span_id
    assert not move.parent_span_id
    assert collector.services == {"laelo-gateway", "laelo-table"}
    assert telemetry.current.get() == ""


def test_nothing_is_recorded_at_a_ratio_of_zero(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    off = telemetry.start("gateway", "g1", os.environ)
    with off.root("gateway.command") as sent:
        assert sent == ""
    off.stop()
    assert not collector.spans


def test_plain_ints_reach_the_collector(collector: Collector) -> None:
    import os

    metrics = Metrics()
    moves = metrics.counter("laelo_x_moves_total", "Moves.", kind="a")
    metrics.gauge("laelo_x_warm", "Warm.", lambda: 4)
    metrics.gauge("laelo_x_stuck", "1 = stuck.", lambda: moves.value > 0)
    waits = metrics.histogram("laelo_x_wait_seconds", "Waits.", (0.1, 1.0), kind="a")
    on = telemetry.start("x", "r", os.environ)
    on.export(metrics)
    moves.value += 5
    for seconds in (0.05, 0.5, 0.6, 7.0):
        waits.add(seconds)
    on.stop()
    (point,) = collector.numbers["laelo_x_moves_total"].sum.data_points
    assert (point.as_int or point.as_double) == 5
    assert point.attributes[0].value.string_value == "a"
    (warm,) = collector.numbers["laelo_x_warm"].gauge.data_points
    assert (warm.as_int or warm.as_double) == 4
    (stuck,) = collector.numbers["laelo_x_stuck"].gauge.data_points
    assert (stuck.as_int or stuck.as_double) == 1
    wait = collector.numbers["laelo_x_wait_seconds"]
    assert wait.unit == "s"
    (spread,) = wait.histogram.data_points
    assert (spread.count, list(spread.bucket_counts)) == (4, [1, 2, 1])
    assert (spread.sum, list(spread.explicit_bounds)) == (pytest.approx(8.15), [0.1, 1.0])
    assert spread.attributes[0].value.string_value == "a"


def test_a_fault_is_named_and_not_told(collector: Collector) -> None:
    import os

    table = telemetry.start("table", "t1", os.environ)
    with pytest.raises(ValueError, match="5-3"), table.span("table.command", SAMPLED):
        raise ValueError("the tile 5-3 of somebody")
    with pytest.raises(asyncio.CancelledError), table.span("log.append", SAMPLED):
        raise asyncio.CancelledError
    begun = table.begin("archive.commits", SAMPLED, [SAMPLED, UNSAMPLED, "nothing"], stream="TBL")
    assert begun is not None
    begun.end()
    assert table.begin("archive.commits", UNSAMPLED) is None
    table.stop()
    failed, page = collector.spans["table.command"], collector.spans["archive.commits"]
    assert (failed.status.code, failed.status.message) == (2, "ValueError")
    assert not failed.events
    assert collector.spans["log.append"].status.code == 0
    assert len(page.links) == 2
    assert page.links[0].span_id.hex() == SAMPLED.split("-")[2]
    assert page.kind == 5


def test_spans_without_room_are_counted(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "4")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "3600000")
    metrics = Metrics()
    on = telemetry.start("x", "r", os.environ)
    on.export(metrics)
    for _ in range(200):
        with on.root("gateway.command"):
            pass
    (spans,) = (metric for metric in metrics if metric.name == "laelo_telemetry_spans_total")
    recorded, dropped = (series.read() for series in spans.series)
    assert recorded + dropped == 200
    assert recorded >= 4
    on.stop()


def test_nothing_is_dropped_while_off() -> None:
    metrics = Metrics()
    telemetry.OFF.export(metrics)
    assert 'laelo_telemetry_spans_total{fate="dropped"} 0' in metrics.text()


def test_the_page_of_traces_tells_of_every_span() -> None:
    page = Path(__file__).resolve().parents[3] / "docs/operations/tracing.md"
    told = re.findall(r"^\| `([a-z]+\.[a-z]+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(told) == sorted(telemetry.SPANS)
