"""Records in memory, with the semantics of the real ones."""

import asyncio
from collections.abc import Sequence

from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_tournament.domain.public import entries, public, without_matches
from laelo_tournament.domain.ranking import awards, leaderboard
from laelo_tournament.domain.state import Championship
from laelo_tournament.domain.weeks import week_of
from laelo_tournament.ports import AgainError, Batch, GapError, Record, Standing, over_before


class MemoryRecords:
    """`Records` that any number of replicas share. Set `away` for an outage."""

    def __init__(self) -> None:
        self.away = False
        self.cursor = 0
        self.states: dict[str, Championship] = {}
        self.booked: list[str] = []
        """Championships in the order in which their points were booked."""

    async def write(self, batch: Batch) -> int:
        """Record what is not recorded yet; see `ports.Records.write`."""
        await self._reach()
        if batch.last <= self.cursor:
            return self.cursor
        if batch.first > self.cursor + 1 and not (batch.begins and self.cursor == 0):
            raise GapError(self.cursor, batch.first)
        endings = [ending for ending in batch.endings if ending.sequence > self.cursor]
        if again := over_before(self.states, endings):
            raise AgainError(again)
        for _, state in endings:
            self.states[state.id] = state
            self.booked.append(state.id)
        self.cursor = batch.last
        return batch.last

    async def clear(self) -> None:
        """Forget everything."""
        await self._reach()
        self.cursor = 0
        self.states.clear()
        self.booked.clear()

    async def championship(self, championship: str) -> Record | None:
        """One championship."""
        await self._reach()
        state = self.states.get(championship)
        return None if state is None else Record(public(state), entries(state))

    async def ended(
        self, limit: int, player: str, before_ms: int = 0
    ) -> Sequence[tournament_pb2.Championship]:
        """Those that began last."""
        await self._reach()
        found = [s for s in self.states.values() if not player or player in s.players]
        found = [s for s in found if not before_ms or s.started_ms < before_ms]
        found.sort(key=lambda state: (state.started_ms, state.id), reverse=True)
        return [without_matches(state) for state in found[:limit]]

    async def standing(self, week: str, limit: int, player: str) -> Standing:
        """A week's ranking."""
        await self._reach()
        booked = [award for state in self.states.values() for award in awards(state)]
        rows = leaderboard(booked, week)
        own = next((row for row in rows if row.player == player), None)
        weeks = sorted({week_of(award.at_ms) for award in booked}, reverse=True)
        return Standing(rows[:limit], own, weeks[:52])

    async def _reach(self) -> None:
        await asyncio.sleep(0)
        if self.away:
            raise LaeloError(Code.TRY_LATER, "the database is out of reach")
