"""Who is there: persons are counted as gone and back, and empty tables are closed (R32).

Only a table's home counts, since only there the people are. Who it declares gone is so for
all replicas; a home that finds such a person present says so at once.
"""

import asyncio
import logging
from functools import partial
from typing import Final

from laelo_common.log import Due

from laelo_table import audience, crowd
from laelo_table.app import Tables
from laelo_table.backstop import NotYetError, ensure_look
from laelo_table.domain.backstops import looked_for
from laelo_table.domain.commands import Empty, Gone, Here, HouseCommand
from laelo_table.domain.state import Table
from laelo_table.domain.view import watching
from laelo_table.patience import Doings, until_done
from laelo_table.ports import World
from laelo_table.store import TableStore
from laelo_table.warm import Warm

_log = logging.getLogger(__name__)

COUNT_MS: Final = 1_000
"""The number of spectators is told at most once in so long."""

_SKEW_MS: Final = 2_000


class Attendance:
    """What the house does about people who come and go."""

    def __init__(self, world: World, store: TableStore, tables: Tables) -> None:
        self._world = world
        self._store = store
        self._tables = tables
        self._doings = Doings()

    async def close(self) -> None:
        """Count no more."""
        await self._doings.close()

    def review(self, warm: Warm) -> None:
        """See who is there now and who is not. Called whenever that may have changed."""
        warm.unreviewed = False
        state = warm.state
        if state.closed or self._doings.is_closed:
            return
        present = crowd.persons(warm)
        self._note_absent(warm, state, present)
        self._arm(warm)
        self._tell_count(warm, crowd.without_seat(state, present))

    async def look(self, due: Due) -> None:
        """A durable clock calls to see whether everybody has gone. Raises NotYetError."""
        version = looked_for(due.turn)
        state = await self._store.peek(due.table)
        if version > state.version:
            state = await self._store.read_again(due.table)
        if state.closed or not state.version or state.championship:
            return
        if state.empty_ms:
            await self._close_empty(state)
        elif state.version == version and not self._counts(due.table):
            for command in _all_gone(state):
                await self._tables.run(state.id, command)

    async def _close_empty(self, state: Table) -> None:
        left_ms = state.empty_ms + self._world.kept_ms - self._world.now_ms()
        if left_ms <= 0:
            await self._tables.run(state.id, Empty(state.empty_ms, self._world.kept_ms))
        elif left_ms < _SKEW_MS:
            raise NotYetError(f"table {state.id} is kept for {left_ms} ms")

    def _counts(self, table: str) -> bool:
        """Whether somebody is counted here, who may just be thinking."""
        warm = self._store.tables.get(table)
        return warm is not None and bool(warm.watchers or warm.absent)

    def _note_absent(self, warm: Warm, state: Table, present: set[str]) -> None:
        now_ms, away = self._world.now_ms(), warm.absent
        warm.absent = {}
        for number, seat in enumerate(state.seats):
            if seat.player in present:
                if seat.gone:
                    self._do(state.id, Here(seat.player, "", number, state.version))
            elif seat.player and not seat.gone and (warm.watchers or seat.player in away):
                warm.absent[seat.player] = away.get(seat.player, now_ms)
        someone = any(seat.player in present for seat in state.seats)
        if state.championship:
            return  # It plays on without anybody, and closes by itself.
        if warm.absent and not someone and state.version != warm.called_for:
            self._call_for_look(warm, state.version, now_ms)

    def _call_for_look(self, warm: Warm, version: int, now_ms: int) -> None:
        """All have gone: should this replica go too, another one has to close the table."""
        warm.called_for = version
        at_ms = now_ms + self._world.bot_after_ms + self._world.kept_ms
        call = partial(ensure_look, self._world.clocks, warm.id, version, at_ms)
        self._doings.begin(until_done(call, self._on_failure), "table-look")

    def _arm(self, warm: Warm) -> None:
        if warm.absent_timer is not None:
            warm.absent_timer.cancel()
            warm.absent_timer = None
        if warm.absent:
            since_ms = min(warm.absent.values())
            left_ms = since_ms + self._world.bot_after_ms - self._world.now_ms()
            loop = asyncio.get_running_loop()
            warm.absent_timer = loop.call_later(max(0, left_ms) / 1000, self._time_up, warm)

    def _time_up(self, warm: Warm) -> None:
        warm.absent_timer = None
        latest_ms = self._world.now_ms() - self._world.bot_after_ms
        for number, seat in enumerate(warm.state.seats):
            if seat.player and warm.absent.get(seat.player, latest_ms + 1) <= latest_ms:
                del warm.absent[seat.player]
                self._do(warm.id, Gone(seat.player, number, seat.fence))
        self._arm(warm)

    def _do(self, table: str, command: HouseCommand) -> None:
        async def act() -> None:
            await self._tables.run(table, command)

        self._doings.begin(until_done(act, self._on_failure), "table-attendance")

    def _tell_count(self, warm: Warm, count: int) -> None:
        if count == warm.count or warm.count_timer is not None:
            return
        left_ms = warm.count_ms + COUNT_MS - self._world.now_ms()
        if left_ms > 0:
            loop = asyncio.get_running_loop()
            warm.count_timer = loop.call_later(left_ms / 1000, self._count_again, warm)
            return
        warm.count, warm.count_ms = count, self._world.now_ms()
        audience.push(warm, watching(warm.state, count))

    def _count_again(self, warm: Warm) -> None:
        warm.count_timer = None
        self._tell_count(warm, crowd.without_seat(warm.state, crowd.persons(warm)))

    def _on_failure(self, error: Exception) -> None:
        _log.info("who is at a table cannot be written down yet: %s", error)


def _all_gone(state: Table) -> list[Gone]:
    return [
        Gone(seat.player, number, seat.fence)
        for number, seat in enumerate(state.seats)
        if seat.player and not seat.gone
    ]
