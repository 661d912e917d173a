"""docs/security.md names tests that exist, for every threat one."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/security.md").read_text("utf-8")
LINK = re.compile(r"\[[^\]]+\]\((?P<path>\.\./[^)]+\.py)\)(?P<names>(?:,? `test_\w+`)+)")
ROWS = [
    line
    for section in PAGE.split("## Threats")[1].split("\n## ")[0].split("### ")[1:]
    for line in section.splitlines()
    if line.startswith("| ") and not line.startswith("| threat")
]


@cache
def names_in(path: Path) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:60])
def test_every_threat_has_a_test_that_exists(row: str) -> None:
    *_, cell, _ = row.split("|")
    found = list(LINK.finditer(cell))
    assert found, "it names no test"
    for link in found:
        path = (ROOT / "docs" / link["path"]).resolve()
        assert set(re.findall(r"test_\w+", link["names"])) <= names_in(path)


def test_there_are_threats() -> None:
    assert len(ROWS) > 40
