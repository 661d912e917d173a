"""The table of what each screen is accepted by names tests that are there."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "web.md").read_text()
NAMED = re.findall(r"`(\w+)::(\w+)`", PAGE)


def test_every_test_that_the_page_names_is_there() -> None:
    assert len(NAMED) > 50
    missing = [
        f"{file}::{name}"
        for file, name in NAMED
        if file != "file" and f"def test_{name}(" not in _text(file)
    ]
    assert missing == []


def _text(file: str) -> str:
    path = HERE / f"test_{file}.py"
    return path.read_text() if path.exists() else ""
