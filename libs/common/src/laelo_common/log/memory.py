"""The log in memory, with the semantics of the real one, for tests."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from laelo_common.log.lives import Life
from laelo_common.log.port import (
    Aggregate,
    Append,
    Conflict,
    Duplicate,
    Kind,
    Loaded,
    LogError,
    Recorded,
    Snapshot,
    Unavailable,
    claim_subject,
)
from laelo_common.log.reach import Reach

logger = logging.getLogger(__name__)

DUPLICATE_WINDOW_MS = 120_000


class MemoryLog:
    """One log that any number of writers in one process share.

    Set `reachable` to False for an outage. `lose_answers(n)` stores the next n commits
    but answers Unavailable, as a server that dies in between. With `id_first` the message id is
    checked before the expected sequence, as three servers do; one does it the other way.
    """

    def __init__(self, now_ms: Callable[[], int], *, id_first: bool = False) -> None:
        self._now_ms = now_ms
        self._id_first = id_first
        self._streams: dict[str, list[Recorded]] = defaultdict(list)
        self._last: dict[str, int] = defaultdict(int)
        self._ids: dict[tuple[str, str], tuple[int, int]] = {}
        self._kept: dict[str, Snapshot] = {}
        self._live: dict[str, list[_Live]] = defaultdict(list)
        self._followings: list[MemoryFollowing] = []
        self._lost_answers = 0
        self._reachable = True
        self.created = f"{now_ms()}"
        self.reach = Reach(now_ms)

    @property
    def reachable(self) -> bool:
        """Whether the log answers."""
        return self._reachable

    @reachable.setter
    def reachable(self, reachable: bool) -> None:
        self._reachable = reachable
        if reachable:
            self.reach.back()
        else:
            self.reach.lost()

    def lose_answers(self, count: int) -> None:
        """Store the next commits, but let their writers not know."""
        self._lost_answers += count

    async def append(
        self, aggregate: Aggregate, data: bytes, expected: int, message_id: str
    ) -> int:
        """Store one commit; see `port.Log.append`."""
        await self._round_trip()
        known = self._known(aggregate.kind.stream, message_id)
        last = self._last[aggregate.subject]
        if last != expected and not (self._id_first and known):
            raise Conflict(last)
        if known:
            self._tell(aggregate, known)
            raise Duplicate(known)
        sequence = self._store(aggregate, data, message_id)
        if self._lost_answers:
            self._lost_answers -= 1
            raise Unavailable("the answer was lost")
        return sequence

    async def append_all(self, appends: Sequence[Append]) -> list[int | LogError]:
        """Store commits of different aggregates; see `port.Log.append_all`."""
        results: list[int | LogError] = []
        for append in appends:
            try:
                results.append(await self.append(*append))
            except LogError as error:
                results.append(error)
        return results

    async def tail(self, aggregate: Aggregate, after: int) -> list[Recorded]:
        """All commits of the aggregate after a sequence, oldest first."""
        await self._round_trip()
        return [
            commit
            for commit in self._streams[aggregate.kind.stream][after:]
            if commit.subject == aggregate.subject
        ]

    async def newest(self, aggregate: Aggregate) -> Recorded | None:
        """The last commit of the aggregate."""
        commits = await self.tail(aggregate, 0)
        return commits[-1] if commits else None

    async def load(self, aggregate: Aggregate) -> Loaded:
        """The last snapshot and what follows it."""
        snapshot = self._kept.get(aggregate.snapshot_subject)
        return Loaded(snapshot, await self.tail(aggregate, snapshot.sequence if snapshot else 0))

    def snapshot(self, aggregate: Aggregate, data: bytes, sequence: int) -> None:
        """Keep a snapshot; while out of reach it is lost."""
        if self._reachable:
            self._kept[aggregate.snapshot_subject] = Snapshot(data, sequence)
        else:
            logger.warning("snapshot of %s failed: out of reach", aggregate.subject)

    async def live(self, aggregate: Aggregate, on_sequence: Callable[[int], None]) -> "_Live":
        """Hear the sequence of each commit stored from now on, whoever stores it."""
        if not aggregate.live_subject:
            raise ValueError(f"nobody is told live of {aggregate.kind.stream}")
        await self._round_trip()
        hearers = self._live[aggregate.live_subject]
        live = _Live(hearers, on_sequence)
        hearers.append(live)
        return live

    async def follow(
        self,
        kind: Kind,
        after: int,
        on_message: Callable[[Recorded], None],
        subjects: str | None = None,
    ) -> "MemoryFollowing":
        """Hand over every commit of a stream after a sequence, in order, each once."""
        stream = self._streams[kind.stream]
        following = MemoryFollowing(stream, after, on_message, subjects or f"{kind}.>")
        self._followings.append(following)
        return following

    async def life(self, kind: Kind) -> Life:
        """The present life of a stream; here all are made with the log."""
        await self._round_trip()
        commits = self._streams[kind.stream]
        last = commits[-1].sequence if commits else 0
        return Life(self.created, commits[0].sequence if commits else last + 1, last)

    async def claim(self, key: str, value: bytes) -> bool:
        """Take a key; False if it is taken already."""
        await self._round_trip()
        claim = Snapshot(value, 0)
        return self._kept.setdefault(claim_subject(key), claim) is claim

    async def claimed(self, key: str) -> bytes | None:
        """Who has the key."""
        await self._round_trip()
        kept = self._kept.get(claim_subject(key))
        return kept.data if kept else None

    async def _round_trip(self) -> None:
        await asyncio.sleep(0)  # others come in between, as they do over a wire
        if not self._reachable:
            raise Unavailable("out of reach")

    def _known(self, stream: str, message_id: str) -> int:
        sequence, stored_ms = self._ids.get((stream, message_id), (0, 0))
        return sequence if self._now_ms() - stored_ms < DUPLICATE_WINDOW_MS else 0

    def _store(self, aggregate: Aggregate, data: bytes, message_id: str) -> int:
        stream = self._streams[aggregate.kind.stream]
        now_ms = self._now_ms()
        commit = Recorded(len(stream) + 1, aggregate.subject, data, now_ms)
        stream.append(commit)
        self._last[aggregate.subject] = commit.sequence
        self._ids[aggregate.kind.stream, message_id] = (commit.sequence, now_ms)
        self._tell(aggregate, commit.sequence)
        for following in self._followings:
            following.wake()
        return commit.sequence

    def _tell(self, aggregate: Aggregate, sequence: int) -> None:
        loop = asyncio.get_running_loop()
        for live in self._live.get(aggregate.live_subject, ()):
            loop.call_soon(live.hear, sequence)


@dataclass(slots=True, eq=False)
class _Live:
    hearers: "list[_Live]"
    on_sequence: Callable[[int], None]

    def hear(self, sequence: int) -> None:
        if self in self.hearers:
            self.on_sequence(sequence)

    def close(self) -> None:
        if self in self.hearers:
            self.hearers.remove(self)


class MemoryFollowing:
    """Hands a stream over, a commit at each turn of the loop."""

    def __init__(
        self,
        stream: list[Recorded],
        after: int,
        on_message: Callable[[Recorded], None],
        subjects: str,
    ) -> None:
        self._stream = stream
        self._on_message = on_message
        self._subjects = subjects
        self._next = after
        self._position = after
        self._scheduled: asyncio.Handle | None = None
        self._caught_up = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self.wake()

    @property
    def position(self) -> int:
        """Sequence of the last commit handed over."""
        return self._position

    async def caught_up(self) -> None:
        """Wait until everything stored so far has been handed over once."""
        await self._caught_up.wait()

    async def wait(self) -> None:
        """Wait for the end; raises what the callback raised."""
        await asyncio.shield(self._ended)

    async def close(self) -> None:
        """Stop."""
        if not self._ended.done():
            self._ended.set_result(None)
        if self._scheduled is not None:
            self._scheduled.cancel()

    def wake(self) -> None:
        """Look for something new, soon."""
        if self._scheduled is None and not self._ended.done():
            self._scheduled = self._loop.call_soon(self._step)

    def _step(self) -> None:
        self._scheduled = None
        if self._next >= len(self._stream):
            self._caught_up.set()
            return
        commit = self._stream[self._next]
        if subject_matches(self._subjects, commit.subject):
            try:
                self._on_message(commit)
            except Exception as error:
                logger.exception("following ended")
                self._ended.set_exception(error)
                self._ended.exception()  # it has been told; nobody must wait for it
                return
            self._position = commit.sequence
        self._next += 1
        self.wake()


def subject_matches(pattern: str, subject: str) -> bool:
    """Whether a subject fits a pattern with `*` for one token and `>` for the rest."""
    wanted, have = pattern.split("."), subject.split(".")
    if wanted[-1] == ">":
        wanted.pop()
        if len(have) <= len(wanted):
            return False
        have = have[: len(wanted)]
    return len(wanted) == len(have) and all(
        want in ("*", token_) for want, token_ in zip(wanted, have, strict=True)
    )
