"""Chance in the arena: every deal and every seed follows from the run's seed."""

import hashlib
from random import Random
from typing import Final, NamedTuple

from laelo_rules.engine.tiles import TILE_COUNT

_SEED_BYTES: Final = 8


class Chance(NamedTuple):
    """What is random in one pair of matches. Both of them are dealt the same hands, and whoever
    decides the same turn of the same hand is given the same seed: a bot that plays itself wins
    exactly one match of each pair.
    """

    run: int
    pair: int

    def deal(self, hand: int) -> list[int]:
        """The 28 tiles of a hand, in order."""
        return Random(self._seed("deal", hand)).sample(range(TILE_COUNT), TILE_COUNT)

    def seed(self, hand: int, turn: int) -> int:
        """What a bot is given for a turn."""
        return self._seed("turn", hand, turn)

    def _seed(self, *what: object) -> int:
        text = ":".join(str(part) for part in (self.run, self.pair, *what))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:_SEED_BYTES], "big")
