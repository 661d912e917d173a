"""Grafana's JSON, as far as it is needed here."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

WIDTH: Final = 24
HEIGHT: Final = 8
SOURCE: Final = {"type": "prometheus", "uid": "${source}"}

Json = dict[str, Any]


class Query(NamedTuple):
    """One line, or one for each set of labels."""

    expr: str
    legend: str


class Panel(NamedTuple):
    """A picture: its title says what is asked, its text what a good answer is."""

    title: str
    text: str
    unit: str
    """Of Grafana's units: `short`, `s`, `bytes`, `percentunit`, `reqps`, `ops`."""
    queries: Sequence[Query]
    kind: str = "timeseries"
    """Or `stat`: one number."""


class Row(NamedTuple):
    """Panels side by side, under a heading."""

    title: str
    panels: Sequence[Panel]


class Board(NamedTuple):
    """A dashboard."""

    name: str
    title: str
    rows: Sequence[Row]


def written(board: Board) -> Json:
    """The dashboard as Grafana imports it."""
    return {
        "uid": f"laelo-{board.name}",
        "title": f"Lá e Lô: {board.title}",
        "tags": ["laelo"],
        "schemaVersion": 39,
        "version": 1,
        "editable": False,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "timezone": "browser",
        "templating": {"list": [_source()]},
        "links": [_links()],
        "panels": list(_laid_out(board.rows)),
    }


def _source() -> Json:
    return {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}


def _links() -> Json:
    """To the other dashboards."""
    return {"title": "Lá e Lô", "type": "dashboards", "tags": ["laelo"], "asDropdown": True}


def _laid_out(rows: Sequence[Row]) -> Iterator[Json]:
    number, top = 1, 0
    for row in rows:
        yield {
            "id": number,
            "type": "row",
            "title": row.title,
            "collapsed": False,
            "gridPos": {"x": 0, "y": top, "w": WIDTH, "h": 1},
            "panels": [],
        }
        number, top = number + 1, top + 1
        width = WIDTH // len(row.panels)
        for place, panel in enumerate(row.panels):
            where = {"x": place * width, "y": top, "w": width, "h": HEIGHT}
            yield {"id": number, "gridPos": where, **_panel(panel)}
            number += 1
        top += HEIGHT


def _panel(panel: Panel) -> Json:
    return {
        "type": panel.kind,
        "title": panel.title,
        "description": panel.text,
        "datasource": SOURCE,
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": _options(panel.kind),
        "targets": [
            {
                "refId": chr(ord("A") + number),
                "datasource": SOURCE,
                "expr": query.expr,
                "legendFormat": query.legend,
            }
            for number, query in enumerate(panel.queries)
        ],
    }


def _options(kind: str) -> Json:
    if kind == "stat":
        return {"reduceOptions": {"calcs": ["lastNotNull"]}, "colorMode": "value"}
    return {
        "legend": {"displayMode": "list", "placement": "bottom"},
        "tooltip": {"mode": "multi", "sort": "desc"},
    }
