"""Histories of tables for tests, played by the table's own domain."""

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from laelo_common.log import Aggregate, Kind, Recorded, Snapshot
from laelo_table.domain.snapshot import save

_KIT = Path(__file__).resolve().parents[2] / "services" / "table" / "tests" / "kit.py"


@cache
def kit() -> Any:
    """The table's kit, which lies among the tests of another member."""
    spec = spec_from_file_location("table_kit", _KIT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["table_kit"] = module
    spec.loader.exec_module(module)
    return module


@cache
def match(seed: int = 1, people: int = 4, move_seconds: int = 0) -> Any:
    """A match played to its end; not to be changed."""
    return kit().random_match(seed, people, move_seconds)


def recorded(stored: list[bytes], table: str = "") -> list[Recorded]:
    """Commits as they lie in the log, among those of other tables."""
    subject = Aggregate(Kind.TABLE, table or kit().TABLE).subject
    return [
        Recorded(sequence, subject, data, kit().START_MS)
        for sequence, data in enumerate(stored, start=1001)
    ]


def snapshot_of(game: Any, version: int) -> Snapshot:
    """A snapshot as a table makes it after a version."""
    from laelo_common.log.commit import commit_hash

    digest = commit_hash(game.stored[version - 1])
    return Snapshot(save(game.states[version], digest).SerializeToString(), 1000 + version)
