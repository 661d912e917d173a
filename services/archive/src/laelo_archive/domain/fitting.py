"""What a row can hold: whatever PostgreSQL would refuse is found before it is asked.

One row that it refuses would stop all that is archived after it, so what makes such a row makes no
sense, as far as the archive goes.
"""

from collections.abc import Iterable
from typing import Any, Final

from laelo_archive.domain.rows import Row

MOST: Final = 2**15 - 1
"""No number that rows tell is greater, but for times."""
MOST_MS: Final = 253_402_300_799_999
"""The end of the year 9999, for times since 1970; spans of time are shorter."""
LONGEST_MS: Final = 2**31 - 1
MOST_VERSION: Final = 2**63 - 1
MOST_BYTES: Final = 1000
"""No text is longer: of two such ones PostgreSQL still makes a line of an index."""

_SPANS: Final = ("chosen_after_ms",)


def misfit(rows: Iterable[Row]) -> str:
    """Which column of these rows could not be stored; empty = all can."""
    found = (
        f"{type(row).__name__}.{name}"
        for row in rows
        for name, value in zip(row._fields, row, strict=True)
        if not _fits(name, value)
    )
    return next(found, "")


def _fits(name: str, value: Any) -> bool:
    match value:
        case str():
            return "\0" not in value and len(value.encode()) <= MOST_BYTES
        case int():
            return 0 <= value <= _most(name)
        case list():
            return all(_fits(name, one) for one in value)
    return True


def _most(name: str) -> int:
    if name in _SPANS:
        return LONGEST_MS
    return MOST_MS if name.endswith("_ms") else MOST
