"""All that a client can ask about championships, and all that it is told of them."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, NamedTuple

from laelo.matchmaking.v1 import matchmaking_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.telemetry import OFF, Telemetry
from laelo_common.wire import client, server

from laelo_gateway.championships.adapters.channels import AWAY
from laelo_gateway.championships.brackets import Brackets
from laelo_gateway.championships.counts import CupCounts
from laelo_gateway.championships.cups import Cups
from laelo_gateway.championships.limits import CupLimits
from laelo_gateway.championships.ports import Matchmaking, Tournament, Visitor
from laelo_gateway.championships.queue import QueueBoard
from laelo_gateway.championships.visitors import Visitors
from laelo_gateway.counts import Counts
from laelo_gateway.domain import replies
from laelo_gateway.domain.commands import Person
from laelo_gateway.domain.frames import Refusal

MAX_BRACKETS: Final = 8
"""Championships that one connection looks at."""
FRAMES: Final = (
    client.QueueJoinFrame,
    client.QueueLeaveFrame,
    client.QueueWatchFrame,
    client.QueueUnwatchFrame,
    client.BracketWatchFrame,
    client.BracketUnwatchFrame,
)
NONE_HERE: Final = "there are no championships here"


class Services(NamedTuple):
    """What is behind the hall."""

    matchmaking: Matchmaking
    tournament: Tournament


class Boards(NamedTuple):
    """What is known and told."""

    visitors: Visitors
    queue: QueueBoard
    cups: Cups
    brackets: Brackets


class Hall:
    """Called by connections; nothing here waits, and what takes a while is a task."""

    def __init__(
        self,
        services: Services,
        boards: Boards,
        limits: CupLimits,
        counts: tuple[Counts, CupCounts],
        telemetry: Telemetry = OFF,
    ) -> None:
        self._services = services
        self._boards = boards
        self._limits = limits
        self._counts, self._own_counts = counts
        self._telemetry = telemetry
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether a frame still waits for its answer."""
        return bool(self._tasks)

    # As connections see it.

    def come(self, visitor: Visitor) -> None:
        """A client has said hello: tell what concerns the person."""
        boards = self._boards
        boards.visitors.come(visitor)
        boards.queue.come(visitor)
        boards.brackets.come(visitor)

    def go(self, visitor: Visitor) -> None:
        """A connection is over."""
        boards = self._boards
        boards.visitors.go(visitor)
        boards.queue.go(visitor)
        boards.brackets.go(visitor)

    def handle(self, visitor: Visitor, frame: Any) -> None:
        """A frame of one of FRAMES; answered with an ack or a nack."""
        if type(frame) is client.QueueUnwatchFrame:
            self._boards.queue.unwatch(visitor)
            self._ack(visitor, frame.id)
        elif type(frame) is client.BracketUnwatchFrame:
            self._boards.brackets.unwatch(frame.d.championship, visitor)
            self._ack(visitor, frame.id)
        else:
            self._spawn(visitor, frame.id, self._answer(visitor, frame))

    async def close(self) -> None:
        """Answer nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Frames.

    async def _answer(self, visitor: Visitor, frame: Any) -> None:
        if not self._services.tournament.is_configured:
            raise LaeloError(Code.TRY_LATER, NONE_HERE)
        if type(frame) is client.QueueWatchFrame:
            self._watch_queue(visitor, frame)
        elif type(frame) is client.BracketWatchFrame:
            await self._watch_bracket(visitor, frame)
        else:
            await self._move(visitor, frame)

    async def _move(self, visitor: Visitor, frame: Any) -> None:
        """Join or leave: with the frame's id, so that it is done once."""
        joins = type(frame) is client.QueueJoinFrame
        player = self._known(visitor.sender.person, joins=joins)
        self._limits.take_move(player)
        matchmaking = self._services.matchmaking
        command = f"{player}-{frame.id}"
        with self._telemetry.root("gateway.command", frame=type(frame).__name__):
            if joins:
                queue = await matchmaking.join(player, command)
                self._own_counts.queue_joins += 1
            else:
                queue = await matchmaking.leave(player, command, matchmaking_pb2.LEAVING_WISH)
        self._ack(visitor, frame.id)
        # Why one is out of it tells who stored that: one may have been called before.
        self._boards.queue.take(queue)

    @staticmethod
    def _known(person: Person, *, joins: bool) -> str:
        """The id of who has an account and, to join, a nickname. Raises LaeloError."""
        if person.guest:
            raise LaeloError(Code.SIGN_IN, "championships are for people with an account: sign in")
        if joins and person.nameless:
            raise LaeloError(Code.NAMELESS)
        return person.id

    def _watch_queue(self, visitor: Visitor, frame: client.QueueWatchFrame) -> None:
        if not self._services.matchmaking.is_up:
            raise LaeloError(Code.TRY_LATER, AWAY)
        self._ack(visitor, frame.id)
        self._boards.queue.watch(visitor)

    async def _watch_bracket(self, visitor: Visitor, frame: client.BracketWatchFrame) -> None:
        name, boards = frame.d.championship, self._boards
        if boards.cups.find(name) is None:
            self._limits.take_look(visitor.sender.person.id)
        cup = await boards.brackets.load(name)
        if visitor not in boards.visitors:
            return
        if len(boards.brackets.watched(visitor) - {name}) >= MAX_BRACKETS:
            words = f"one connection watches at most {MAX_BRACKETS} championships"
            raise LaeloError(Code.BAD_REQUEST, words)
        self._ack(visitor, frame.id)
        boards.brackets.watch(cup, visitor)

    def _spawn(self, visitor: Visitor, re: str, work: Coroutine[Any, Any, None]) -> None:
        async def answer() -> None:
            try:
                await work
            except LaeloError as error:
                self._counts.refuse(error.code)
                visitor.send(replies.nack(Refusal(error.code, error.message, re)))

        task = asyncio.create_task(answer(), name="championships")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @staticmethod
    def _ack(visitor: Visitor, re: str) -> None:
        visitor.send(replies.encoded(server.AckFrame(re=re)))
