"""docs/analysts.md says what there is: every column, and every query as it is run."""

import re
from itertools import groupby
from pathlib import Path

import pytest
from laelo_tools.export.columns import Column, DataSet
from laelo_tools.export.sets import SETS
from laelo_tools.report.figures import FIGURES, Figure

PAGE = (Path(__file__).resolve().parents[2] / "docs/analysts.md").read_text(encoding="utf-8")
TYPES = {
    "VARCHAR": "text",
    "INTEGER": "number",
    "BIGINT": "number",
    "DOUBLE": "number",
    "BOOLEAN": "yes or no",
    "TIMESTAMP_MS": "time",
}


def described(rows: DataSet) -> str:
    """How the page tells of a set; what there is once for each seat stands in one line."""
    lines = [f"### `{rows.name}`", "", f"A row is {rows.row}.", ""]
    lines += ["| column | type | what it says |", "|---|---|---|"]
    for _, group in groupby(rows.columns, key=lambda one: re.sub(r"_[0-3]$", "", one.name)):
        lines.append(line(list(group)))
    return "\n".join(lines) + "\n"


def line(columns: list[Column]) -> str:
    names = " … ".join(f"`{one.name}`" for one in (columns[0], *columns[1:][-1:]))
    (doc,) = {one.doc for one in columns}
    return f"| {names} | {TYPES[columns[0].type]} | {doc} |"


@pytest.mark.parametrize("rows", SETS, ids=lambda rows: rows.name)
def test_every_column_is_told(rows: DataSet) -> None:
    assert described(rows) in PAGE


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_every_query_is_told_as_it_is_run(figure: Figure) -> None:
    assert f"### {figure.title}\n\n{figure.says}\n\n```sql\n{figure.query}```\n" in PAGE
