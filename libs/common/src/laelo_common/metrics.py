"""Numbers about a service: plain ints that the hot path adds to, read when somebody asks."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Bounds for how long things take."""

UNITS = {"_seconds": "s", "_bytes": "By"}
"""Units of what is no plain number, by the end of a metric's name; in UCUM's words."""


class Counter:
    """Only grows: `counter.value += 1`."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0


class Histogram:
    """How values spread over fixed bounds."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


Read = Callable[[], float]


class Series(NamedTuple):
    """One line of a metric: its labels and how to read it."""

    labels: tuple[tuple[str, str], ...]
    source: Counter | Histogram | Read

    def read(self) -> float:
        """The present value; a histogram's number of values."""
        if isinstance(self.source, Counter):
            return self.source.value
        if isinstance(self.source, Histogram):
            return sum(self.source.counts)
        return self.source()


class Metric(NamedTuple):
    """A name, what it means, and its series."""

    name: str
    kind: str
    text: str
    series: list[Series]

    @property
    def unit(self) -> str:
        """What its numbers count, as its name says: `s`, `By`, or `1` for plain numbers."""
        for ending, unit in UNITS.items():
            if self.name.removesuffix("_total").endswith(ending):
                return unit
        return "1"


class Metrics:
    """All metrics of a process. Names: `laelo_<service>_<what>_<unit or total>`."""

    def __init__(self) -> None:
        self._metrics: dict[str, Metric] = {}

    def __iter__(self) -> Iterator[Metric]:
        return iter(self._metrics.values())

    def counter(self, name: str, text: str, **labels: str) -> Counter:
        """A new counter; the name ends in `_total`."""
        counter = Counter()
        self._add(name, "counter", text, Series(tuple(labels.items()), counter))
        return counter

    def count(self, name: str, text: str, read: Read, **labels: str) -> None:
        """A counter that somebody else keeps, such as a stream's `timeouts`."""
        self._add(name, "counter", text, Series(tuple(labels.items()), read))

    def gauge(self, name: str, text: str, read: Read, **labels: str) -> None:
        """A number that goes up and down."""
        self._add(name, "gauge", text, Series(tuple(labels.items()), read))

    def histogram(
        self, name: str, text: str, bounds: Sequence[float] = SECONDS, **labels: str
    ) -> Histogram:
        """A new histogram."""
        histogram = Histogram(bounds)
        self._add(name, "histogram", text, Series(tuple(labels.items()), histogram))
        return histogram

    def text(self) -> str:
        """Everything, in Prometheus' text format."""
        lines: list[str] = []
        for metric in self:
            lines.append(f"# HELP {metric.name} {metric.text}")
            lines.append(f"# TYPE {metric.name} {metric.kind}")
            for series in metric.series:
                lines.extend(_lines(metric.name, series))
        return "\n".join(lines) + "\n"

    def _add(self, name: str, kind: str, text: str, series: Series) -> None:
        metric = self._metrics.setdefault(name, Metric(name, kind, text, []))
        if metric.kind != kind or any(other.labels == series.labels for other in metric.series):
            raise ValueError(f"metric {name} {dict(series.labels)} is there already")
        metric.series.append(series)


def _lines(name: str, series: Series) -> Iterator[str]:
    source = series.source
    if not isinstance(source, Histogram):
        yield f"{name}{_labels(series.labels)} {_number(series.read())}"
        return
    below = 0
    for bound, count in zip((*source.bounds, float("inf")), source.counts, strict=True):
        below += count
        le = "+Inf" if bound == float("inf") else f"{bound:g}"
        yield f"{name}_bucket{_labels((*series.labels, ('le', le)))} {below}"
    yield f"{name}_sum{_labels(series.labels)} {_number(source.total)}"
    yield f"{name}_count{_labels(series.labels)} {below}"


def _labels(labels: Sequence[tuple[str, str]]) -> str:
    if not labels:
        return ""
    pairs = ",".join(f'{key}="{_escaped(value)}"' for key, value in labels)
    return "{" + pairs + "}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
