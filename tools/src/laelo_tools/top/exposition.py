"""What services say of themselves at /metrics, as numbers."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)")
_LABEL: Final = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Value(NamedTuple):
    """One series at one moment."""

    name: str
    labels: dict[str, str]
    value: float


def parse(text: str) -> Iterator[Value]:
    """All series of a page; lines that are none are left out."""
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            continue
        try:
            value = float(found[3])
        except ValueError:
            continue
        yield Value(found[1], dict(_LABEL.findall(found[2] or "")), value)


class Numbers:
    """The numbers of all parts together."""

    def __init__(self, values: Iterable[Value] = ()) -> None:
        self._values = list(values)

    def total(self, name: str, **labels: str) -> float:
        """The sum over all series of this name with these labels."""
        return sum(self._of(name, labels))

    def most(self, name: str, **labels: str) -> float:
        """The largest of them, where each part tells the same of all; 0 without any."""
        return max(self._of(name, labels), default=0.0)

    def by(self, name: str, label: str) -> dict[str, float]:
        """The largest of each value of a label."""
        found: dict[str, float] = {}
        for value in self._values:
            if value.name == name and label in value.labels:
                key = value.labels[label]
                found[key] = max(found.get(key, 0.0), value.value)
        return found

    def _of(self, name: str, labels: dict[str, str]) -> Iterator[float]:
        for value in self._values:
            if value.name == name and labels.items() <= value.labels.items():
                yield value.value
