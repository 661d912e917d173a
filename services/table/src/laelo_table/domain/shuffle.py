"""The order of the 28 tiles as a fixed function of a seed: docs/fair-deal.md, to the byte."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

SEED_BYTES: Final = 32
TILES: Final = 28
_LABEL: Final = b"laelo deal 1"


def commitment(seed: bytes) -> bytes:
    """What binds the server to a seed before the hand: its SHA-256."""
    return sha256(seed).digest()


def deal_order(seed: bytes) -> bytes:
    """The tiles in the order in which they are dealt (R2), one byte each."""
    order = bytearray(range(TILES))
    stream = _stream(seed)
    for last in range(TILES - 1, 0, -1):
        chosen = _below(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return bytes(order)


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number 0..bound-1, each equally likely: bytes that would favour some are left out."""
    limit = 256 - 256 % bound
    return next(byte for byte in stream if byte < limit) % bound


def _stream(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from sha256(_LABEL + seed + block.to_bytes(4, "big")).digest()
        block += 1
