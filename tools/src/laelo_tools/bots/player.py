"""One bot: waits in the queue, goes to every match it is called to, until its team is placed."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Self

from laelo_bots.domain.levels import Level

from laelo_tools.bots.seat import Move, Seat
from laelo_tools.load.visitor import Frame, Hear, RefusedError, Visitor

AGAIN_SECONDS: Final = 0.1
"""Until a table is looked for again to which one was called before it was opened."""

_TOO_LATE: Final = frozenset(
    ("STALE_TURN", "NOT_YOUR_TURN", "HAND_OVER", "MATCH_OVER", "TABLE_CLOSED", "NOT_STARTED")
)
"""Answers to a move that the clock made first, or at a table that was closed meanwhile."""


class Ticket(NamedTuple):
    """How somebody with an account gets in: gateways' `/ws`, nickname, cookie."""

    urls: Sequence[str]
    name: str
    cookie: str


class Style(NamedTuple):
    """How a bot plays, and how many seconds it thinks, from least to most."""

    level: Level = Level.SIMPLE
    think: tuple[float, float] = (0.0, 0.0)


class Player:
    """`queue`, `call` and `bracket` are what the newest frame of that kind says; `refused` has
    the refusals that no clock explains. `hear` is called with each frame.
    """

    def __init__(
        self, ticket: Ticket, style: Style, seed: int, hear: Hear = lambda _, __: None
    ) -> None:
        self.name = ticket.name
        self.queue: Frame = {}
        self.call: Frame | None = None
        self.bracket: Frame = {}
        self.refused: list[RefusedError] = []
        self.tables: list[str] = []
        """All tables to which it was called, in order."""
        self._style = style
        self._chance = Random(seed)
        self._listener = hear
        self._seat: Seat | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._failed: BaseException | None = None
        self._news = asyncio.Event()
        self._visitor = Visitor(ticket.urls, ticket.name, self._chance, ticket.cookie, self._hear)

    async def __aenter__(self) -> Self:
        """Come."""
        await self._visitor.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Go, whatever happens there."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._visitor.__aexit__()

    @property
    def is_placed(self) -> bool:
        """Whether the championship is over for it: its team is out or champion, or it ended."""
        if not self.bracket:
            return False
        return self.bracket["stage"] != "running" or "place" in self.team

    @property
    def team(self) -> Frame:
        """Its team in the bracket."""
        own: Frame = self.bracket["teams"][self.bracket["mine"]["team"] - 1]
        return own

    async def ask(self, kind: str, table: str = "", **part: Any) -> Frame:
        """Send any command until it is answered. Raises RefusedError."""
        return await self._visitor.ask(kind, table, **part)

    async def join(self) -> None:
        """Wait in the queue. Raises RefusedError."""
        await self.ask("queue.join")

    async def until(self, true: Callable[[], object], seconds: float | None = None) -> None:
        """Wait until something that follows from frames is true. Raises TimeoutError, and what
        went wrong in a move.
        """
        async with asyncio.timeout(seconds):
            while not true():
                self._news.clear()
                await self._news.wait()
                if self._failed is not None:
                    raise self._failed

    # What comes.

    def _hear(self, text: bytes, frame: Frame) -> None:
        match frame["t"]:
            case "welcome":
                self._on_welcome()
            case "queue":
                self.queue = frame["d"]
            case "called":
                self._on_called(frame["d"])
            case "bracket" if "mine" in frame["d"]:
                self.bracket = frame["d"]
        if self._seat is not None and frame.get("table") == self._seat.table:
            self._seat.take(frame)
            self._follow(self._seat)
        self._listener(text, frame)
        self._news.set()

    def _on_welcome(self) -> None:
        self._seat = None  # the call comes again
        if self.bracket and not self.is_placed:
            self._spawn(self._watch_bracket(self.bracket["id"]))

    def _on_called(self, call: Frame) -> None:
        table = call["table"]
        before, self.call = self._seat, call
        if before is not None and before.table == table:
            return
        if table not in self.tables:
            self.tables.append(table)
        self._seat = Seat(table, self._style.level, self._chance)
        self._spawn(self._go(self._seat, before))

    # What it does.

    async def _go(self, seat: Seat, before: Seat | None) -> None:
        """Leave the table of before, and look at the new one as soon as it is there."""
        if before is not None:
            with contextlib.suppress(RefusedError):  # it may be closed by now
                await self.ask("unwatch", before.table)
        while seat is self._seat:
            try:
                await self.ask("watch", seat.table)
            except RefusedError as refused:
                if refused.code == "TABLE_CLOSED":
                    return
                if refused.code != "UNKNOWN_TABLE":
                    raise
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return

    def _follow(self, seat: Seat) -> None:
        if seat.needs_snapshot():
            self._spawn(self._go(seat, None))
        move = seat.move()
        if move is not None:
            self._spawn(self._act(seat, move))

    async def _act(self, seat: Seat, move: Move) -> None:
        if self._style.think[1]:
            await asyncio.sleep(self._chance.uniform(*self._style.think))
        try:
            await self.ask(move.kind, seat.table, **move.data)
        except RefusedError as refused:
            if refused.code not in _TOO_LATE:
                self.refused.append(refused)

    async def _watch_bracket(self, championship: str) -> None:
        await self.ask("bracket.watch", championship=championship)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name=f"bot {self.name}")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failed = task.exception()
        self._news.set()
