"""From a stored commit and what is known of its aggregate to what is known then, and rows.

One aggregate that makes no sense stops no other: it is noted what is wrong with it, no rows are
told of it any more, and its commits are kept as they are.
"""

from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec
from google.protobuf.message import DecodeError
from laelo.log.v1 import log_pb2
from laelo.matchmaking.v1 import events_pb2 as queue_events
from laelo.table.v1 import events_pb2 as table_events
from laelo.tournament.v1 import events_pb2 as championship_events

from laelo_archive.domain import championships, tables
from laelo_archive.domain.championships import NO_CHAMPIONSHIP, Championship
from laelo_archive.domain.fitting import MOST_VERSION, misfit
from laelo_archive.domain.rows import Row
from laelo_archive.domain.table import NO_TABLE, Table


class Stream(StrEnum):
    """The streams of the log."""

    TABLES = "TBL"
    CHAMPIONSHIPS = "TRN"
    QUEUES = "MMQ"


State = Table | Championship | None


class Known(NamedTuple):
    """What is known of an aggregate after some commit."""

    version: int = 0
    digest: bytes = b""
    """SHA-256 of the newest commit's bytes."""
    state: State = None
    fault: str = ""
    """What is wrong with its commits; empty = nothing."""


NOTHING: Final = Known()


class Projected(NamedTuple):
    """What follows from a commit."""

    known: Known
    version: int
    """Of the commit, as it says; 0 = it says none that could be."""
    rows: list[Row]


class _Way(NamedTuple):
    """How the commits of a stream are read."""

    parse: Callable[[bytes], Any]
    fold: Callable[[Any, Any], tuple[Any, list[Row]]]
    nothing: State


_WAYS: Final = {
    Stream.TABLES: _Way(table_events.Commit.FromString, tables.fold, NO_TABLE),
    Stream.CHAMPIONSHIPS: _Way(
        championship_events.Commit.FromString, championships.fold, NO_CHAMPIONSHIP
    ),
    Stream.QUEUES: _Way(queue_events.Commit.FromString, lambda *_: (None, []), None),
}


def project(stream: Stream, aggregate: str, data: bytes, known: Known) -> Projected:
    """What follows from the next commit of an aggregate."""
    way = _WAYS[stream]
    digest = sha256(data).digest()
    try:
        commit = way.parse(data)
    except DecodeError:
        return Projected(Known(known.version, digest, None, "no commit"), 0, [])
    head = commit.head
    fault = known.fault or _fault(head, aggregate, known)
    if not fault:
        before = way.nothing if known.version == 0 else known.state
        try:
            state, rows = way.fold(before, commit)
        except Exception as error:  # noqa: BLE001 - told in the row of the aggregate
            fault = f"{type(error).__name__} in version {head.version}"
        else:
            wrong = misfit(rows)
            if not wrong:
                return Projected(Known(head.version, digest, state), head.version, rows)
            fault = f"{wrong} cannot be kept in version {head.version}"
    version = head.version if head.version <= MOST_VERSION else 0
    return Projected(Known(version, digest, None, fault), version, [])


def _fault(head: log_pb2.Head, aggregate: str, known: Known) -> str:
    """Why a commit does not follow what is known."""
    if head.aggregate != aggregate:
        return "a commit of another aggregate"
    if head.version != known.version + 1:
        if not known.version:
            return f"it begins with version {head.version}"
        return f"version {head.version} after {known.version}"
    if head.previous != known.digest:
        return f"version {head.version} has another hash of the one before"
    return ""


_ENCODE: Final = msgspec.msgpack.Encoder().encode
_DECODE: Final[dict[Stream, Callable[[bytes], State]]] = {
    Stream.TABLES: msgspec.msgpack.Decoder(Table).decode,
    Stream.CHAMPIONSHIPS: msgspec.msgpack.Decoder(Championship).decode,
}


def encode(state: State) -> bytes:
    """A state as it is stored."""
    return b"" if state is None else _ENCODE(state)


def decode(stream: Stream, stored: bytes) -> State:
    """The state that was stored."""
    return _DECODE[stream](stored) if stored else None
