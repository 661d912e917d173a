"""Gateways that are told of the queue."""

import asyncio
from collections.abc import Callable

from laelo.matchmaking.v1 import matchmaking_pb2

from laelo_matchmaking.domain.state import place_of
from laelo_matchmaking.domain.telling import leavings
from laelo_matchmaking.store import Past, Store

Shown = Callable[[], matchmaking_pb2.Queue]
"""Gives the queue as it is."""


class Attendant:
    """One gateway's call. What it is told is the present state, so losing one costs nothing."""

    def __init__(self, store: Store, shown: Shown) -> None:
        self._store = store
        self._shown = shown
        self._left: dict[str, matchmaking_pb2.Leaving.ValueType] = {}
        self._news = asyncio.Event()
        self._end = asyncio.Event()

    def hear(self, past: Past) -> None:
        """Take note of a commit."""
        self._left.update(leavings(past.commit))
        self._news.set()

    def end(self) -> None:
        """Tell no more."""
        self._end.set()
        self._news.set()

    def take(self) -> matchmaking_pb2.AttendResponse:
        """All there is to tell now."""
        self._news.clear()
        left, self._left = self._left, {}
        return matchmaking_pb2.AttendResponse(
            queue=self._shown(),
            left=[
                matchmaking_pb2.Left(player=player, leaving=leaving)
                for player, leaving in left.items()
                if place_of(self._store.state, player) is None
            ],
        )

    async def changed(self, pace: float) -> bool:
        """Wait for news, and for so many seconds at least; False when there will be none."""
        try:
            async with asyncio.timeout(pace):
                await self._end.wait()
        except TimeoutError:
            await self._news.wait()
        return not self._end.is_set()


class Audience:
    """All gateways that are told."""

    def __init__(self, store: Store, shown: Shown) -> None:
        self._store = store
        self._shown = shown
        self._attendants: set[Attendant] = set()
        self._is_closed = False
        store.listen(self._on_past)

    def __len__(self) -> int:
        return len(self._attendants)

    def enter(self) -> Attendant:
        """Begin to tell one."""
        attendant = Attendant(self._store, self._shown)
        self._attendants.add(attendant)
        if self._is_closed:
            attendant.end()
        return attendant

    def leave(self, attendant: Attendant) -> None:
        """Tell one no more."""
        self._attendants.discard(attendant)

    def close(self) -> None:
        """Tell nobody any more."""
        self._is_closed = True
        for attendant in self._attendants:
            attendant.end()

    def _on_past(self, past: Past) -> None:
        for attendant in self._attendants:
            attendant.hear(past)
