"""An exporter for tests that remembers every span."""

from collections.abc import Mapping, Sequence
from typing import Any

from laelo_common.metrics import Counter, Metrics


class Noted:
    """A span, and whether it was ended."""

    def __init__(self, number: int, name: str, parent: str, attributes: Mapping[str, Any]) -> None:
        trace = parent.split("-")[1] if parent else f"{number:032x}"
        self.traceparent = f"00-{trace}-{number:016x}-01"
        self.name = name
        self.parent = parent
        self.attributes = dict(attributes)
        self.links: Sequence[str] = ()
        self.faults: list[str] = []
        """One for each time that it was ended: once, if all is well."""

    def end(self, fault: str = "") -> None:
        """End it."""
        self.faults.append(fault)


class Notes:
    """All spans that were begun, in that order."""

    def __init__(self) -> None:
        self.spans: list[Noted] = []
        self.recorded = self.dropped = Counter()

    def begin(
        self, name: str, parent: str, links: Sequence[str], attributes: Mapping[str, Any]
    ) -> Noted:
        """Begin one."""
        span = Noted(len(self.spans) + 1, name, parent, attributes)
        span.links = links
        self.spans.append(span)
        return span

    def named(self, name: str) -> list[Noted]:
        """Those of one name."""
        return [span for span in self.spans if span.name == name]

    def export(self, metrics: Metrics) -> None:
        """Of no interest."""

    def stop(self) -> None:
        """Nothing is left."""
