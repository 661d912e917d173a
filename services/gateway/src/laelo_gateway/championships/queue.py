"""The queue, told to who looks at it and to who waits in it; at most once a second."""

import asyncio
import time
from collections.abc import Iterable, Set
from typing import Final

from laelo.matchmaking.v1 import matchmaking_pb2
from laelo_common.wire import championship as wire

from laelo_gateway.championships.counts import CupCounts
from laelo_gateway.championships.domain import line
from laelo_gateway.championships.ports import Visitor
from laelo_gateway.championships.visitors import Visitors
from laelo_gateway.socket import text_frame

PACE_SECONDS: Final = 1.0


class QueueBoard:
    """What the queue is like, by the newest version that any replica has told."""

    def __init__(self, visitors: Visitors, counts: CupCounts) -> None:
        self._visitors = visitors
        self._counts = counts
        self._line = line.EMPTY
        self._watchers: dict[Visitor, None] = {}
        self._left: dict[str, wire.Leaving | None] = {}
        self._unexplained: set[str] = set()
        """Who has left and does not know why yet."""
        self._timer: asyncio.TimerHandle | None = None
        self._told_at = float("-inf")

    @property
    def watchers(self) -> int:
        """How many windows look at it."""
        return len(self._watchers)

    def take(self, queue: matchmaking_pb2.Queue, left: Iterable[matchmaking_pb2.Left] = ()) -> None:
        """A replica tells of the queue. An older version than the known one is no news, but it
        may tell why somebody has left: the answer to a join or leave tells of the queue alone.
        """
        reasons = line.reasons(left)
        if queue.version > self._line.version:
            new = line.line_of(queue)
            self._depart(self._line.places.keys() - new.places.keys())
            self._line = new
            for player in self._left.keys() & new.places.keys():
                del self._left[player]
            self._unexplained -= new.places.keys()
            self._tell_soon()
        for player in self._unexplained & reasons.keys():
            self._unexplained.discard(player)
            self._left[player] = reasons[player]
            self._tell_soon()

    def watch(self, visitor: Visitor) -> None:
        """Tell it to this window, now and from now on."""
        self._watchers[visitor] = None
        self._tell(visitor, self._frame(visitor.sender.person.id, self._now()))

    def unwatch(self, visitor: Visitor) -> None:
        """Tell it no more, unless the person waits."""
        self._watchers.pop(visitor, None)

    def come(self, visitor: Visitor) -> None:
        """Somebody who waits has come back."""
        person = visitor.sender.person
        if not person.guest and person.id in self._line.places:
            self._tell(visitor, self._frame(person.id, self._now()))

    def go(self, visitor: Visitor) -> None:
        """A window was closed."""
        self.unwatch(visitor)
        player = visitor.sender.person.id
        if not self._visitors.is_here(player):
            self._left.pop(player, None)
            self._unexplained.discard(player)

    def close(self) -> None:
        """Tell nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _depart(self, players: Set[str]) -> None:
        for player in players:
            if self._visitors.is_here(player):
                self._left[player] = None
                self._unexplained.add(player)

    def _tell_soon(self) -> None:
        if self._timer is None:
            loop = asyncio.get_running_loop()
            at = max(loop.time(), self._told_at + PACE_SECONDS)
            self._timer = loop.call_at(at, self._tell_all)

    def _tell_all(self) -> None:
        """One frame for all who only look, one for each who waits or has just been taken out."""
        self._timer = None
        self._told_at = asyncio.get_running_loop().time()
        now = self._now()
        own = {*self._line.places, *self._left}
        shared = text_frame(self._frame("", now))
        for visitor in tuple(self._watchers):
            if visitor.sender.person.id not in own:
                self._counts.queue_frames += 1
                visitor.write(shared)
        for player in own:
            windows = self._visitors.windows(player)
            if windows:
                frame = self._frame(player, now)
                for visitor in windows:
                    self._tell(visitor, frame)
        self._left.clear()

    def _tell(self, visitor: Visitor, text: bytes) -> None:
        self._counts.queue_frames += 1
        visitor.send(text)

    def _frame(self, player: str, now: int) -> bytes:
        return line.frame_of(line.queue_of(self._line, player, self._left.get(player), now), now)

    @staticmethod
    def _now() -> int:
        return time.time_ns() // 1_000_000
