"""One person at one table, in step with everybody there, who notes how long they have to wait."""

import asyncio
from collections.abc import Coroutine, Sequence
from random import Random
from typing import Any, Final, Self

from laelo_bots.domain.levels import Level

from laelo_tools.bots.seat import Seat
from laelo_tools.load.visitor import Frame, RefusedError, Visitor
from laelo_tools.rolling.pauses import Pause

GOES_ON: Final = frozenset(("played", "passed", "opener_chosen", "dealt", "match_started"))
"""Events of which one comes with each beat while a match is played."""


class Person:
    """Thinks for one beat about each turn. `acknowledged` has the version that each answered
    command made, by its id; `pauses` how much later than a beat after the last each event came.
    """

    def __init__(self, urls: Sequence[str], name: str, beat: float, seed: int) -> None:
        self.name = name
        self.pauses: list[Pause] = []
        self.acknowledged: dict[str, int] = {}
        self.moves: set[str] = set()
        """Ids of the commands that were moves."""
        self.refused: list[RefusedError] = []
        self.matches = 0
        self.news = asyncio.Event()
        self.visitor = Visitor(urls, name, Random(seed), hear=self._hear)
        self._beat = beat
        self._seed = seed
        self._seat: Seat | None = None
        self._seq = 0
        self._turn = 0
        self._heard_at: float | None = None
        """When the last event came; None while no match is played."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Come."""
        await self.visitor.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Go, whatever happens there."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.visitor.__aexit__()

    async def come_to(self, table: str, kind: str, **part: Any) -> None:
        """Open a table (`table.create`), or look at one (`watch`)."""
        self._seat = Seat(table, Level.RANDOM, Random(self._seed))
        self.visitor.stays_at.add(table)
        await self.command(kind, **part)

    async def command(self, kind: str, **part: Any) -> Frame:
        """Have something done at the table. Raises RefusedError."""
        table = "" if self._seat is None else self._seat.table
        frame = await self.visitor.ask(kind, table, **part)
        self.acknowledged[frame["re"]] = frame.get("seq", 0)
        return frame

    async def until_matches(self, number: int) -> None:
        """Wait until so many matches are over; a fault of one's own is raised here."""
        while self.matches < number:
            self.news.clear()
            await self.news.wait()
            for task in [task for task in self._tasks if task.done()]:
                self._tasks.discard(task)
                task.result()

    def _hear(self, _: bytes, frame: Frame) -> None:
        seat = self._seat
        if seat is None or frame.get("table") != seat.table:
            return
        if frame["t"] in ("event", "snapshot") and frame["seq"] > self._seq:
            self._seq = frame["seq"]
            self._note(frame)
        seat.take(frame)
        if seat.needs_snapshot():
            self._spawn(self._look())
        move = seat.move()
        if move is not None and move.data["turn"] > self._turn:
            self._turn = move.data["turn"]
            self._spawn(self._move(move.kind, move.data))

    def _note(self, frame: Frame) -> None:
        """Keep the time between what goes on at the table; what is missed counts as one."""
        now = asyncio.get_running_loop().time()
        kinds = {event["k"] for event in frame["d"].get("events", ())}
        if frame["t"] == "snapshot" or kinds & GOES_ON:
            if self._heard_at is not None:
                self.pauses.append(Pause(self._heard_at, now - self._heard_at - self._beat))
            self._heard_at = now
        if "match_ended" in kinds:
            self._ended_matches(self.matches + 1)
        elif "match_end" in frame["d"]:
            self._ended_matches(frame["d"]["match"])

    def _ended_matches(self, number: int) -> None:
        self._heard_at = None
        self.matches = number
        self.news.set()

    async def _move(self, kind: str, data: Frame) -> None:
        await asyncio.sleep(self._beat)
        try:
            frame = await self.command(kind, **data)
        except RefusedError as refused:
            self.refused.append(refused)
        else:
            self.moves.add(frame["re"])

    async def _look(self) -> None:
        await self.command("watch")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or task.exception() is None:
            self._tasks.discard(task)
        else:
            self.news.set()
