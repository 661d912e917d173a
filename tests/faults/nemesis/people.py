"""Who plays: friends at tables of their own, and people who want to win championships."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final

from laelo_bots.domain.levels import Level
from laelo_common.ids import new_id
from laelo_tools.bots.seat import Move, Seat
from laelo_tools.load.visitor import RefusedError

from tests.faults.nemesis.client import Client
from tests.faults.nemesis.history import Frame

MATCHES: Final = 2
"""So many are played at a table before friends look for another one."""
TUNNEL: Final = 0.002
"""How often somebody who has played loses the connection."""
SHORTEST_THOUGHT: Final = 0.02
QUEUE_SECONDS: Final = 5.0
AGAIN_SECONDS: Final = 0.3


class Mood:
    """How all of them are at the moment."""

    def __init__(self, thought: float) -> None:
        self.thought = thought
        """Seconds that a move takes at most."""
        self.goes_home = False
        """Nobody begins anything any more."""
        self.rests = False
        """Nobody makes a move any more."""


class Person(Client):
    """Plays at every table at which they sit: any legal move, after a thought."""

    def __init__(self, mood: Mood, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.mood = mood
        self.hear = self._hear
        self.called: Frame | None = None
        self.bracket: Frame = {}
        self.is_champion = False
        """Whether they are here for championships."""
        self.over: dict[str, int] = {}
        """Matches that have ended, by table."""
        self._over: set[str] = set()
        self._seats: dict[str, Seat] = {}
        self._moving: set[tuple[str, int]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._fault: BaseException | None = None
        self._news = asyncio.Event()

    async def __aexit__(self, *_: object) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super().__aexit__()

    async def until(self, true: Callable[[], object]) -> None:
        """Wait for what follows from frames."""
        while not true():
            self._news.clear()
            await self._news.wait()

    async def tried(self, kind: str, table: str = "", **data: Any) -> bool:
        """Ask; whether it was done. That somebody was quicker is no surprise."""
        try:
            await self.ask(kind, table, **data)
        except RefusedError:
            return False
        return True

    @property
    def table(self) -> str:
        """Where this person was called to last."""
        return self.called["table"] if self.called else ""

    def is_over(self, table: str) -> bool:
        """Whether nothing is played there any more, as far as is known here."""
        return table in self._over

    def attend(self, table: str) -> None:
        """Play there from now on."""
        self._seats[table] = Seat(table, Level.RANDOM, self.chance)

    async def leave(self, table: str) -> None:
        """Look away from a table."""
        self._seats.pop(table, None)
        await self.tried("unwatch", table)
        self.forget(table)

    def raise_faults(self) -> None:
        """Raise what went wrong in this person's own code."""
        super().raise_faults()
        if self._fault is not None:
            raise self._fault

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside all else."""
        task = asyncio.create_task(work, name=self.name)
        self._tasks.add(task)
        task.add_done_callback(self._did)

    def _did(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._fault = task.exception()

    # What comes.

    def _hear(self, frame: Frame) -> None:
        table = frame.get("table", "")
        if frame["t"] == "called":
            self.called = frame["d"]
        elif frame["t"] == "bracket" and "mine" in frame["d"]:
            self.bracket = frame["d"]
        elif frame["t"] == "welcome" and self.bracket and not is_placed(self.bracket):
            self.spawn(self.tried("bracket.watch", championship=self.bracket["id"]))
        elif frame["t"] in ("event", "snapshot"):
            self._count(table, frame)
        seat = self._seats.get(table)
        if seat is not None:
            seat.take(frame)
            if seat.needs_snapshot():
                self.spawn(self.tried("watch", table))
            move = seat.move()
            if move is not None and (table, move.data["turn"]) not in self._moving:
                self.spawn(self._move(table, move))
        self._news.set()

    def _count(self, table: str, frame: Frame) -> None:
        if frame["t"] == "snapshot":
            view = frame["d"]
            self.over[table] = max(0, view["match"] - ("match_end" not in view))
            is_over = "match_end" in view or "closed" in view
        else:
            kinds = {event["k"] for event in frame["d"]["events"]}
            self.over[table] = self.over.get(table, 0) + ("match_ended" in kinds)
            is_over = not kinds.isdisjoint(("match_ended", "closed"))
            if not is_over and "match_started" not in kinds:
                return
        (self._over.add if is_over else self._over.discard)(table)

    async def _move(self, table: str, move: Move) -> None:
        key = table, move.data["turn"]
        self._moving.add(key)
        try:
            await asyncio.sleep(self.chance.uniform(SHORTEST_THOUGHT, self.mood.thought))
            if self.mood.rests:
                return
            done = await self.tried(move.kind, table, **move.data)
        finally:
            self._moving.discard(key)
        if not done and table in self._seats:
            await self.tried("watch", table)  # the picture was old; the turn may still be open
        if self.chance.random() < TUNNEL:
            self.hang_up()


async def evening(friends: Sequence[Person], move_seconds: int) -> None:
    """Friends play at one table after another until they go home; bots have the empty seats."""
    host, *others = friends
    while not host.mood.goes_home:
        table = new_id()
        if not await host.tried("table.create", table, options={"move_seconds": move_seconds}):
            continue
        host.attend(table)
        for seat, friend in enumerate(others, start=1):
            friend.attend(table)
            await friend.tried("watch", table)
            await friend.tried("table.sit", table, seat=seat)
        for match in range(1, MATCHES + 1):
            if host.mood.goes_home:
                return
            await _match(host, table, match)
        await host.tried("table.close", table)
        await asyncio.gather(*(friend.leave(table) for friend in friends))


async def _match(host: Person, table: str, match: int) -> None:
    """Begin one, and wait until it is over."""
    await host.tried("table.start", table, level="random")
    added = host.chance.randbytes(16).hex()
    host.spawn(host.tried("deal.bytes", table, hand=1, bytes=added))
    await host.until(lambda: host.over.get(table, 0) >= match)


async def career(person: Person) -> None:
    """Wait for championships and play in them, one after another."""
    person.spawn(_follow_calls(person))
    while not person.mood.goes_home:
        before = person.bracket.get("id", "")
        if not await person.tried("queue.join"):
            await asyncio.sleep(AGAIN_SECONDS)
            continue
        await _wait_for_another(person, before)
        await person.until(lambda: is_placed(person.bracket))


async def _wait_for_another(person: Person, before: str) -> None:
    """Wait for the bracket of another championship, and ask for the place in the queue again and
    again: who was away for too long has lost it, and may not have heard of that.
    """
    while True:
        try:
            async with asyncio.timeout(QUEUE_SECONDS):
                await person.until(lambda: person.bracket.get("id", before) != before)
        except TimeoutError:
            await person.tried("queue.join")
        else:
            return


async def _follow_calls(person: Person) -> None:
    """Go from one table to the next as one is called."""
    at = ""
    while True:
        await _until_called_elsewhere(person, at)
        if at:
            await person.leave(at)
        at = person.table
        person.attend(at)
        while person.table == at and not await person.tried("watch", at):
            with suppress(TimeoutError):  # it may not be open yet, or closed already
                async with asyncio.timeout(AGAIN_SECONDS):
                    await _until_called_elsewhere(person, at)


async def _until_called_elsewhere(person: Person, at: str) -> None:
    await person.until(lambda: person.table not in ("", at))


def is_placed(bracket: Frame) -> bool:
    """Whether it is over for the team of whoever was told this."""
    if bracket["stage"] != "running":
        return True
    return "place" in bracket["teams"][bracket["mine"]["team"] - 1]
