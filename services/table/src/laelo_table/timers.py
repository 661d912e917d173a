"""Turns end by themselves: a timer at each deadline, and the durable clocks behind them."""

import asyncio
import logging
import random
from typing import Final

from laelo.bots.v1 import bots_pb2
from laelo_common.errors import LaeloError
from laelo_common.log import Due, LogError

from laelo_table.app import Tables
from laelo_table.backstop import is_overdue
from laelo_table.domain.bot_view import bot_view
from laelo_table.domain.commands import BotMove, HouseCommand, NextDeal, TimeUp
from laelo_table.domain.outcome import STALE_FENCE, STALE_TURN
from laelo_table.domain.state import Phase, Table, phase_of
from laelo_table.ports import World
from laelo_table.store import TableStore
from laelo_table.warm import Warm

_log = logging.getLogger(__name__)

PATIENCE_MS: Final = 1_000
"""How long after its deadline a bot is waited for, before the clock plays in its place."""

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 2.0
_SEED_BITS: Final = 64


class Timers:
    """What the house does by itself: bots' moves, the clock's, the next deal."""

    def __init__(self, world: World, store: TableStore, tables: Tables) -> None:
        self._world = world
        self._store = store
        self._tables = tables
        self._acting: set[asyncio.Task[None]] = set()
        self._closed = False
        self.failed = 0
        store.on_change = self.arm

    async def close(self) -> None:
        """Act no more."""
        self._closed = True
        acting = list(self._acting)
        for task in acting:
            task.cancel()
        await asyncio.gather(*acting, return_exceptions=True)

    def arm(self, warm: Warm) -> None:
        """Set the table's timer to the deadline of its open turn; at once if that is past."""
        state = warm.state
        wanted = (state.turn, state.deadline_ms)
        if wanted == warm.armed or self._closed:
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
        state = await self._store.peek(due.table)
        if due.turn > state.version:
            # Either not heard of here, or the turn never opened.
            state = await self._store.read_again(due.table)
        if is_overdue(state, due.turn, self._world.now_ms()):
            await self._act(due.table, state.turn)

    def _fire(self, warm: Warm, turn: int) -> None:
        warm.timer = None
        task = asyncio.get_running_loop().create_task(
            self._act_until_done(warm.id, turn), name="table-act"
        )
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)

    async def _act_until_done(self, table: str, turn: int) -> None:
        pause = _FIRST_PAUSE
        while True:
            try:
                await self._act(table, turn)
            except (LaeloError, LogError) as error:
                self.failed += 1
                _log.info("turn %d of table %s cannot be ended yet: %s", turn, table, error)
            else:
                return
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, _LONGEST_PAUSE)

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
        if refusal is None or refusal.code in (STALE_TURN.code, STALE_FENCE.code):
            return
        _log.error("%s of table %s was refused: %s", command.command, table, refusal.reason)
        if isinstance(command, BotMove):
            await self._tables.run(table, TimeUp(turn))

    async def _command(self, state: Table) -> HouseCommand:
        if phase_of(state) is Phase.PAUSE:
            return NextDeal(state.turn)
        view = bot_view(state)
        seat = state.seats[view.seat] if view is not None else None
        if view is None or seat is None or not seat.level:
            return TimeUp(state.turn)
        request = bots_pb2.ChooseMoveRequest(
            view=view,
            level=bots_pb2.Level.ValueType(seat.level),
            seed=random.getrandbits(_SEED_BITS),
        )
        try:
            chosen = await self._world.choose_move(request)
        except LaeloError:
            if self._world.now_ms() < state.deadline_ms + PATIENCE_MS:
                raise
            return TimeUp(state.turn)
        return BotMove(state.turn, seat.fence, chosen.act, chosen.tile, chosen.end, chosen.opener)
