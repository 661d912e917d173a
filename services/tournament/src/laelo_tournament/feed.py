"""Tells gateways what championships are like, and what they are like now.

A reader is owed the newest state of each championship that changed, not every state in
between: so one that reads slowly costs no more than one that does not.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError

from laelo_tournament.domain.public import entries, public
from laelo_tournament.domain.state import Championship, is_running
from laelo_tournament.mirror import Mirror

Told = tournament_pb2.FollowResponse

MOST_OWED: Final = 4096
"""A reader that is owed so many more than there were at first has not read for so long that it is
let go.
"""


class Reader:
    """One who follows: an async iterator of what it is to be told.

    Raises LaeloError with OVERLOADED once too much has piled up.
    """

    def __init__(self, owed: dict[str, Told]) -> None:
        self._most = len(owed) + MOST_OWED
        self._owed: OrderedDict[str, Told] = OrderedDict(owed)
        self._news = asyncio.Event()
        self._is_closed = False

    @property
    def owed(self) -> int:
        """How much it has not taken yet."""
        return len(self._owed)

    def owe(self, key: str, told: Told) -> None:
        """Tell this when it reads next, in place of what it was owed under that key."""
        if len(self._owed) <= self._most:
            self._owed[key] = told
        self._news.set()

    def close(self) -> None:
        """Tell no more."""
        self._is_closed = True
        self._news.set()

    async def __aiter__(self) -> AsyncIterator[Told]:
        while not self._is_closed:
            if len(self._owed) > self._most:
                raise LaeloError(Code.OVERLOADED, "championships are not read fast enough")
            if self._owed:
                yield self._owed.popitem(last=False)[1]
            else:
                self._news.clear()
                await self._news.wait()


class Feed:
    """All readers of this replica; what they are told is made once for all of them."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._readers: set[Reader] = set()
        self._told: dict[str, Told] = {}
        """Of running championships, as they were told last."""
        self._is_closed = False
        mirror.listen(self._on_change)

    def __len__(self) -> int:
        return len(self._readers)

    async def follow(self) -> AsyncGenerator[Told, None]:
        """All that run, `complete`, and then each that changes. Raises LaeloError."""
        running = self._mirror.running.items()
        owed = {championship: self._tell(folded.state) for championship, folded in running}
        reader = Reader({**owed, "": Told(complete=True)})
        if self._is_closed:
            return
        self._readers.add(reader)
        try:
            async for told in reader:
                yield told
        finally:
            self._readers.discard(reader)

    async def close(self) -> None:
        """Tell nobody any more."""
        self._is_closed = True
        for reader in self._readers:
            reader.close()

    def _on_change(self, state: Championship) -> None:
        if not self._readers:
            self._told.pop(state.id, None)
            return
        told = self._tell(state)
        for reader in self._readers:
            reader.owe(state.id, told)

    def _tell(self, state: Championship) -> Told:
        told = self._told.get(state.id)
        if told is None or told.championship.version != state.version:
            told = Told(championship=public(state), entries=entries(state))
            if is_running(state):
                self._told[state.id] = told
            else:
                self._told.pop(state.id, None)
        return told
