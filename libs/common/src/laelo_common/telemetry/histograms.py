"""Histograms over OTLP. OpenTelemetry has none that only reads what is counted elsewhere."""

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics import export as sdk

from laelo_common.metrics import Histogram, Metric


class WithHistograms(OTLPMetricExporter):
    """Sends what the instruments have read, and beside it the histograms as they stand."""

    def __init__(self, histograms: Iterable[Metric]) -> None:
        super().__init__()
        self._histograms = list(histograms)
        self._since_ns = time.time_ns()

    def export(
        self, metrics_data: sdk.MetricsData, timeout_millis: float = 10_000, **kwargs: Any
    ) -> sdk.MetricExportResult:
        """Send both."""
        now_ns = time.time_ns()
        added = [self._read(metric, now_ns) for metric in self._histograms]
        resource, *others = metrics_data.resource_metrics
        scope, *more = resource.scope_metrics
        scope = replace(scope, metrics=[*scope.metrics, *added])
        resource = replace(resource, scope_metrics=[scope, *more])
        data = sdk.MetricsData([resource, *others])
        return super().export(data, timeout_millis, **kwargs)

    def _read(self, metric: Metric, now_ns: int) -> sdk.Metric:
        points = [
            self._point(dict(series.labels), series.source, now_ns)
            for series in metric.series
            if isinstance(series.source, Histogram)
        ]
        temporality = sdk.AggregationTemporality.CUMULATIVE
        data = sdk.Histogram(data_points=points, aggregation_temporality=temporality)
        return sdk.Metric(metric.name, metric.text, metric.unit, data)

    def _point(
        self, labels: dict[str, str], source: Histogram, now_ns: int
    ) -> sdk.HistogramDataPoint:
        unknown: Any = None
        return sdk.HistogramDataPoint(
            attributes=labels,
            start_time_unix_nano=self._since_ns,
            time_unix_nano=now_ns,
            count=sum(source.counts),
            sum=source.total,
            bucket_counts=tuple(source.counts),
            explicit_bounds=source.bounds,
            min=unknown,
            max=unknown,
        )
