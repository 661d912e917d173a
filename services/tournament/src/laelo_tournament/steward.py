"""Sees to it that championships go on: whatever was left undone, by whomever, is done.

What is to be done follows from the log alone, each thing can be done twice, and every replica
does all of it: so nothing waits for a replica that died.
"""

import asyncio
import logging
from functools import partial
from typing import Final

from laelo.table.v1 import table_pb2
from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.metrics import Histogram
from laelo_common.telemetry import at_hand, current

from laelo_tournament.app import Championships
from laelo_tournament.domain.commands import Result
from laelo_tournament.domain.state import Championship
from laelo_tournament.domain.tables import Call, calls, open_tables
from laelo_tournament.mirror import Mirror
from laelo_tournament.patience import Doings, until_done
from laelo_tournament.ports import World
from laelo_tournament.results import TableLog, TableResult

_log = logging.getLogger(__name__)

MOVE_SECONDS: Final = 15
"""The long clock of a championship's table (R20)."""

FIRST_READS: Final = 32
"""So many tables' logs are read from their beginning at once, as after a start of the service."""

IN_FLIGHT_MS: Final = 5_000
"""So long after a cancellation a table may still be opened by who had not heard of it."""

FORGOTTEN_MS: Final = 24 * 60 * 60 * 1000
"""After so long nobody looks any more whether the tables of a cancelled championship are closed:
left to themselves they are played to the end by the clock and close.
"""


class Stewards:
    """Opens tables, takes their results, and closes them when a championship is cancelled."""

    def __init__(self, world: World, mirror: Mirror, championships: Championships) -> None:
        self._world = world
        self._mirror = mirror
        self._championships = championships
        self._doings = Doings()
        self._first_reads = asyncio.Semaphore(FIRST_READS)
        self._matches: dict[str, set[str]] = {}
        """What is done for each running championship, by the names of the doings."""
        self.opened = 0
        """Tables that were opened from here."""
        self.delays = Histogram()
        """Seconds from the end of a match to its result in the log, for those taken here."""

    def __len__(self) -> int:
        return len(self._doings)

    def start(self) -> None:
        """Begin with all that the log leaves to be done, and go on with each change."""
        self._mirror.listen(self._on_change)
        for folded in [*self._mirror.running.values(), *self._mirror.recent.values()]:
            self._on_change(folded.state)

    async def close(self) -> None:
        """Do no more."""
        await self._doings.close()

    def _on_change(self, state: Championship) -> None:
        wanted = {f"{state.id} {call.match}": call for call in calls(state)}
        for name in self._matches.pop(state.id, set()) - wanted.keys():
            self._doings.end(name)
        if wanted:
            self._matches[state.id] = set(wanted)
        for name, call in wanted.items():
            self._doings.begin(name, partial(self._see_through, name, state.id, call))
        if state.stage == tournament_pb2.STAGE_CANCELLED:
            self._close_tables(state)

    def _close_tables(self, state: Championship) -> None:
        if self._world.now_ms() - state.ended_ms > FORGOTTEN_MS:
            return
        for table in open_tables(state):
            what = f"closing table {table} of {state.id}"
            act = partial(self._close_table, table, state.ended_ms)
            self._doings.begin(what, partial(until_done, act, what))

    async def _see_through(self, name: str, championship: str, call: Call) -> None:
        """A match from its call to its result in the championship's log."""
        table = TableLog(self._world.log, call.table)
        await until_done(lambda: self._play(championship, call, table), f"match {name}")

    async def _play(self, championship: str, call: Call, table: TableLog) -> None:
        async with self._first_reads:
            result = await table.read()
        if not table.exists:
            await self._open_table(championship, call)
            self.opened += 1
            _log.info("match %s of championship %s has a table", call.match, championship)
        result = result or await table.wait(self._world)
        await self._report(championship, call, result)

    async def _open_table(self, championship: str, call: Call) -> None:
        options = table_pb2.Options(
            move_seconds=MOVE_SECONDS,
            spectators=True,
            championship=championship,
            match=call.match,
        )
        people = [table_pb2.Sitting(player=s.player, animal=s.animal) for s in call.seats]
        command = table_pb2.Command(
            table=call.table,
            command="open",
            kind=table_pb2.KIND_OPEN_MATCH,
            options=options,
            people=people,
            start_ms=call.starts_ms,
            trace=current.get(),  # of the result by which the match came about, if taken here
        )
        update = await self._world.tables.submit(command)
        if update.code not in ("", Code.TABLE_CLOSED):  # closed: its log has the result
            raise LaeloError(Code(update.code), update.reason)

    async def _report(self, championship: str, call: Call, result: TableResult) -> None:
        winner = call.team_b if result.side else call.team_a
        command = Result(call.match, winner, *result.scores, result.version)
        traced = self._world.telemetry.begin(
            "tournament.result", result.trace, championship=championship, match=call.match
        )
        with at_hand(traced):
            refusal = await self._championships.run(championship, command)
            if refusal is None:
                self.delays.add(max(0, self._world.now_ms() - result.time_ms) / 1000)
                _log.info("match %s of championship %s is decided", call.match, championship)
            elif refusal.code != Code.CHAMPIONSHIP_OVER:
                raise LaeloError(Code(refusal.code), refusal.reason)

    async def _close_table(self, table: str, cancelled_ms: int) -> None:
        command = table_pb2.Command(table=table, command="cancel", kind=table_pb2.KIND_CANCEL)
        update = await self._world.tables.submit(command)
        if update.code in ("", Code.TABLE_CLOSED):
            return
        in_flight = self._world.now_ms() - cancelled_ms < IN_FLIGHT_MS
        if update.code != Code.UNKNOWN_TABLE or in_flight:
            raise LaeloError(Code(update.code), update.reason)
