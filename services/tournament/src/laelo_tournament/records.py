"""Brings what is over into the read models, each championship once and in the log's order.

How far the log is recorded stands beside the records and moves with them, so it does not matter
who records, how many do it at once, or where one of them died.
"""

import asyncio
import logging
from collections.abc import AsyncIterable, Sequence
from typing import Final

from laelo_common.errors import LaeloError
from laelo_common.log import Following, Kind, Log, Recorded

from laelo_tournament.domain.fitting import misfit
from laelo_tournament.domain.state import is_running
from laelo_tournament.mirror import NOTHING, BeganEarlierError, Folded, fold, id_in
from laelo_tournament.patience import Patience
from laelo_tournament.ports import AgainError, Batch, Ending, GapError, Records

_log = logging.getLogger(__name__)

MOST_TOGETHER: Final = 50
"""So many championships are recorded in one go."""

MOST_WAITING: Final = 1000
"""With so many waiting the log is read no further until they are recorded."""


class _Backlog:
    """What was read of the log and is not recorded yet."""

    def __init__(self) -> None:
        self._first = 0
        """The first commit that is not recorded; 0 = none."""
        self._begins = False
        self._folds: dict[str, Folded] = {}
        self._endings: list[Ending] = []
        self.last = 0
        """How far the log was read."""
        self.cursor = 0
        """How far it is recorded, as far as was heard."""
        self.given_up = 0
        """Championships of which no record is made, since they cannot be read or kept."""
        self.news = asyncio.Event()

    def __len__(self) -> int:
        return len(self._endings)

    @property
    def is_full(self) -> bool:
        """Whether it should not be read on."""
        return len(self) >= MOST_WAITING

    def add(self, recorded: Recorded) -> None:
        """Take in the next commit of the log. Raises GapError if it is not the next one."""
        place = recorded.sequence
        if self.last and place != self.last + 1:
            raise GapError(self.last, place)
        if not self._first and place > self.cursor:
            self._first, self._begins = place, not self.last
            self.news.set()
        self.last = place
        championship = id_in(recorded.subject)
        try:
            folded = fold(self._folds.get(championship, NOTHING), recorded)
        except BeganEarlierError:
            _log.debug("championship %s began before the log does", championship)
        except LaeloError as error:
            self._folds.pop(championship, None)
            self._give_up(championship, str(error))
        else:
            self._keep(folded)

    async def record(self, records: Records) -> int:
        """Record some of it, without what cannot be; how far the log is recorded then.

        Raises LaeloError and GapError.
        """
        while True:
            try:
                cursor = await records.write(self._next())
            except AgainError as error:
                for ending in error.endings:
                    self._endings.remove(ending)
                    self._give_up(ending.state.id, "it was over before")
                continue
            self._done(cursor)
            return cursor

    def _next(self) -> Batch:
        """What is to be recorded now."""
        together = self._endings[:MOST_TOGETHER]
        more = len(self) > MOST_TOGETHER
        last = together[-1].sequence if more else self.last
        return Batch(self._first, last, together, self._begins)

    def _done(self, cursor: int) -> None:
        """All up to there is recorded, by whomever."""
        self.cursor = cursor
        self._endings = [ending for ending in self._endings if ending.sequence > cursor]
        self._begins = False
        if cursor < self.last:
            self._first = cursor + 1
        else:
            self._first = 0
            self.news.clear()

    def _keep(self, folded: Folded) -> None:
        state = folded.state
        if is_running(state):
            self._folds[state.id] = folded
            return
        self._folds.pop(state.id, None)
        if folded.sequence <= self.cursor:
            return
        if wrong := misfit(state):
            self._give_up(state.id, f"{wrong} cannot be kept")
        else:
            self._endings.append(Ending(folded.sequence, state))

    def _give_up(self, championship: str, why: str) -> None:
        self.given_up += 1
        _log.error("championship %s is not recorded: %s", championship, why)


class Recorder:
    """Follows the log and records, for ever."""

    def __init__(self, log: Log, records: Records) -> None:
        self._log = log
        self._records = records
        self._backlog = _Backlog()
        self._following: Following | None = None
        self._moved = asyncio.Condition()
        self._given_up = 0
        self.cursor = 0
        """How far the log is recorded, as far as is known here."""
        self.failures = 0
        """How often recording did not succeed."""

    @property
    def waiting(self) -> int:
        """How many championships were read and are not recorded yet."""
        return len(self._backlog)

    @property
    def given_up(self) -> int:
        """Championships of which no record is made, since they cannot be read or kept."""
        return self._given_up + self._backlog.given_up

    async def run(self) -> None:
        """Record until cancelled."""
        patience = Patience()
        try:
            while True:
                try:
                    await self._read_on()
                    await self._record()
                    patience = Patience()
                    continue
                except LaeloError as error:
                    _log.warning("championships are recorded later: %s", error)
                    await self._stop_reading()
                except GapError as gap:
                    _log.error("the log is recorded anew from its beginning: %s", gap)
                    await self._begin_anew()
                self.failures += 1
                await patience.wait()
        finally:
            await self._stop_reading()

    async def recorded_to(self, sequence: int) -> None:
        """Wait until the log is recorded up to there."""
        async with self._moved:
            await self._moved.wait_for(lambda: self.cursor >= sequence)

    async def _record(self) -> None:
        cursor = await self._backlog.record(self._records)
        async with self._moved:
            self.cursor = cursor
            self._moved.notify_all()

    async def _read_on(self) -> None:
        """Read until there is something to record, and no more than that while recording is
        slow. Raises what ended the reading.
        """
        backlog = self._backlog
        if backlog.is_full:
            await self._stop_reading()
        if self._following is None:
            if backlog.news.is_set():
                return
            self._following = await self._log.follow(Kind.CHAMPIONSHIP, backlog.last, backlog.add)
        ended = asyncio.ensure_future(self._following.wait())
        news = asyncio.ensure_future(backlog.news.wait())
        try:
            await asyncio.wait((ended, news), return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                ended.result()
        finally:
            ended.cancel()
            news.cancel()

    async def _stop_reading(self) -> None:
        following, self._following = self._following, None
        if following is not None:
            await following.close()

    async def _begin_anew(self) -> None:
        await self._stop_reading()
        self._given_up += self._backlog.given_up
        self._backlog = _Backlog()


class Remaking:
    """Records made anew of all that the log ever had, page by page."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._backlog = _Backlog()

    async def take(self, pages: AsyncIterable[Sequence[Recorded]]) -> int:
        """Record what follows; how far that is. Raises LaeloError and GapError."""
        backlog = self._backlog
        async for page in pages:
            for recorded in page:
                backlog.add(recorded)
            while backlog.news.is_set():
                await backlog.record(self._records)
        return backlog.last
