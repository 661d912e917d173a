"""The chain of the audit log: whoever changes or takes out an entry breaks it."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from laelo_gateway.console.store import Entry

_SEPARATOR: Final = "\x1f"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def entry_hash(previous: bytes, entry: Entry) -> bytes:
    """What the entry's hash has to be, by that of the entry before it (empty for the first)."""
    micros = (entry.at - _EPOCH) // timedelta(microseconds=1)
    words = (str(entry.number), str(micros), *entry.deed)
    return hashlib.sha256(previous + _SEPARATOR.join(words).encode()).digest()


def faults(entries: Iterable[Entry]) -> list[str]:
    """What is wrong with a whole audit log, the oldest entry first."""
    found, previous, expected = [], b"", 1
    for entry in entries:
        if entry.number != expected:
            found.append(f"after entry {expected - 1} comes {entry.number}")
        if entry.hash != entry_hash(previous, entry):
            found.append(f"entry {entry.number} is not what was written, or one before it is gone")
        previous, expected = entry.hash, entry.number + 1
    return found
