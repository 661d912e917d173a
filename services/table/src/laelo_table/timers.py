"""Turns end by themselves: a timer at each deadline, and the durable clocks behind them."""

import asyncio
import logging
import random
from collections.abc import Callable
from functools import partial
from typing import Final

from laelo.bots.v1 import bots_pb2
from laelo_common.errors import LaeloError
from laelo_common.log import Aggregate, Due, Kind
from laelo_common.log.commit import head_of
from laelo_common.metrics import Histogram

from laelo_table.app import Tables
from laelo_table.attendance import Attendance
from laelo_table.backstop import is_overdue
from laelo_table.domain.backstops import called_for, looked_for
from laelo_table.domain.bot_view import bot_view
from laelo_table.domain.clocks import runs_for_person
from laelo_table.domain.commands import (
    BotMove,
    GiveBack,
    HouseCommand,
    MatchOver,
    NextDeal,
    StartByItself,
    TimeUp,
)
from laelo_table.domain.outcome import STALE_FENCE, STALE_TURN, TABLE_CLOSED
from laelo_table.domain.state import Phase, Table, phase_of
from laelo_table.outages import Outages
from laelo_table.patience import Doings, until_done
from laelo_table.ports import World
from laelo_table.store import TableStore
from laelo_table.together import DueDeal, Together
from laelo_table.warm import Warm

_log = logging.getLogger(__name__)

PATIENCE_MS: Final = 1_000
"""How long after its deadline a bot is waited for, before the clock plays in its place."""

_BETWEEN_TURNS: Final[dict[Phase, Callable[[int], HouseCommand]]] = {
    Phase.LOBBY: StartByItself,
    Phase.PAUSE: NextDeal,
    Phase.MATCH_OVER: MatchOver,
}
"""What follows by itself when nobody has to act."""

_OVERTAKEN: Final = (STALE_TURN.code, STALE_FENCE.code, TABLE_CLOSED.code)
_SEED_BITS: Final = 64


class Timers:
    """What the house does by itself: bots' moves, the clock's, the next deal."""

    def __init__(self, world: World, store: TableStore, tables: Tables, together: Together) -> None:
        self._world = world
        self._store = store
        self._tables = tables
        self._together = together
        self._outages = Outages(world.log.reach, world.now_ms())
        self._attendance = Attendance(world, store, tables)
        self._doings = Doings()
        self.failed = 0
        self.given_back = 0
        self.lateness = Histogram()
        """How long after their deadlines persons' turns were ended, in seconds."""
        store.on_change = self._on_change

    async def close(self) -> None:
        """Act no more."""
        await self._doings.close()
        await self._attendance.close()

    def arm(self, warm: Warm) -> None:
        """Set the table's timer to the deadline of its open turn; at once if that is past."""
        state = warm.state
        wanted = (state.turn, state.deadline_ms)
        if wanted == warm.armed or self._doings.is_closed:
            return
        if warm.timer is not None:
            warm.timer.cancel()
            warm.timer = None
        warm.armed = wanted
        if state.deadline_ms:
            left = max(0.0, (state.deadline_ms - self._world.now_ms()) / 1000)
            loop = asyncio.get_running_loop()
            warm.timer = loop.call_later(left, self._fire, warm, state.turn)

    async def on_due(self, due: Due) -> None:
        """A durable clock calls. Raises when it has to call again."""
        due = Due(due.table, called_for(due.turn))
        if looked_for(due.turn):
            await self._attendance.look(due)
            return
        if not await self._may_be_overdue(due):
            return
        state = await self._store.peek(due.table)
        if due.turn > state.version:
            # Either not heard of here, or the turn never opened.
            state = await self._store.read_again(due.table)
        if is_overdue(state, due.turn, self._world.now_ms()):
            await self._act(due.table, state.turn)

    async def _may_be_overdue(self, due: Due) -> bool:
        """Most clocks call for turns that are over: of a table that is not in memory here the
        head of its newest commit tells, without a load. Raises when it has to call again.
        """
        if self._store.tables.get(due.table) is not None:
            return True
        newest = await self._world.log.newest(Aggregate(Kind.TABLE, due.table))
        if newest is None:
            return False
        return is_overdue(head_of(newest.data), due.turn, self._world.now_ms())

    def _on_change(self, warm: Warm) -> None:
        self.arm(warm)
        if warm.unreviewed:
            self._attendance.review(warm)

    def _fire(self, warm: Warm, turn: int) -> None:
        warm.timer = None
        alone = partial(self._begin_to_act, warm.id, turn)
        if phase_of(warm.state) is Phase.PAUSE:
            self._together.put_off(DueDeal(warm.id, NextDeal(turn), alone))
        else:
            alone()

    def _begin_to_act(self, table: str, turn: int) -> None:
        act = partial(self._act, table, turn)
        failed = partial(self._failed, table, turn)
        self._doings.begin(until_done(act, failed), "table-act")

    def _failed(self, table: str, turn: int, error: Exception) -> None:
        self.failed += 1
        _log.info("turn %d of table %s cannot be ended yet: %s", turn, table, error)

    async def _act(self, table: str, turn: int) -> None:
        """End a turn whose time is up, unless it is over already."""
        state = await self._store.state(table)
        while state.turn == turn and (left_ms := state.deadline_ms - self._world.now_ms()) > 0:
            await asyncio.sleep(left_ms / 1000)
            state = await self._store.state(table)
        if state.turn != turn or not state.deadline_ms:
            return
        command = await self._command(state)
        refusal = await self._tables.run(table, command)
        if refusal is None:
            self._note(command, state)
            return
        if refusal.code in _OVERTAKEN:
            return
        _log.error("%s of table %s was refused: %s", command.command, table, refusal.reason)
        if isinstance(command, BotMove):
            await self._tables.run(table, TimeUp(turn))

    def _note(self, command: HouseCommand, state: Table) -> None:
        if isinstance(command, GiveBack):
            self.given_back += 1
        elif isinstance(command, TimeUp):
            self.lateness.add((self._world.now_ms() - state.deadline_ms) / 1000)

    async def _command(self, state: Table) -> HouseCommand:
        between = _BETWEEN_TURNS.get(phase_of(state))
        if between is not None:
            return between(state.turn)
        if runs_for_person(state):
            since_ms = self._outages.since(state)
            return TimeUp(state.turn) if since_ms is None else GiveBack(state.turn, since_ms)
        view = bot_view(state)
        seat = state.seats[view.seat] if view is not None else None
        if view is None or seat is None or not seat.bot:
            return TimeUp(state.turn)
        request = bots_pb2.ChooseMoveRequest(
            view=view,
            level=bots_pb2.Level.ValueType(seat.bot),
            seed=random.getrandbits(_SEED_BITS),
        )
        try:
            chosen = await self._world.choose_move(request)
        except LaeloError:
            if self._world.now_ms() < state.deadline_ms + PATIENCE_MS:
                raise
            return TimeUp(state.turn)
        return BotMove(state.turn, seat.fence, chosen.act, chosen.tile, chosen.end, chosen.opener)
