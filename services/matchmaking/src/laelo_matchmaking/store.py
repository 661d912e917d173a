"""The queue in memory, in step with the log: every replica has all of it."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError
from laelo.matchmaking.v1 import events_pb2
from laelo_common.log import Aggregate, Following, Kind, Log, Recorded, Snapshot
from laelo_common.log.commit import commit_hash, head_of

from laelo_matchmaking.asked import Asked
from laelo_matchmaking.domain import snapshot
from laelo_matchmaking.domain.evolve import evolve
from laelo_matchmaking.domain.state import EMPTY, Queue

QUEUE: Final = "main"
SNAPSHOT_EVERY: Final = 64
ASKED_KEPT: Final = 8192
"""So many of the newest commits are read at a start for what people have asked for: those of weeks,
or of hours in a rush.
"""

_log = logging.getLogger(__name__)


class Past(NamedTuple):
    """A commit that was taken in."""

    commit: events_pb2.Commit
    before: Queue
    after: Queue


class Store:
    """The state of the queue; commits come by following the log, and by storing one."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.aggregate = Aggregate(Kind.QUEUE, QUEUE)
        self.state = EMPTY
        self.sequence = 0
        """Of the newest commit that was taken in."""
        self.digest = b""
        """SHA-256 of its stored bytes."""
        self.asked = Asked(ASKED_KEPT)
        """What people have asked for, also what the state has forgotten."""
        self.lock = asyncio.Lock()
        """For who stores something."""
        self.storing = ""
        """Id of the command that is being stored."""
        self.is_first = False
        """Whether the newest commit was stored here."""
        self._listeners: list[Callable[[Past], None]] = []
        self._following: Following | None = None

    async def open(self) -> Following:
        """Read the queue, follow it from there, and return when nothing is missing.

        The following has to be waited for: its end is a fault. Raises LogError.
        """
        loaded = await self._log.load(self.aggregate)
        if loaded.snapshot is None or self._begin_with(loaded.snapshot):
            self.take_in_all(loaded.commits)
        else:
            await self.read()
        first, known = max(0, self.sequence - ASKED_KEPT), self.sequence

        def hear(recorded: Recorded) -> None:
            if recorded.sequence <= known:
                self.asked.note(head_of(recorded.data))
            else:
                self.take_in(recorded)

        following = self._following = await self._log.follow(
            Kind.QUEUE, first, hear, self.aggregate.subject
        )
        await following.caught_up()
        return following

    def _begin_with(self, stored: Snapshot) -> bool:
        """Begin with a snapshot, if it can be read: it saves time, and the log has all without."""
        try:
            saved = events_pb2.Snapshot.FromString(stored.data)
            self.state = snapshot.restore(saved)
        except (DecodeError, ValueError) as error:
            _log.warning("the queue's snapshot is left aside: %s", error)
            return False
        self.sequence, self.digest = stored.sequence, saved.hash
        return True

    def has_done(self, command: str) -> bool:
        """Whether a command is in the log, as far as anybody remembers."""
        return command in self.state.commands or command in self.asked

    async def close(self) -> None:
        """Follow no more."""
        if self._following is not None:
            await self._following.close()

    def listen(self, on_past: Callable[[Past], None]) -> None:
        """Be told of every commit that is taken in."""
        self._listeners.append(on_past)

    async def read(self) -> None:
        """Take in what is in the log, without waiting until it is brought. Raises LogError."""
        self.take_in_all(await self._log.tail(self.aggregate, self.sequence))

    def take_in_all(self, tail: list[Recorded]) -> None:
        """Take in what had to be read."""
        for recorded in tail:
            self.take_in(recorded)

    def take_in(self, recorded: Recorded) -> None:
        """Take in a commit, unless that has been done. Raises UnknownEventError."""
        if recorded.sequence <= self.sequence:
            return
        commit = events_pb2.Commit.FromString(recorded.data)
        before = self.state
        if commit.head.version != before.version + 1:
            raise RuntimeError(f"version {commit.head.version} after {before.version}")
        self.state = evolve(before, commit)
        self.sequence = recorded.sequence
        self.digest = commit_hash(recorded.data)
        self.is_first = commit.head.command == self.storing
        self.asked.note(commit.head)
        for on_past in self._listeners:
            on_past(Past(commit, before, self.state))

    def keep(self) -> None:
        """Keep a snapshot, so that the next load is short."""
        saved = snapshot.save(self.state, QUEUE, self.digest).SerializeToString()
        self._log.snapshot(self.aggregate, saved, self.sequence)
