"""The log on JetStream."""

import logging
from asyncio import Future
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import msgspec

from laelo_common.log.connection import Connection
from laelo_common.log.direct_get import last_of, newest_of, tail_of
from laelo_common.log.follow import JetStreamFollowing
from laelo_common.log.inbox import Reply, header_of, status_of
from laelo_common.log.port import (
    Aggregate,
    Append,
    Conflict,
    Duplicate,
    Kind,
    Loaded,
    LogError,
    Recorded,
    Refused,
    Snapshot,
    Unavailable,
    claim_subject,
)
from laelo_common.log.reach import Reach

logger = logging.getLogger(__name__)

# One server checks the expected sequence before the message id, three the other way
# round; the second code also comes in a cluster while another append is in flight.
WRONG_SEQUENCE = 10071
SEQUENCE_IN_FLIGHT = 10164
# In a cluster, while the first message of the same id is still being replicated.
ID_IN_FLIGHT = 10158

_COVERED = b"Laelo-Sequence"
_HEADROOM = 4096


class _Error(msgspec.Struct):
    code: int
    err_code: int = 0
    description: str = ""


class _Ack(msgspec.Struct):
    seq: int = 0
    duplicate: bool = False
    error: _Error | None = None


_decode_ack = msgspec.json.Decoder(_Ack).decode


def sequence_of_ack(reply: Reply) -> int:
    """Sequence under which a message was stored; raises what the answer means otherwise."""
    headers, data = reply
    if headers and status_of(headers) == 503:
        raise Unavailable("no stream answers")
    ack = _decode_ack(data)
    if ack.error is not None:
        raise _meaning(ack.error)
    if ack.duplicate:
        raise Duplicate(ack.seq)
    return ack.seq


def _meaning(error: _Error) -> LogError:
    if error.err_code in (WRONG_SEQUENCE, SEQUENCE_IN_FLIGHT):
        last = error.description.rpartition(" ")[2]
        return Conflict(int(last) if last.isdigit() else 0)
    if error.err_code == ID_IN_FLIGHT:
        return Duplicate(0)
    if error.code == 503:
        return Unavailable(error.description)
    return Refused(f"{error.description} ({error.err_code})")


class _Store(NamedTuple):
    """An append under way, or why it is not, and when it began."""

    answer: "Future[Reply] | LogError"
    started_ms: int


def _headers_of(expected: int, message_id: str) -> bytes:
    if not (message_id.isascii() and message_id.isprintable()):
        raise ValueError(f"not a message id: {message_id!r}")
    return b"Nats-Expected-Last-Subject-Sequence: %d\r\nNats-Msg-Id: %b\r\n" % (
        expected,
        message_id.encode(),
    )


@dataclass(slots=True)
class _Live:
    """A subscription of one table's live subject."""

    connection: Connection
    sid: int

    def close(self) -> None:
        self.connection.wire.forget(self.sid)


class JetStreamLog:
    """The log of `port.Log` on one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._wire = connection.wire
        self._inbox = connection.inbox
        self._counters = connection.counters
        self._notices = connection.notices

    @property
    def reach(self) -> Reach:
        """Whether, and since when, the log is out of reach."""
        return self._connection.reach

    async def append(
        self, aggregate: Aggregate, data: bytes, expected: int, message_id: str
    ) -> int:
        """Store one commit; see `port.Log.append`."""
        headers = _headers_of(expected, message_id)
        began = perf_counter()
        store = self._begin(aggregate.subject.encode(), data, headers)
        sequence = await self._stored(aggregate, store)
        self._counters.append_seconds.add(perf_counter() - began)
        return sequence

    async def append_all(self, appends: Sequence[Append]) -> list[int | LogError]:
        """Store commits of different aggregates side by side; see `port.Log.append_all`."""
        began = perf_counter()
        stores = []
        for aggregate, data, expected, message_id in appends:
            headers = _headers_of(expected, message_id)
            stores.append(self._begin(aggregate.subject.encode(), data, headers))
        results: list[int | LogError] = []
        for append, (answer, started) in zip(appends, stores, strict=True):
            # As `_stored`, but this is the hot path: two coroutines less for each commit.
            try:
                if isinstance(answer, LogError):
                    raise answer
                sequence = sequence_of_ack(await answer)
            except LogError as error:
                self._note(error, started)
                if isinstance(error, Duplicate):
                    self._notices.tell(append.aggregate, error.sequence)
                results.append(error)
                continue
            self._back()
            self._notices.tell(append.aggregate, sequence)
            results.append(sequence)
        self._counters.append_seconds.add(perf_counter() - began)
        return results

    async def tail(self, aggregate: Aggregate, after: int) -> list[Recorded]:
        """All commits of the aggregate after a sequence, oldest first."""
        return await tail_of(self._inbox, aggregate, after)

    async def newest(self, aggregate: Aggregate) -> Recorded | None:
        """The last commit of the aggregate."""
        return await newest_of(self._inbox, aggregate)

    async def load(self, aggregate: Aggregate) -> Loaded:
        """The last snapshot and what follows it."""
        kept = await last_of(self._inbox, "SNAP", aggregate.snapshot_subject)
        if kept is None:
            return Loaded(None, await self.tail(aggregate, 0))
        headers, data = kept
        snapshot = Snapshot(data, int(header_of(headers, _COVERED)))
        return Loaded(snapshot, await self.tail(aggregate, snapshot.sequence))

    def snapshot(self, aggregate: Aggregate, data: bytes, sequence: int) -> None:
        """Keep a snapshot, without waiting; a failure is logged and counted."""

        def check(answer: "Future[Reply]") -> None:
            try:
                sequence_of_ack(answer.result())
            except LogError as error:
                self._snapshot_failed(aggregate, error)

        subject = aggregate.snapshot_subject.encode()
        try:
            self._check_size(data)
            answer = self._inbox.ask(subject, data, b"%b: %d\r\n" % (_COVERED, sequence))
        except LogError as error:
            self._snapshot_failed(aggregate, error)
        else:
            answer.add_done_callback(check)

    async def live(self, aggregate: Aggregate, on_sequence: Callable[[int], None]) -> _Live:
        """Hear the sequence of each commit that others store from now on; see `port.Log.live`."""

        def on_frame(_subject: bytes, _reply: bytes, _headers: bytes, data: bytes) -> None:
            on_sequence(int(data))

        if not aggregate.live_subject:
            raise ValueError(f"nobody is told live of {aggregate.kind.stream}")
        live = _Live(self._connection, self._wire.listen(aggregate.live_subject, on_frame))
        try:
            await self._inbox.barrier()
        except BaseException:
            live.close()
            raise
        return live

    async def follow(
        self,
        kind: Kind,
        after: int,
        on_message: Callable[[Recorded], None],
        subjects: str | None = None,
    ) -> JetStreamFollowing:
        """Hand over every commit of a stream after a sequence, in order, each once."""
        return JetStreamFollowing(
            self._connection, kind.stream, after, on_message, subjects or f"{kind}.>"
        )

    async def claim(self, key: str, value: bytes) -> bool:
        """Take a key; False if it is taken already."""
        try:
            headers = b"Nats-Expected-Last-Subject-Sequence: 0\r\n"
            await self._store(claim_subject(key).encode(), value, headers)
        except Conflict:
            return False
        return True

    async def claimed(self, key: str) -> bytes | None:
        """Who has the key."""
        kept = await last_of(self._inbox, "SNAP", claim_subject(key))
        return kept[1] if kept else None

    async def _stored(self, aggregate: Aggregate, store: _Store) -> int:
        """The sequence of a commit; the others are told of it."""
        try:
            sequence = await self._end(store)
        except Duplicate as known:
            # Who sent it first may have died before it could tell.
            self._notices.tell(aggregate, known.sequence)
            raise
        self._notices.tell(aggregate, sequence)
        return sequence

    async def _store(self, subject: bytes, data: bytes, headers: bytes) -> int:
        return await self._end(self._begin(subject, data, headers))

    def _begin(self, subject: bytes, data: bytes, headers: bytes) -> _Store:
        """Send; what goes wrong at once is raised when the answer is awaited."""
        started = self._connection.now_ms()
        try:
            self._check_size(data)
            return _Store(self._inbox.ask(subject, data, headers), started)
        except LogError as error:
            return _Store(error, started)

    async def _end(self, store: _Store) -> int:
        """The sequence under which it was stored; counts what came of it."""
        answer, started = store
        try:
            if isinstance(answer, LogError):
                raise answer
            sequence = sequence_of_ack(await answer)
        except LogError as error:
            self._note(error, started)
            raise
        self._back()
        return sequence

    def _note(self, error: LogError, started_ms: int) -> None:
        """Count why something was not stored."""
        if isinstance(error, Conflict):
            self._counters.conflicts += 1
        elif isinstance(error, Duplicate):
            self._counters.duplicates += 1
        elif isinstance(error, Refused):
            self._counters.refused += 1
        elif isinstance(error, Unavailable):
            self._counters.unavailable += 1
            self.reach.lost(started_ms)

    def _back(self) -> None:
        """Something was stored: whatever was out of reach is not."""
        if self.reach.out:
            self.reach.back()

    def _check_size(self, data: bytes) -> None:
        # The server would cut the connection.
        if len(data) > self._wire.max_payload - _HEADROOM:
            raise Refused(f"{len(data)} bytes are too many")

    def _snapshot_failed(self, aggregate: Aggregate, error: LogError) -> None:
        self._counters.snapshots_failed += 1
        logger.warning("snapshot of %s failed: %s", aggregate.subject, error)
