"""The order of the 28 tiles as a fixed function of a seed and of what clients added to it:
docs/fair-deal.md, to the byte.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Final

SEED_BYTES: Final = 32
ADDED_BYTES: Final = 16
TILES: Final = 28
METHOD: Final = 2
"""How deals are made now; the log names the method of each."""

_LABELS: Final = {0: b"laelo deal 1", 1: b"laelo deal 1", METHOD: b"laelo deal 2"}

_LIMITS: Final = tuple((last, 256 - 256 % (last + 1)) for last in range(TILES - 1, 0, -1))
"""The places from the last on, and the bytes that may choose one of those up to it: others would
favour some.
"""


def commitment(seed: bytes) -> bytes:
    """What binds the server to a seed before the hand: its SHA-256."""
    return sha256(seed).digest()


def deal_order(seed: bytes, added: Mapping[int, bytes], method: int = METHOD) -> bytes:
    """The tiles in the order in which they are dealt (R2), one byte each.

    `added` is what the client in a seat added. Raises ValueError for a method of the future.
    """
    if method not in _LABELS:
        raise ValueError(f"nobody knows the method {method}")
    start = _LABELS[method] + seed
    if method == METHOD:
        start += b"".join(bytes((seat,)) + added[seat] for seat in sorted(added))
    order = bytearray(range(TILES))
    stream = _stream(start)
    for last, limit in _LIMITS:
        byte = next(stream)
        while byte >= limit:
            byte = next(stream)
        chosen = byte % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return bytes(order)


def _stream(start: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from sha256(start + block.to_bytes(4, "big")).digest()
        block += 1
