"""What telemetry costs a move: `python bench/telemetry.py [--json] [--runs N] [--ratio SHARE]`.

The load of `laelo load` with telemetry off and on in turns, so that both meet the same machine,
against a collector in a process of its own that takes what comes and whose work is not counted.
The figure is the median of the ratios of neighbouring runs, in CPU time a move of nats-server,
rules, table and gateway.
"""

import argparse
import asyncio
import json
import multiprocessing
import statistics
import sys
from concurrent import futures
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

import grpc
from laelo_tools.load.run import Config, measure
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2 as metrics_pb2
from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2_grpc as metrics_grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as trace_grpc

RUNS = 5
LOAD = Config(tables=100, seconds=10, warmup=4)


class Traces(trace_grpc.TraceServiceServicer):
    """Takes spans, and counts them."""

    def __init__(self) -> None:
        self.spans = 0

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802 - gRPC's name
        """Take some."""
        for resource in request.resource_spans:
            self.spans += sum(len(scope.spans) for scope in resource.scope_spans)
        return trace_pb2.ExportTraceServiceResponse()


class Numbers(metrics_grpc.MetricsServiceServicer):
    """Takes metrics."""

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Take some."""
        return metrics_pb2.ExportMetricsServiceResponse()


def collect(parent: Connection) -> None:
    """A collector, until its parent says a word; answers with the number of spans."""
    server, traces = grpc.server(futures.ThreadPoolExecutor(max_workers=2)), Traces()
    add_traces, add_metrics = (
        trace_grpc.add_TraceServiceServicer_to_server,
        metrics_grpc.add_MetricsServiceServicer_to_server,
    )
    add_traces(traces, server)  # type: ignore[no-untyped-call]
    add_metrics(Numbers(), server)  # type: ignore[no-untyped-call]
    parent.send(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    parent.recv()
    server.stop(1).wait()
    parent.send(traces.spans)


def cost(config: Config) -> float:
    """Microseconds of CPU a move. Raises RuntimeError if a move was refused."""
    result = asyncio.run(measure(config))
    if not result.is_good:
        raise RuntimeError(f"errors under load: {result.errors}")
    state = "off" if config.telemetry is None else "on"
    print(f"{state}: {result.cpu_us_per_move:.1f} us a move", file=sys.stderr, flush=True)
    return result.cpu_us_per_move


def in_turn(off: Config, on: Config, *, swapped: bool) -> tuple[float, float]:
    """Costs with telemetry off and on, one after the other; every second time on comes first."""
    if swapped:
        with_it = cost(on)
        return cost(off), with_it
    return cost(off), cost(on)


def compare(load: Config, ratio: float, runs: int) -> dict[str, Any]:
    """Costs of all runs, and the ratio of on to off."""
    here, there = multiprocessing.Pipe()
    collector = multiprocessing.get_context("spawn").Process(target=collect, args=(there,))
    collector.start()
    try:
        on = replace(load, telemetry=(f"http://127.0.0.1:{here.recv()}", ratio))
        pairs = [in_turn(load, on, swapped=bool(number % 2)) for number in range(runs)]
        here.send("enough")
        spans = here.recv()
    finally:
        collector.terminate()
        collector.join()
    return {
        "sampled": ratio,
        "spans": spans,
        "off_us": [round(off, 1) for off, _ in pairs],
        "on_us": [round(on, 1) for _, on in pairs],
        "on / off": round(statistics.median(on / off for off, on in pairs), 3),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--runs", type=int, default=RUNS, help="pairs of runs")
    parser.add_argument("--tables", type=int, default=LOAD.tables)
    parser.add_argument("--ratio", type=float, default=0.01, help="share of traces that are taken")
    options = parser.parse_args()
    load = replace(LOAD, tables=options.tables)
    result = compare(load, options.ratio, options.runs)
    if options.json:
        print(json.dumps(result))
    else:
        print("\n".join(f"{name}: {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
