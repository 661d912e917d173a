"""The log and its second copy compared, commit by commit: nightly, and by `laelo log audit`.

Of both it is checked that no commit is missing, and of the copy that each commit has the hash
that is noted of it, its aggregate's next version, and the hash of the one before. Both have to
have the same bytes at the same place, but for commits so old that the log let go of them. A copy
that was begun when the log had let go of some begins in the midst of chains: of those, and there
alone, nothing is said about what came before.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from typing import Final, NamedTuple

import asyncpg
from google.protobuf.message import DecodeError
from laelo_common.errors import LaeloError
from laelo_common.log import (
    JetStreamLives,
    JetStreamLog,
    Kind,
    Life,
    Log,
    LogError,
    Recorded,
    Refused,
    connect,
    read_pages,
)
from laelo_common.log.commit import head_of
from laelo_common.log.streams import STREAMS
from laelo_common.postgres import Connection, second_copy
from laelo_common.postgres.second_copy import Copied, Place
from laelo_common.runtime.progress import Progress
from laelo_common.settings import prefix

from laelo_archive.ports import Lives
from laelo_archive.programs import reader

_NOTE: Final = """
INSERT INTO archive_audits (stream, audited_ms, commits, faults, fault)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (stream) DO UPDATE SET audited_ms = excluded.audited_ms, commits = excluded.commits,
    faults = excluded.faults, fault = excluded.fault
"""
_KNOWN: Final = """
SELECT aggregate, version, hash FROM archive_aggregates WHERE stream = $1
"""


_HOUR_MS: Final = 3_600_000

OnCommits = Callable[[int], None]


def _unheard(_: int) -> None:
    """Nobody wants to know how far it is."""


class Audited(NamedTuple):
    """How a stream and its second copy compare."""

    stream: str
    commits: int
    """So many of the copy's were looked at."""
    behind: int
    """So many that the log has are not archived yet."""
    faults: int
    fault: str
    """The first one, in words; empty = none."""

    def line(self) -> str:
        """What is told of it."""
        found = f"{self.faults} FAULTS, the first: {self.fault}" if self.faults else "good"
        return f"{self.stream}: {self.commits} commits, {self.behind} not archived yet: {found}"


class _Faults:
    """What was found; the first of it in words."""

    def __init__(self) -> None:
        self.count = 0
        self.first = ""

    def add(self, words: str) -> None:
        self.count += 1
        self.first = self.first or words


async def audit(
    connection: Connection, log: Log, lives: Lives, on_commits: OnCommits = _unheard
) -> list[Audited]:
    """Compare all streams and note what comes out. Raises LogError and what asyncpg raises."""
    found = []
    for kind in Kind:
        one = await _Audit(connection, kind, log, on_commits).run(lives)
        now_ms = time.time_ns() // 1_000_000
        await connection.execute(_NOTE, one.stream, now_ms, one.commits, one.faults, one.fault)
        found.append(one)
    return found


class _Audit:
    """The audit of one stream."""

    def __init__(self, connection: Connection, kind: Kind, log: Log, on_commits: OnCommits) -> None:
        self._connection = connection
        self._kind = kind
        self._log = log
        self._on_commits = on_commits
        self._faults = _Faults()
        self._newest: dict[str, tuple[int, bytes]] = {}
        """By aggregate: version and hash of its newest commit."""
        self._read: Recorded | None = None
        """The log's commit that was read last."""
        self._kept_since_ms = _kept_since_ms(kind, time.time_ns() // 1_000_000)
        self._commits = 0

    async def run(self, lives: Lives) -> Audited:
        """Compare everything."""
        place = await second_copy.place_of(self._connection, self._kind)
        life = await lives.life(self._kind)
        logged = self._logged(lives, place, life)
        last = 0
        async for page in second_copy.pages(self._connection, self._kind):
            for copied in page:
                if copied.sequence > place.sequence:
                    break
                self._check_place(copied, last, place)
                last = copied.sequence
                self._check_copy(copied, is_late=place.filled_from > 1)
                if life.first <= last <= life.last:
                    await self._compare(copied, logged)
                elif last < life.first:
                    self._check_age(copied)
            self._commits += len(page)
            self._on_commits(len(page))
        if last != place.sequence and place.sequence >= life.first:
            self._faults.add(f"the copy ends at {last}, its cursor says {place.sequence}")
        await self._check_known()
        behind = max(0, life.last - place.sequence)
        faults = self._faults
        return Audited(self._kind.stream, self._commits, behind, faults.count, faults.first)

    async def _logged(self, lives: Lives, place: Place, life: Life) -> AsyncIterator[Recorded]:
        """The log's commits, as far as they are archived, without those that grow so old while
        others are read that it lets go of them.
        """
        if place.sequence and life.created != place.created:
            self._faults.add("the log has another stream than the one that is archived")
            return
        if life.last < place.sequence:
            self._faults.add(f"the log ends at {life.last}, the copy at {place.sequence}")
        after, until = life.first - 1, min(life.last, place.sequence)
        while after < until:
            try:
                async for page in read_pages(self._log, self._kind, after, until):
                    for commit in page:
                        yield commit
                        after = commit.sequence
            except Refused as error:
                first = (await lives.life(self._kind)).first
                if first <= after + 1:
                    self._faults.add(f"the log has a gap: {error}")
                    return
                after = first - 1

    def _check_place(self, copied: Copied, last: int, place: Place) -> None:
        """Whether a commit comes next, or is the one that the copy was begun with."""
        if last and copied.sequence != last + 1:
            self._faults.add(f"the copy has no commit {last + 1}")
        elif not last and copied.sequence != place.filled_from:
            begun = f"the copy begins with commit {copied.sequence}"
            self._faults.add(f"{begun}, it was filled from {place.filled_from}")

    def _check_copy(self, copied: Copied, *, is_late: bool) -> None:
        """Whether a commit is what was noted of it, and follows the one before. Where the copy was
        begun late, that may be one of which the copy has never known.
        """
        where = f"commit {copied.sequence} of the copy ({copied.aggregate} {copied.version})"
        if sha256(copied.data).digest() != copied.hash:
            self._faults.add(f"{where} has another hash than was noted")
        before = self._newest.get(copied.aggregate)
        version, digest = before or (0, b"")
        self._newest[copied.aggregate] = (copied.version, copied.hash)
        try:
            head = head_of(copied.data)
        except DecodeError:
            self._faults.add(f"{where} is no commit")
            return
        if before is None and is_late and head.version > 1:
            version, digest = head.version - 1, head.previous
        if (head.version, head.aggregate) != (version + 1, copied.aggregate):
            self._faults.add(f"{where} says {head.aggregate} {head.version} after {version}")
        elif head.previous != digest:
            self._faults.add(f"{where} does not follow the one before it")

    async def _compare(self, copied: Copied, logged: AsyncIterator[Recorded]) -> None:
        """Whether the log has the same commit, if it still has one there."""
        while self._read is None or self._read.sequence < copied.sequence:
            self._read = await anext(logged, None)
            if self._read is None:
                return  # said already, of all that follow
        if self._read.sequence > copied.sequence:
            self._check_age(copied)
        elif self._read.data != copied.data:
            self._faults.add(f"commit {copied.sequence} is another one in the log and in the copy")

    def _check_age(self, copied: Copied) -> None:
        """Whether a commit with which the log does not begin any more was that old."""
        if copied.stored_ms >= self._kept_since_ms:
            self._faults.add(f"the log does not begin with commit {copied.sequence}, as it should")

    async def _check_known(self) -> None:
        """Whether the heads of all chains are those that the read models go on from."""
        rows = await self._connection.fetch(
            _KNOWN, self._kind.stream, timeout=second_copy.PATIENCE_SECONDS
        )
        for aggregate, version, digest in rows:
            newest = self._newest.get(aggregate)
            # It may have got further meanwhile.
            if newest and version <= newest[0] and (version, digest) != newest:
                self._faults.add(f"the newest commit of {aggregate} is {newest[0]}, not {version}")


def _kept_since_ms(kind: Kind, now_ms: int) -> int:
    """What was stored then or later the log still has; a bit less than it says, for its clock is
    another one.
    """
    kept_ms: int = STREAMS[kind.stream].get("max_age", 0) // 1_000_000
    return now_ms - kept_ms + _HOUR_MS if kept_ms else 0


async def _run(dsn: str, nats_url: str) -> list[Audited]:
    connection = await asyncpg.connect(dsn, timeout=10, command_timeout=60)
    try:
        link = await connect(reader(nats_url, "audit"))
        try:
            total = await connection.fetchval("SELECT count(*) FROM archive_commits")
            progress = Progress("commits", total)
            found = await audit(connection, JetStreamLog(link), JetStreamLives(link), progress.add)
            progress.end()
            return found
        finally:
            await link.close()
    finally:
        await connection.close()


def main() -> int:
    """Audit by the environment; 1 if there are faults, 2 if nothing could be compared."""
    names = [f"{prefix('archive')}{name}" for name in ("PG_DSN", "NATS_URL")]
    found = [os.environ.get(name, "") for name in names]
    for name, text in zip(names, found, strict=True):
        if not text:
            print(f"{name} is not set: it says where that is", file=sys.stderr)
            return 2
    try:
        audited = asyncio.run(_run(*found))
    except (OSError, LaeloError, LogError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        print(f"log and second copy cannot be compared: {error}", file=sys.stderr)
        return 2
    for one in audited:
        print(one.line())
    return 1 if any(one.faults for one in audited) else 0


if __name__ == "__main__":
    sys.exit(main())
