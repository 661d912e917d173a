"""Draws docs/pictures from bench/results: `python -m bench.pictures.draw`.

`make bench`, `make growth`, `make bench-peers` and `make soak` do it at their end.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from laelo_tools.report.charts.bars import Bar, Column, bars, columns

from bench.pictures.frame import framed
from bench.pictures.lines import Line, lines

ROOT: Final = Path(__file__).resolve().parents[2]
RESULTS: Final = ROOT / "bench" / "results"
PICTURES: Final = ROOT / "docs" / "pictures"
PROCESSES: Final = ("nats", "rules", "table", "gateway")

Figures = Mapping[str, Any]
Chart = Callable[[str, Figures], str]


def _by_process(run: Figures) -> list[float]:
    found = dict.fromkeys(PROCESSES, 0.0)
    for name, us in run["cpu_us_by_process"].items():
        service = name.partition("-")[0]
        if service in found:
            found[service] += us
    return list(found.values())


def _runs(figures: Figures) -> dict[str, Figures]:
    return {
        name: value
        for name, value in figures.items()
        if isinstance(value, dict) and "cpu_us_by_process" in value
    }


def costs(title: str, figures: Figures) -> str:
    """CPU a move by process, a column for each run."""
    rows = [
        Column(f"{int(name):,}" if name.isdigit() else name, _by_process(run))
        for name, run in _runs(figures).items()
    ]
    return columns(title, rows, names=PROCESSES)


def peers_cost(title: str, figures: Figures) -> str:
    """CPU a move of each server."""
    full = figures["servers"]["full"]
    rows = [(name, run["cpu_us_per_move"]) for name, run in full.items()]
    return bars(title, [Bar(name, us, f"{us:,.0f} µs") for name, us in rows])


def peers_rate(title: str, figures: Figures) -> str:
    """Moves a second of each server."""
    full = figures["servers"]["full"]
    rows = [(name, run["moves_per_second"]) for name, run in full.items()]
    return bars(title, [Bar(name, rate, f"{rate:,.0f}") for name, rate in rows])


def peers_latency(title: str, figures: Figures) -> str:
    """How soon the last of a table has a move, of people who think."""
    light = figures["servers"]["light"]
    rows = [(name, run["p50_ms"], run["p99_ms"]) for name, run in light.items()]
    said = [Bar(name, p99, f"{p50:.1f} / {p99:.1f} ms") for name, p50, p99 in rows]
    return bars(title, said)


def reading(name: str, *services: str) -> Chart:
    """Of the soak: one reading of some services, over time."""

    def chart(title: str, figures: Figures) -> str:
        samples = figures["samples"]
        at = [sample["minute"] for sample in samples]
        rows = [
            Line(service, [sample["services"][service][name] for sample in samples])
            for service in services
        ]
        return lines(title, at, rows)

    return chart


def latency(title: str, figures: Figures) -> str:
    """Of the soak: how soon a move is seen, over time."""
    samples = [sample for sample in figures["samples"] if "p50_ms" in sample]
    at = [sample["minute"] for sample in samples]
    return lines(
        title, at, [Line(name, [s[f"{name}_ms"] for s in samples]) for name in ("p50", "p99")]
    )


SERVICES: Final = ("nats", "table", "rules", "gateway")
DRAWN: Final[dict[str, tuple[str, str, Chart]]] = {
    "cost-by-tables": ("growth.tables", "µs of CPU a move, by tables at once", costs),
    "cost-by-stored": ("growth.stored", "µs of CPU a move, by commits stored before", costs),
    "cost-by-replicas": ("growth.replicas", "µs of CPU a move, by table services", costs),
    "cost-synced": ("growth.synced", "µs of CPU a move, each commit synced", costs),
    "peers-cost": ("peers", "µs of CPU a move, 100 tables", peers_cost),
    "peers-rate": ("peers", "moves a second, 100 tables on 2 cores", peers_rate),
    "peers-latency": ("peers", "p50 / p99 until all see it, light load", peers_latency),
    "soak-memory": ("soak", "memory in MB", reading("memory_mb", *SERVICES)),
    "soak-handles": ("soak", "file handles", reading("handles", *SERVICES)),
    "soak-latency": ("soak", "ms until all have a move", latency),
}
"""By file: where the figures are, what is said above the picture, and how it is drawn."""


def draw() -> list[str]:
    """Draw all whose figures are there; their names."""
    drawn = []
    PICTURES.mkdir(exist_ok=True)
    for name, (place, title, chart) in DRAWN.items():
        figures = _figures(place)
        if figures is not None:
            path = PICTURES / f"{name}.svg"
            path.write_text(framed(title, chart(title, figures)), encoding="utf-8")
            drawn.append(name)
    return drawn


def _figures(place: str) -> Figures | None:
    file, _, part = place.partition(".")
    path = RESULTS / f"{file}.json"
    if not path.exists():
        return None
    figures: Figures = json.loads(path.read_text(encoding="utf-8"))
    return figures.get(part) if part else figures


if __name__ == "__main__":
    print("\n".join(draw()))
