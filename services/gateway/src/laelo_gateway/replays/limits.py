"""How often what was played may be asked for."""

import asyncio
from typing import Final

from laelo_common.errors import Code, LaeloError

from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.peer import limited_as

READS: Final = (20.0, 400.0)
"""From one address: a second, and at once. A link that is shared is followed by many."""
HISTORIES: Final = (1.0, 30.0)
"""Of one person."""
JUDGEMENTS: Final = (2.0, 60.0)
"""From one address: a page asks every second until all is judged."""


class ReplayLimits:
    """The buckets behind the limits. Each raises LaeloError with TOO_FAST."""

    def __init__(self) -> None:
        self._reads = Buckets(*READS)
        self._histories = Buckets(*HISTORIES)
        self._judgements = Buckets(*JUDGEMENTS)

    def take_read(self, peer: str) -> None:
        """Ask for anything."""
        self._take(self._reads, limited_as(peer))

    def take_history(self, player: str) -> None:
        """Ask for one's history."""
        self._take(self._histories, player)

    def take_judgement(self, peer: str) -> None:
        """Have a match judged."""
        self._take(self._judgements, limited_as(peer))

    @staticmethod
    def _take(buckets: Buckets, key: str) -> None:
        if not buckets.take(key, asyncio.get_running_loop().time()):
            raise LaeloError(Code.TOO_FAST, "too many requests: wait a moment")
