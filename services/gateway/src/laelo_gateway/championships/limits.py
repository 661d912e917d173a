"""How often somebody may ask about championships."""

import asyncio
from typing import Final

from laelo_common.errors import Code, LaeloError

from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.peer import limited_as

MOVES: Final = (0.5, 10.0)
"""Joining and leaving of one person: a second, and at once."""
LOOKS: Final = (1.0, 30.0)
"""Championships that one person asks for and that are not known here."""
READS: Final = (50.0, 1000.0)
"""Requests over HTTP from one address: at the end of a championship all look at once."""


class CupLimits:
    """The buckets behind the limits. Each raises LaeloError with TOO_FAST."""

    def __init__(self) -> None:
        self._moves = Buckets(*MOVES)
        self._looks = Buckets(*LOOKS)
        self._reads = Buckets(*READS)

    def take_move(self, player: str) -> None:
        """Join or leave the queue."""
        self._take(self._moves, player)

    def take_look(self, player: str) -> None:
        """Ask for a championship that is not known here."""
        self._take(self._looks, player)

    def take_read(self, peer: str) -> None:
        """Ask over HTTP."""
        self._take(self._reads, limited_as(peer))

    @staticmethod
    def _take(buckets: Buckets, key: str) -> None:
        if not buckets.take(key, asyncio.get_running_loop().time()):
            raise LaeloError(Code.TOO_FAST, "too many requests: wait a moment")
