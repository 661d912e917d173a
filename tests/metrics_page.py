"""What docs/operations/metrics.md says of every instrument."""

import re
from pathlib import Path
from typing import NamedTuple

from laelo_common.errors import Code

PAGE = Path(__file__).resolve().parents[1] / "docs/operations/metrics.md"
EVERY = frozenset(
    ("rules", "bots", "table", "matchmaking", "tournament", "archive", "gateway", "console")
)
_ROW = re.compile(r"\| `(\w+)` \| (\w+) \| (\w+) \| (.*?) \| (.*?) \| (.+) \|")
_ATTRIBUTE = re.compile(r"`(\w+)`: ([^;]+)")


class Instrument(NamedTuple):
    """One instrument; as documented, or as a service shows it."""

    kind: str
    unit: str
    services: frozenset[str]
    attributes: dict[str, frozenset[str]]
    """Attributes and all their values."""


def documented() -> dict[str, Instrument]:
    """All instruments of the page, by name."""
    found: dict[str, Instrument] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("| `"):
            continue
        row = _ROW.fullmatch(line)
        assert row is not None, f"no row of an instrument: {line}"
        name, kind, unit, attributes, services, _ = row.groups()
        assert name not in found, f"{name} is there twice"
        who = EVERY if services == "all" else frozenset(services.split(", "))
        found[name] = Instrument(kind, unit, who, _attributes(attributes))
    return found


def series_of(name: str, instrument: Instrument) -> set[str]:
    """The names under which Prometheus has it."""
    if instrument.kind != "histogram":
        return {name}
    return {f"{name}_bucket", f"{name}_sum", f"{name}_count"}


def _attributes(cell: str) -> dict[str, frozenset[str]]:
    found = {}
    for name, values in _ATTRIBUTE.findall(cell):
        every_code = values.startswith("each code of ")
        found[name] = frozenset(Code) if every_code else frozenset(values.strip().split(", "))
    return found
