"""Matches are judged when somebody wants to know: once, whoever asks and however often.

Verdicts are stored one by one. Who judges holds the match in the database, for as long as
verdicts come; whoever is asked after it died goes on from what is there.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Final, Protocol

from laelo.archive.v1 import archive_pb2
from laelo.bots.v1 import bots_pb2
from laelo_common.errors import Code, LaeloError

from laelo_archive.domain.judged import Asked, Judged, JudgementRow, asked, row_of, told
from laelo_archive.domain.shown import may_see
from laelo_archive.ports import Reading, Whole

MOST_WAITING: Final = 32
"""Matches; one is judged at a time, since the bots have better things to do."""

_log = logging.getLogger(__name__)
Key = tuple[str, int]
"""Table and match."""


class Judges(Protocol):
    """Who judges tiles that were laid."""

    def judge(self, turns: Sequence[bots_pb2.PlayedTurn]) -> AsyncIterator[bots_pb2.JudgeResponse]:
        """Verdicts, in order. Raises LaeloError."""


class Verdicts(Protocol):
    """Where verdicts are kept. Raises LaeloError, with TRY_LATER while it is away."""

    async def rows(self, key: Key) -> list[JudgementRow]:
        """What was found in a match, in order."""

    async def hold(self, key: Key) -> bool:
        """Judge this match from now on; False if it is judged, or somebody else does it."""

    async def keep(self, row: JudgementRow) -> None:
        """Keep a verdict, and hold on to the match."""

    async def let_go(self, key: Key, *, done: bool) -> None:
        """Hold the match no more; `done`: all of it is judged."""


class Judging:
    """What is asked about the play in a match."""

    def __init__(self, reading: Reading, verdicts: Verdicts, judges: Judges | None) -> None:
        self._reading = reading
        self._verdicts = verdicts
        self._judges = judges
        self._running: dict[Key, asyncio.Task[None]] = {}
        self._failed: dict[Key, LaeloError] = {}
        self._one = asyncio.Lock()
        self.judged = 0
        """Tiles judged from here."""
        self.failures = 0
        """How often a match could not be judged to its end."""

    @property
    def waiting(self) -> int:
        """Matches that are being judged here, or wait for it."""
        return len(self._running)

    async def judgement(
        self, request: archive_pb2.JudgementRequest
    ) -> archive_pb2.JudgementResponse:
        """What is known; with `start` more will be. Raises LaeloError."""
        whole = await self._whole(request)
        key = whole.found.match.key
        rows = await self._verdicts.rows(key)
        if request.start and len(rows) < len(asked(whole.hands)):
            self._go_on(key, whole)
        match, people, is_open = whole.found
        return told(Judged(match, people, is_open, whole.hands, rows), request.viewer)

    async def close(self) -> None:
        """Stop judging; what was found stays."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _whole(self, request: archive_pb2.JudgementRequest) -> Whole:
        """The match, if it is over and may be seen. Raises LaeloError."""
        known = 0 < request.match < 2**31
        whole = await self._reading.whole(request.table, request.match) if known else None
        if whole is None:
            raise LaeloError(Code.UNKNOWN_MATCH)
        match, people, _ = whole.found
        if not may_see(match, people, request.viewer):
            raise LaeloError(Code.NOT_SEATED, "only those who sat there may see this match")
        if not match.ended_ms:
            raise LaeloError(Code.TRY_LATER, "a match is judged once it is over")
        return whole

    def _go_on(self, key: Key, whole: Whole) -> None:
        """Judge a match, or join whoever does it here. Raises LaeloError if that cannot be, or
        went wrong when it was tried before: then it is tried again when one asks again.
        """
        if self._judges is None:
            raise LaeloError(Code.TRY_LATER, "there are no bots here that could judge")
        error = self._failed.pop(key, None)
        if error is not None:
            raise LaeloError(error.code, error.message) from error
        if key in self._running:
            return
        if len(self._running) >= MOST_WAITING:
            raise LaeloError(Code.TRY_LATER, "many matches are being judged: wait a moment")
        judging = self._run(key, whole, self._judges)
        self._running[key] = task = asyncio.create_task(judging, name="judging")
        task.add_done_callback(lambda _: self._running.pop(key))

    async def _run(self, key: Key, whole: Whole, judges: Judges) -> None:
        """Judge a match; whoever asks next is told what went wrong."""
        try:
            async with self._one:
                await self._judge(key, whole, judges)
        except LaeloError as error:
            _log.warning("a match is not judged: %s", error)
            self._note(key, error)
        except Exception:  # noqa: BLE001 - told to whoever asks next
            _log.exception("a match is not judged")
            self._note(key, LaeloError(Code.INTERNAL, "a fault of ours, see the logs"))

    def _note(self, key: Key, error: LaeloError) -> None:
        self.failures += 1
        self._failed[key] = error
        if len(self._failed) > MOST_WAITING:
            del self._failed[next(iter(self._failed))]

    async def _judge(self, key: Key, whole: Whole, judges: Judges) -> None:
        if not await self._verdicts.hold(key):
            return
        done = False
        try:
            found = {row.place for row in await self._verdicts.rows(key)}
            turns = [one for one in asked(whole.hands) if one.place not in found]
            done = await self._judge_all(key, turns, judges) == len(turns)
        finally:
            await self._verdicts.let_go(key, done=done)

    async def _judge_all(self, key: Key, turns: Sequence[Asked], judges: Judges) -> int:
        """How many verdicts came."""
        came = 0
        async for verdict in judges.judge([one.question for one in turns]):
            await self._verdicts.keep(row_of(*key, turns[verdict.index], verdict))
            self.judged += 1
            came += 1
        return came
