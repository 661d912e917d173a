"""A stored match gives the rows that it always gave, byte for byte.

Rows that change need all read models to be made anew (`laelo_archive.rebuild`): who changes the
samples says so in the changelog.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from laelo_archive.domain.project import NOTHING, Stream, encode, project

GOLDEN = Path(__file__).parent / "golden"
STORIES = ("lively", "official", "championship")


def story(name: str) -> tuple[Stream, str, list[bytes]]:
    """The commits of a sample."""
    stream, aggregate, *lines = (GOLDEN / f"{name}.hex").read_text().split()
    return Stream(stream), aggregate, [bytes.fromhex(line) for line in lines]


def rows_told(name: str) -> dict[str, Any]:
    """All rows in order, and what is stored in the end, as JSON has them."""
    stream, aggregate, stored = story(name)
    known = NOTHING
    told: list[Any] = []
    middle = ""
    for number, data in enumerate(stored):
        known, _, rows = project(stream, aggregate, data, known)
        told += [[type(row).__name__, *map(plain, row)] for row in rows]
        if number == len(stored) // 2:
            middle = encode(known.state).hex()
    assert not known.fault
    return {"rows": told, "state_halfway": middle, "state": encode(known.state).hex()}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return value.hex() if isinstance(value, bytes) else value


@pytest.mark.parametrize("name", STORIES)
def test_a_stored_story_gives_the_rows_it_always_gave(name: str) -> None:
    assert rows_told(name) == json.loads((GOLDEN / f"{name}.json").read_text())
