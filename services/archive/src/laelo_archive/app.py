"""Histories, replays and stories of tables."""

import re
from datetime import date
from typing import Final

from google.protobuf.message import DecodeError
from laelo.archive.v1 import archive_pb2
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.errors import Code, LaeloError

from laelo_archive.domain.shown import history_row, may_see, replay
from laelo_archive.domain.story import Story, Words
from laelo_archive.ports import Filter, Found, Library

ROWS: Final = 20
MOST_ROWS: Final = 100
COMMITS: Final = 200
MOST_COMMITS: Final = 1000

_DAY_MS: Final = 24 * 60 * 60 * 1000
_RECIFE_MS: Final = 3 * 60 * 60 * 1000
"""So much later than in UTC a day begins there, all year."""

_ALWAYS: Final = (0, 2**62)
_NEWEST: Final = (2**62, "", 0)
_CURSOR: Final = re.compile(r"([0-9]{1,18})-([0-9]{1,9})-([0-9A-Za-z_-]{1,64})")
_UNIX: Final = date(1970, 1, 1)


class Archive:
    """What is asked of the archive."""

    def __init__(self, reading: Library) -> None:
        self._reading = reading
        self.histories = 0
        """Histories read."""
        self.replays = 0
        """Matches read."""

    async def history(self, request: archive_pb2.HistoryRequest) -> archive_pb2.HistoryResponse:
        """Matches in which a player sat. Raises LaeloError."""
        if not request.player:
            raise LaeloError(Code.BAD_REQUEST, "whose history is wanted?")
        limit = min(request.limit or ROWS, MOST_ROWS)
        since_ms, until_ms = _span(request.week)
        kind = request.kind
        found = await self._reading.history(
            Filter(
                player=request.player,
                partner=request.partner,
                is_official=kind == archive_pb2.KIND_CHAMPIONSHIP if kind else None,
                since_ms=since_ms,
                until_ms=until_ms,
                before=_place(request.before),
                limit=limit + 1,
            )
        )
        self.histories += 1
        rows = [history_row(one.match, one.people, one.open, request.player) for one in found]
        following = _cursor(found[limit - 1]) if len(found) > limit else ""
        return archive_pb2.HistoryResponse(rows=rows[:limit], next=following)

    async def replay(self, request: archive_pb2.ReplayRequest) -> archive_pb2.ReplayResponse:
        """One match. Raises LaeloError."""
        if not 0 < request.match < 2**31:
            raise LaeloError(Code.UNKNOWN_MATCH)
        whole = await self._reading.whole(request.table, request.match)
        if whole is None:
            raise LaeloError(Code.UNKNOWN_MATCH)
        match, people, is_open = whole.found
        if not may_see(match, people, request.viewer):
            raise LaeloError(Code.NOT_SEATED, "only those who sat there may see this match")
        self.replays += 1
        return replay(match, people, is_open, whole.hands, request.viewer)

    async def story(self, request: archive_pb2.StoryRequest) -> archive_pb2.StoryResponse:
        """All that happened at a table. Raises LaeloError."""
        stored = await self._reading.commits(request.table)
        if not stored:
            raise LaeloError(Code.UNKNOWN_TABLE)
        try:
            commits = [events_pb2.Commit.FromString(data) for data in stored]
        except DecodeError as error:
            raise LaeloError(Code.INTERNAL, "a commit of this table can't be read") from error
        limit = min(request.limit or COMMITS, MOST_COMMITS)
        told = [
            archive_pb2.StoryCommit(
                version=head.version,
                time_ms=head.time_ms,
                actor=log_pb2.Actor.Name(head.actor).removeprefix("ACTOR_").lower(),
                lines=lines,
            )
            for head, lines in Story(words=Words(guest_id=True)).tell(commits)
            if lines and not 0 < request.before <= head.version
        ]
        opened = commits[0].events[0].opened.options
        return archive_pb2.StoryResponse(
            commits=told[-limit:],
            more=len(told) > limit,
            championship=opened.championship,
            closed=any(event.HasField("table_closed") for event in commits[-1].events),
        )


def _span(week: str) -> tuple[int, int]:
    """From when to when a week lasts (R43); an empty one always. Raises LaeloError."""
    if not week:
        return _ALWAYS
    try:
        monday = date.fromisoformat(week)
    except ValueError:
        monday = _UNIX  # a Thursday
    if monday.weekday() or monday.isoformat() != week:
        raise LaeloError(Code.BAD_REQUEST, "a week is named by its Monday, such as 2026-11-30")
    since_ms = (monday - _UNIX).days * _DAY_MS + _RECIFE_MS
    return since_ms, since_ms + 7 * _DAY_MS


def _cursor(found: Found) -> str:
    match = found.match
    return f"{match.started_ms}-{match.match}-{match.table_id}"


def _place(before: str) -> tuple[int, str, int]:
    """Where an answer ended. Raises LaeloError."""
    if not before:
        return _NEWEST
    parts = _CURSOR.fullmatch(before)
    if parts is None or int(parts[2]) >= 2**31:
        raise LaeloError(Code.BAD_REQUEST, "`before` is not the `next` of an answer")
    return int(parts[1]), parts[3], int(parts[2])
