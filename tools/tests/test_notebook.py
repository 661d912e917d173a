"""The notebook for newcomers runs from its first to its last cell, with no network."""

import ast
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from tools.tests.exports import Made

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs/notebooks/first_look.ipynb"
CELLS: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; what its last line is worth, as a notebook shows it."""
    cell = ast.parse(source)
    last = cell.body.pop() if isinstance(cell.body[-1], ast.Expr) else None
    exec(compile(cell, str(NOTEBOOK), "exec"), names)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    value = eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)
    return value._repr_html_()


@pytest.mark.integration
def test_every_cell_shows_something(made: Made, monkeypatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a notebook asks the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("LAELO_EXPORT", str(made.parquet))
    monkeypatch.chdir(NOTEBOOK.parent)
    names: dict[str, Any] = {}
    told = {
        cell["id"]: shown("".join(cell["source"]), names)
        for cell in CELLS
        if cell["cell_type"] == "code"
    }
    assert all(told.values())
    assert "<svg" in told["tiles"]
    rows = json.loads((made.parquet / "export.json").read_text())["rows"]
    assert all(f"<td>{count}</td>" in told["open"] for count in rows.values())
    assert names["by_doubles"]["hands"].sum() == 4 * len(names["hands"])


def test_who_has_no_export_is_told_how_to_make_one(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("LAELO_EXPORT", os.fspath(tmp_path))
    monkeypatch.chdir(NOTEBOOK.parent)
    opening = next(cell for cell in CELLS if cell["id"] == "open")
    with pytest.raises(SystemExit, match="make example"):
        shown("".join(opening["source"]), {})


def test_nothing_that_was_run_is_kept() -> None:
    code = [cell for cell in CELLS if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in code] == [[]] * len(code)
    assert {cell["execution_count"] for cell in code} == {None}
    assert len({cell["id"] for cell in CELLS}) == len(CELLS)
