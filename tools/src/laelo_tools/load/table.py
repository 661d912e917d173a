"""A table of the crowd: who sits there, and when all of them have a move."""

import asyncio
from typing import NamedTuple

from laelo_common.ids import new_id

from laelo_tools.load.meter import Meter
from laelo_tools.load.player import Player, Setting

_MOVES = (b'"k":"played"', b'"k":"passed"', b'"k":"opener_chosen"')


class Plan(NamedTuple):
    """How the tables of a crowd are set up."""

    url: str
    seats: int
    move_seconds: int
    level: str


class Table:
    """Joins its players one after another, starts matches, times moves."""

    def __init__(self, plan: Plan, meter: Meter, setting: Setting, seed: int) -> None:
        self.id = new_id()
        self._plan = plan
        self._meter = meter
        self._missing: dict[int, int] = {}
        self._sent: dict[int, float] = {}
        self._left = False
        self.players = [Player(self, seat, setting, seed * 4 + seat) for seat in range(plan.seats)]

    async def join(self) -> None:
        """Connect and sit down. Raises OSError."""
        await asyncio.gather(*(player.connect(self._plan.url) for player in self.players))
        options = f'{{"options":{{"move_seconds":{self._plan.move_seconds}}}}}'
        self.players[0].ask("table.create", options)
        await self.players[0].seated
        for player in self.players[1:]:
            player.ask("table.sit", f'{{"seat":{player.seat}}}')
            await player.seated

    def start(self) -> None:
        """Begin a match."""
        if not self._left:
            self.players[0].ask("table.start", f'{{"level":"{self._plan.level}"}}')

    def leave(self) -> None:
        """Play no more."""
        self._left = True
        for player in self.players:
            player.hang_up()

    # What the players tell.

    def sends(self, seq: int, now: float) -> None:
        """A player sends the move that will be the commit `seq`."""
        self._sent[seq] = now

    def has(self, seq: int, frame: bytes) -> None:
        """A player has a frame."""
        missing = self._missing.get(seq, len(self.players)) - 1
        if missing:
            self._missing[seq] = missing
            return
        self._missing.pop(seq, None)
        if any(move in frame for move in _MOVES):
            self._meter.moved(self._sent.pop(seq, None))
        if b'"k":"match_ended"' in frame:
            self._meter.ended()
            self.start()

    def wrong(self, code: str, words: str) -> None:
        """Something went wrong for a player."""
        if not self._left:
            self._meter.wrong(code, f"table {self.id}: {words}")
