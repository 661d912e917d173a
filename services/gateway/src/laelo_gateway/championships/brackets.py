"""Brackets and calls, told to whom they concern as soon as something has changed."""

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from typing import Final

from laelo.tournament.v1 import tournament_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import championship as wire

from laelo_gateway.championships.counts import CupCounts
from laelo_gateway.championships.cups import Cup, Cups
from laelo_gateway.championships.domain import bracket, calls
from laelo_gateway.championships.names import Names
from laelo_gateway.championships.ports import Tournament, Visitor
from laelo_gateway.championships.visitors import Visitors
from laelo_gateway.socket import text_frame

SWEEP_SECONDS: Final = 2.0

_log = logging.getLogger(__name__)


class Brackets:
    """Everything here is state: what is told anew replaces what was told before."""

    def __init__(
        self,
        cups: Cups,
        visitors: Visitors,
        tournament: Tournament,
        names: Names,
        counts: CupCounts,
    ) -> None:
        self._cups = cups
        self._visitors = visitors
        self._tournament = tournament
        self._names = names
        self._counts = counts
        self._doubtful: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    # What the tournament service says.

    def take(
        self,
        championship: tournament_pb2.Championship,
        entries: Sequence[tournament_pb2.Entry],
    ) -> None:
        """A championship as it is now. New calls go out at once, the bracket with its names."""
        self._doubtful.discard(championship.id)
        before = self._open_matches(self._cups.find(championship.id))
        cup = self._cups.take(championship, entries)
        if cup is None:
            return
        for player in cup.entries:
            windows = self._visitors.windows(player)
            if windows and self._open_match(cup, player) != before.get(player, ""):
                for visitor in windows:
                    self._call(cup, visitor)
        self._tell_soon(cup)

    def complete(self, told: Iterable[str]) -> None:
        """All that run were told: others that run here may have ended unheard."""
        running = {cup.championship.id for cup in self._cups.running}
        self._doubtful = running.difference(told)

    # What clients want.

    async def load(self, name: str) -> Cup:
        """The championship; asked for if it is not known here. Raises LaeloError."""
        cup = self._cups.find(name)
        if cup is None:
            answer = await self._tournament.get(name)
            self.take(answer.championship, answer.entries)
            cup = self._cups.find(name)
        if cup is None:
            raise LaeloError(Code.UNKNOWN_CHAMPIONSHIP)
        await self._look_up(cup)  # also those that are known: somebody may be no more
        return cup

    def shown(self, cup: Cup, player: str = "") -> wire.Bracket:
        """The bracket for one viewer; "" = for everybody."""
        entry = cup.entries.get(player)
        own = bracket.mine(entry) if entry is not None else None
        return bracket.bracket_of(cup.championship, cup.entries.values(), cup.names, _now(), own)

    def watch(self, cup: Cup, visitor: Visitor) -> None:
        """Tell it to this window, now and from now on."""
        cup.watchers[visitor] = None
        self._show(cup, visitor)

    def watched(self, visitor: Visitor) -> set[str]:
        """What this window looks at."""
        return {cup.championship.id for cup in self._cups if visitor in cup.watchers}

    def unwatch(self, name: str, visitor: Visitor) -> None:
        """Tell it no more, unless the person is in it."""
        cup = self._cups.find(name)
        if cup is not None:
            cup.watchers.pop(visitor, None)

    def go(self, visitor: Visitor) -> None:
        """The window was closed."""
        for cup in self._cups:
            cup.watchers.pop(visitor, None)

    def come(self, visitor: Visitor) -> None:
        """Tell somebody who has come what concerns them: the match, and the bracket around it."""
        person = visitor.sender.person
        if person.guest:
            return
        for cup in self._cups:
            if cup.is_in(person.id):
                self._call(cup, visitor)
            if person.id in cup.entries and (cup.is_in(person.id) or not cup.is_running):
                self._show(cup, visitor)

    # For ever.

    async def run(self) -> None:
        """Look after what was not told to the end, and forget what is over."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.sweep()

    async def sweep(self) -> None:
        """Ask for those that may have ended unheard, and for names that could not be had."""
        self._cups.forget_old()
        for name in tuple(self._doubtful):
            await self._ask_anew(name)
        for cup in self._cups:
            if cup.lacks_names and cup.championship.id not in self._tasks:
                await self._look_up(cup)
                if cup.lacks_names:
                    break  # the store is away: no use in asking it again and again
                self._tell_soon(cup)

    async def close(self) -> None:
        """Tell nothing any more."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Inside.

    async def _ask_anew(self, name: str) -> None:
        try:
            answer = await self._tournament.get(name)
        except LaeloError as error:
            _log.debug("championship %s cannot be asked for: %s", name, error.code)
            if error.code is Code.UNKNOWN_CHAMPIONSHIP:
                self._cups.drop(name)
                self._doubtful.discard(name)
            return
        is_doubtful = name in self._doubtful
        self.take(answer.championship, answer.entries)
        cup = self._cups.find(name)
        if is_doubtful and cup is not None and cup.is_running:
            # It is the followed replica that knows nothing of it yet.
            self._doubtful.add(name)

    def _tell_soon(self, cup: Cup) -> None:
        cup.dirty = True
        name = cup.championship.id
        if name not in self._tasks:
            task = asyncio.create_task(self._tell(cup), name="bracket")
            self._tasks[name] = task
            task.add_done_callback(lambda _: self._tasks.pop(name, None))

    async def _tell(self, cup: Cup) -> None:
        """Tell it until it was told as it is now; names that come late are told by `sweep`."""
        while cup.dirty:
            if cup.lacks_names:
                await self._look_up(cup)
            cup.dirty = False
            self._tell_all(cup)

    def _tell_all(self, cup: Cup) -> None:
        now = _now()
        shown = bracket.bracket_of(cup.championship, cup.entries.values(), cup.names, now)
        text = bracket.frame_of(shown, now)
        frame = text_frame(text)
        for visitor in tuple(cup.watchers):
            if visitor.sender.person.id not in cup.entries:
                self._counts.bracket_frames += 1
                visitor.write(frame)
        for player, entry in cup.entries.items():
            windows = self._visitors.windows(player)
            if windows:
                own = text_frame(bracket.with_mine(text, bracket.mine(entry)))
                self._counts.bracket_frames += len(windows)
                for visitor in windows:
                    visitor.write(own)

    async def _look_up(self, cup: Cup) -> None:
        cup.names = await self._names.of(bracket.shown_players(cup.championship))

    def _show(self, cup: Cup, visitor: Visitor) -> None:
        self._counts.bracket_frames += 1
        player = "" if visitor.sender.person.guest else visitor.sender.person.id
        visitor.send(bracket.frame_of(self.shown(cup, player), _now()))

    def _call(self, cup: Cup, visitor: Visitor) -> None:
        entry = cup.entries[visitor.sender.person.id]
        call = calls.call_of(cup.championship, entry, now := _now())
        if call is not None:
            self._counts.called_frames += 1
            visitor.send(calls.frame_of(call, now))

    def _open_match(self, cup: Cup, player: str) -> str:
        match = calls.open_match(cup.championship, cup.entries[player])
        return match.id if match is not None else ""

    def _open_matches(self, cup: Cup | None) -> dict[str, str]:
        if cup is None:
            return {}
        return {player: self._open_match(cup, player) for player in cup.entries}


def _now() -> int:
    return time.time_ns() // 1_000_000
