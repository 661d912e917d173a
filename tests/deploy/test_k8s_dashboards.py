"""Dashboards ask only for what there is, are laid out as Grafana wants it, and are as generated."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from deploy.monitoring.__main__ import files

from .manifests import named, overlay
from .rules_files import known, names_in, unknown_labels

pytestmark = pytest.mark.k8s

UNITS = {"short", "s", "ops", "reqps", "bytes", "percentunit"}
WIDTH = 24


def boards() -> dict[str, Any]:
    """The dashboards as Grafana's sidecar finds them."""
    data = named(overlay("prod"), "ConfigMap", "dashboards")["data"]
    return {name: json.loads(text) for name, text in data.items()}


def queries(board: Any) -> list[str]:
    return [target["expr"] for panel in board["panels"] for target in panel.get("targets", ())]


def test_what_is_generated_is_what_is_there() -> None:
    for path, text in files():
        assert path.read_text(encoding="utf-8") == text, "run `python -m deploy.monitoring`"


def test_grafana_is_given_all_of_them() -> None:
    labels = named(overlay("prod"), "ConfigMap", "dashboards")["metadata"]["labels"]
    assert labels["grafana_dashboard"] == "1"
    assert boards().keys() == {path.name for path, _ in files() if path.suffix == ".json"}
    assert len({board["uid"] for board in boards().values()}) == len(boards())


def test_they_ask_for_series_that_there_are() -> None:
    assert names_in('sum by (job) (rate(laelo_x_total{a="up"}[5m])) / on() up > 0.5') == {
        "laelo_x_total",
        "up",
    }
    there = known()
    for board in boards().values():
        for expr in queries(board):
            assert names_in(expr), expr
            assert names_in(expr) <= there, expr
            assert not unknown_labels(expr), expr


@pytest.mark.skipif(shutil.which("promtool") is None, reason="no promtool (Debian: prometheus)")
def test_prometheus_understands_what_they_ask(tmp_path: Path) -> None:
    asked = [expr for board in boards().values() for expr in queries(board)]
    assert len(asked) > 50
    assert checked(asked, tmp_path) == 0
    assert checked([*asked, "sum by ((up)"], tmp_path) != 0


def checked(exprs: list[str], folder: Path) -> int:
    """What promtool thinks of queries, each as a recorded series."""
    rules = [
        {"record": f"checked:{number}", "expr": expr} for number, expr in enumerate(exprs, start=1)
    ]
    file = folder / "queries.json"
    file.write_text(json.dumps({"groups": [{"name": "queries", "rules": rules}]}))
    argv = ["promtool", "check", "rules", str(file)]
    return subprocess.run(argv, capture_output=True, check=False).returncode


def test_they_are_laid_out_as_grafana_wants_it() -> None:
    for board in boards().values():
        panels = board["panels"]
        assert [panel["id"] for panel in panels] == list(range(1, len(panels) + 1))
        taken: set[tuple[int, int]] = set()
        for panel in panels:
            place = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            assert not cells & taken, panel["title"]
            assert max(x for x, _ in cells) < WIDTH
            taken |= cells
            if panel["type"] != "row":
                assert panel["description"].endswith((".", "?")), panel["title"]
                assert panel["fieldConfig"]["defaults"]["unit"] in UNITS
                assert panel["datasource"]["uid"] == "${source}"
                refs = [target["refId"] for target in panel["targets"]]
                assert refs == sorted(set(refs))
        assert [v["name"] for v in board["templating"]["list"]] == ["source"]
