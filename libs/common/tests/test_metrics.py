"""Counters, gauges and histograms, as Prometheus reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.metrics import Histogram, Metrics


def test_everything_is_written_in_prometheus_text() -> None:
    metrics = Metrics()
    moves = metrics.counter("laelo_table_moves_total", "Moves judged.", verdict="right")
    metrics.counter("laelo_table_moves_total", "Moves judged.", verdict='wr"o\\n\ng')
    metrics.gauge("laelo_table_warm", "Tables in memory.", lambda: 2.5)
    metrics.count("laelo_table_late_total", "Late answers.", lambda: 4)
    took = metrics.histogram("laelo_table_seconds", "Time of a move.", (0.1, 1.0))
    moves.value += 3
    for seconds in (0.05, 0.1, 0.5, 7):
        took.add(seconds)
    assert metrics.text().splitlines() == [
        "# HELP laelo_table_moves_total Moves judged.",
        "# TYPE laelo_table_moves_total counter",
        'laelo_table_moves_total{verdict="right"} 3',
        'laelo_table_moves_total{verdict="wr\\"o\\\\n\\ng"} 0',
        "# HELP laelo_table_warm Tables in memory.",
        "# TYPE laelo_table_warm gauge",
        "laelo_table_warm 2.5",
        "# HELP laelo_table_late_total Late answers.",
        "# TYPE laelo_table_late_total counter",
        "laelo_table_late_total 4",
        "# HELP laelo_table_seconds Time of a move.",
        "# TYPE laelo_table_seconds histogram",
        'laelo_table_seconds_bucket{le="0.1"} 2',
        'laelo_table_seconds_bucket{le="1"} 3',
        'laelo_table_seconds_bucket{le="+Inf"} 4',
        "laelo_table_seconds_sum 7.65",
        "laelo_table_seconds_count 4",
    ]


@given(st.lists(st.floats(0, 10)))
def test_a_histogram_counts_every_value_once(values: list[float]) -> None:
    histogram = Histogram((0.5, 2.0))
    for value in values:
        histogram.add(value)
    assert histogram.counts == [
        sum(value <= 0.5 for value in values),
        sum(0.5 < value <= 2.0 for value in values),
        sum(value > 2.0 for value in values),
    ]


def test_the_same_series_twice_is_a_fault() -> None:
    metrics = Metrics()
    metrics.counter("a_total", "A.", kind="x")
    with pytest.raises(ValueError, match="a_total"):
        metrics.counter("a_total", "A.", kind="x")
    with pytest.raises(ValueError, match="a_total"):
        metrics.gauge("a_total", "A.", lambda: 1, kind="y")
