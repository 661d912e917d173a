"""Follows one stream of the log into the archive, for ever.

How far it is stands beside what is archived and moves with it, from exactly where it was: so it
does not matter who archives, how many do it at once, or where one of them died. Who finds that
another one has moved it stands by, and takes over when the other does not go on.
"""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from typing import Final

from laelo_common.errors import Code, LaeloError
from laelo_common.log import Following, Kind, Life, Log, LogError, Recorded
from laelo_common.telemetry import OFF, Telemetry

from laelo_archive import tracing
from laelo_archive.backlog import Backlog
from laelo_archive.domain.project import NOTHING, Stream, project
from laelo_archive.domain.rows import Row
from laelo_archive.patience import Patience
from laelo_archive.ports import Cursor, GapError, Line, Lives, Page, Shelves
from laelo_archive.remembered import Remembered

_log = logging.getLogger(__name__)

LINGER_SECONDS: Final = 0.05
"""For so long more is waited for before less than a page is archived: each page is synced."""

STAND_BY_SECONDS: Final = 1.0
"""Another replica that has not gone on for so long, although there is more, is relieved."""


class OtherStreamError(Exception):
    """The log's stream is not the one that is archived: it was made anew."""


class Archivist:
    """One replica's part in archiving one stream."""

    def __init__(
        self,
        kind: Kind,
        log: Log,
        lives: Lives,
        shelves: Shelves,
        telemetry: Telemetry = OFF,
    ) -> None:
        self.stream = Stream(kind.stream)
        self._kind = kind
        self._log = log
        self._lives = lives
        self._shelves = shelves
        self._telemetry = telemetry
        self._remembered = Remembered(partial(shelves.known, self.stream))
        self._cursor = Cursor(self.stream)
        self._patience = Patience()
        self.archived = 0
        """Commits archived from here."""
        self.failures = 0
        """How often it did not go on, and was tried again."""
        self.given_up = 0
        """Aggregates of which no rows are told any more."""
        self.trouble = ""
        """Why the archive cannot go on by itself; empty = it can."""

    async def run(self) -> None:
        """Archive until cancelled."""
        while True:
            try:
                await self._begin()
                while await self._follow():
                    pass
                await self._stand_by()
            except (LaeloError, LogError) as error:
                if isinstance(error, LaeloError) and error.code != Code.TRY_LATER:
                    self.trouble = str(error)
                _log.warning("%s is archived later: %s", self.stream, error)
            except (GapError, OtherStreamError) as error:
                self.trouble = str(error)
                _log.error("%s cannot be archived: %s", self.stream, error)
            else:
                continue
            self.failures += 1
            await self._patience.wait()

    async def _begin(self) -> None:
        """Find out where the archive stands."""
        self._remembered.forget()
        cursor = await self._shelves.cursor(self.stream)
        if not cursor.sequence:
            life = await self._lives.life(self._kind)
            if cursor.created != life.created:
                await self._shelves.adopt(cursor, life)
                cursor = await self._shelves.cursor(self.stream)
        self._cursor = cursor
        life = await self._check_life()
        if life.last <= cursor.sequence:
            self.trouble = ""  # the log was restored, and nothing is missing

    async def _check_life(self) -> Life:
        """Make sure that all that was read until now is of the stream that is archived."""
        life = await self._lives.life(self._kind)
        if life.created != self._cursor.created:
            raise OtherStreamError(
                f"the log's stream was made at {life.created}, the archive has commits up to"
                f" {self._cursor.sequence} of the one made at {self._cursor.created}"
            )
        return life

    async def _follow(self) -> bool:
        """Archive what comes, until more came than could wait; False if another one does it."""
        backlog = Backlog(self._cursor.sequence)
        following = await self._log.follow(self._kind, self._cursor.sequence, backlog.add)
        try:
            while backlog or not backlog.overflowed:
                if not backlog:
                    await _news(backlog, following)
                    await asyncio.sleep(LINGER_SECONDS)
                elif backlog.overflowed:
                    await following.close()
                commits = backlog.take()
                await self._check_life()
                if not await self._archive(commits):
                    return False
                self.trouble = ""
                self._patience.succeeded()
        finally:
            await following.close()
        return True

    async def _archive(self, commits: Sequence[Recorded]) -> bool:
        """Archive some commits; False if another one has."""
        spans = tracing.begin(self._telemetry, self.stream, commits)
        known = await self._remembered.of({_aggregate(commit) for commit in commits})
        lines: list[Line] = []
        rows: list[Row] = []
        faults: dict[str, str] = {}
        for commit in commits:
            aggregate = _aggregate(commit)
            before = known.get(aggregate, NOTHING)
            after, version, told = project(self.stream, aggregate, commit.data, before)
            if after.fault and not before.fault:
                faults[aggregate] = after.fault
            known[aggregate] = after
            rows += told
            lines.append(
                Line(commit.sequence, aggregate, version, after.digest, commit.data, commit.time_ms)
            )
        if not await self._shelves.write(Page(self._cursor, lines, known, rows)):
            return False
        for span in spans:
            span.end()
        self._cursor = self._cursor._replace(sequence=lines[-1].sequence)
        self.archived += len(lines)
        self._remembered.keep(known)
        # Not before: if another replica has gone on meanwhile, it only looks like a fault.
        for aggregate, fault in faults.items():
            self.given_up += 1
            _log.error("%s %s is given up: %s", self.stream, aggregate, fault)
        return True

    async def _stand_by(self) -> None:
        """Wait until whoever archives does not go on although there is more."""
        self.trouble = ""
        self._remembered.forget()
        seen = self._cursor
        while True:
            await asyncio.sleep(STAND_BY_SECONDS)
            cursor = await self._shelves.cursor(self.stream)
            life = await self._lives.life(self._kind)
            if cursor == seen and cursor.sequence < life.last:
                return
            seen = cursor


def _aggregate(commit: Recorded) -> str:
    """Id of the aggregate that a commit is of, from its subject."""
    return commit.subject.split(".")[-2]


async def _news(backlog: Backlog, following: Following) -> None:
    """Wait until there is something to archive. Raises what ended the reading."""
    ended = asyncio.ensure_future(following.wait())
    news = asyncio.ensure_future(backlog.news())
    try:
        await asyncio.wait((ended, news), return_when=asyncio.FIRST_COMPLETED)
        if ended.done():
            ended.result()
    finally:
        ended.cancel()
        news.cancel()
