"""Commands to the queue: decide, append, take in."""

import asyncio
import random
from collections import Counter
from contextlib import AbstractContextManager
from typing import Final

from laelo.matchmaking.v1 import events_pb2, matchmaking_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Recorded, Stale, append_once
from laelo_common.metrics import Histogram
from laelo_common.telemetry import current

from laelo_matchmaking.domain.commands import AnyCommand, Call, Join, Leave
from laelo_matchmaking.domain.compose import Stamp, compose
from laelo_matchmaking.domain.decide import decide
from laelo_matchmaking.domain.outcome import Facts, Refusal
from laelo_matchmaking.domain.state import Queue
from laelo_matchmaking.domain.telling import queue_message
from laelo_matchmaking.domain.triggers import LEAST
from laelo_matchmaking.ports import World
from laelo_matchmaking.store import QUEUE, SNAPSHOT_EVERY, Store

TRIES: Final = 16
"""How often a command is decided anew when others come first: all share one queue."""

MOST_WAITING: Final = 512
"""Commands that may wait for their turn; more are refused."""

ANEW_SECONDS: Final = 0.004
"""The pause before the second of several new tries, on average; it grows with each."""

WAITS: Final = (1.0, 5.0, 15.0, 30.0, 60.0, 120.0, 180.0, 240.0, 300.0, 600.0, 1800.0)
"""Bounds for how long people wait, in seconds."""


class Counts:
    """What happened here; read by observable instruments."""

    def __init__(self) -> None:
        self.commits = 0
        self.refused = 0
        self.anew = 0
        self.called: Counter[int] = Counter()
        """Championships by their size."""
        self.waits = Histogram(WAITS)
        """How long people waited who were called."""


class Matchmaking:
    """The queue as this replica serves it; what another one stores is as good."""

    def __init__(self, world: World, store: Store) -> None:
        self._world = world
        self._store = store
        self._waiting = 0
        self.counts = Counts()

    def shown(self) -> matchmaking_pb2.Queue:
        """The queue as it is."""
        return queue_message(self._store.state, self._world.times.wait_ms)

    async def run(self, command: AnyCommand, trace: str = "") -> Refusal | None:
        """Do a command once, however often it comes; None if it was done. `trace` is the
        traceparent that came with it.

        Raises LaeloError or LogError when it may or may not have been done.
        """
        if self._waiting >= MOST_WAITING:
            raise LaeloError(Code.OVERLOADED)
        self._waiting += 1
        try:
            with self._traced(command, trace):
                return await self._settle(command)
        finally:
            self._waiting -= 1

    def _traced(self, command: AnyCommand, trace: str) -> AbstractContextManager[str]:
        """A part of the trace that came; the house's own commands may begin one."""
        telemetry, kind = self._world.telemetry, type(command).__name__
        if trace or isinstance(command, Join | Leave):
            return telemetry.span("matchmaking.command", trace, kind=kind)
        return telemetry.root("matchmaking.command", kind=kind)

    async def _settle(self, command: AnyCommand) -> Refusal | None:
        async with self._store.lock:
            for tries in range(TRIES):
                if tries > 1:
                    await asyncio.sleep(random.uniform(0, 2 * ANEW_SECONDS * tries))
                done, refusal = await self._attempt(command)
                if refusal is not None:
                    self.counts.refused += 1
                if done:
                    return refusal
        raise LaeloError(Code.TRY_LATER, "others came first each time; it was not done")

    async def _attempt(self, command: AnyCommand) -> tuple[bool, Refusal | None]:
        """Whether it is settled, and why it is refused if it is."""
        store, state = self._store, self._store.state
        if store.has_done(command.command):
            return True, None
        facts = self._facts(state, command)
        events = decide(state, command, facts)
        if isinstance(events, Refusal) or not events:
            # Nothing will be stored to show that this replica is not behind the others.
            await store.read()
            refusal = events if isinstance(events, Refusal) else None
            return (True, refusal) if store.state is state else (False, None)
        stamp = Stamp(QUEUE, store.digest, facts.now_ms, current.get())
        return await self._append(compose(state, command, events, stamp)), None

    async def _append(self, commit: events_pb2.Commit) -> bool:
        store, data = self._store, commit.SerializeToString()
        before = store.state
        store.storing = commit.head.command
        try:
            with self._world.telemetry.part("log.append", stream="MMQ"):
                stored = await append_once(self._world.log, store.aggregate, data, store.sequence)
            store.take_in_all(
                stored.tail
                or [Recorded(stored.sequence, store.aggregate.subject, data, commit.head.time_ms)]
            )
        except Stale as stale:
            self.counts.anew += 1
            store.take_in_all(stale.tail)
            return False
        finally:
            store.storing = ""
        if not stored.tail or any(recorded.data == data for recorded in stored.tail):
            self._count(before, commit)
        if commit.head.version % SNAPSHOT_EVERY == 0:
            store.keep()
        return True

    def _facts(self, state: Queue, command: AnyCommand) -> Facts:
        most = len(state.line) // LEAST if isinstance(command, Call) else 0
        fresh = tuple(self._world.fresh_id() for _ in range(most))
        return Facts(self._world.now_ms(), self._world.times, fresh)

    def _count(self, before: Queue, commit: events_pb2.Commit) -> None:
        self.counts.commits += 1
        joined_ms = {place.player: place.joined_ms for place in before.line}
        for event in commit.events:
            if event.HasField("called"):
                self.counts.called[event.called.tier] += 1
                for player in event.called.players:
                    waited_ms = commit.head.time_ms - joined_ms[player]
                    self.counts.waits.add(waited_ms / 1000)
