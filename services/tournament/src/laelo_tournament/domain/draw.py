"""The draw of teams and animals as a fixed function of a seed: docs/fair-draw.md, to the byte."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar

from laelo_tournament.domain.animals import ANIMALS

SEED_BYTES: Final = 32

_LABEL: Final = b"laelo draw 1"

ItemT = TypeVar("ItemT")


class Drawn(NamedTuple):
    """A team; the first animal is the first player's."""

    players: tuple[str, str]
    animals: tuple[str, str]


def commitment(seed: bytes) -> bytes:
    """What binds the house to a seed when a championship begins: its SHA-256."""
    return sha256(seed).digest()


def draw(seed: bytes, players: Sequence[str], animals: Sequence[str] = ANIMALS) -> list[Drawn]:
    """The teams in the order of their numbers (R36), from the players in the order of the queue.

    Players are an even number, animals at least as many, and neither over 256.
    """
    stream = _stream(_LABEL + seed)
    drawn = _shuffled(players, stream)
    shown = _shuffled(animals, stream)
    return [
        Drawn((drawn[first], drawn[first + 1]), (shown[first], shown[first + 1]))
        for first in range(0, len(drawn), 2)
    ]


def _shuffled(items: Sequence[ItemT], stream: Iterator[int]) -> list[ItemT]:
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, stream)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number 0..bound-1, each equally likely: bytes that would favour some are left out."""
    limit = 256 - 256 % bound
    return next(byte for byte in stream if byte < limit) % bound


def _stream(start: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from sha256(start + block.to_bytes(4, "big")).digest()
        block += 1
