"""Moves that came in one frame are judged, appended and told together.

What a move costs is mostly being a task of its own that sleeps and wakes, so the usual case,
a person's move at a table that is in memory here and free, shares one task with the others
of its frame, and with deals that are due just then. Whatever does not go smoothly is left to
`Tables.handle`, or to the table's timer, which do it again under the same command id:
nothing is decided here that is not decided there.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import LaeloError
from laelo_common.log import Append, LogError
from laelo_common.telemetry import Span

from laelo_table import tracing
from laelo_table.app import MOVES, Tables
from laelo_table.audience import Asker
from laelo_table.backstop import ensure_clock, wants_clock
from laelo_table.domain.commands import NextDeal
from laelo_table.domain.compose import Stamp, compose
from laelo_table.domain.decide import decide, needs_seed, question
from laelo_table.domain.outcome import Decision, Facts
from laelo_table.ports import Listener, World
from laelo_table.store import TableStore
from laelo_table.warm import Warm

_log = logging.getLogger(__name__)


COMPANY_SECONDS: Final = 0.04
"""How long a deal waits for moves to be done with, while frames bring several at once: a
little longer than a gateway gathers them (docs/adr/0014).
"""


class DueDeal(NamedTuple):
    """A hand that is to be dealt now."""

    table: str
    command: NextDeal
    alone: Callable[[], None]
    """Begins to deal it without company."""


class Move:
    """A move, or a deal, on its way; the table is its own until it is given back."""

    __slots__ = (
        "command",
        "commit",
        "data",
        "decision",
        "due",
        "facts",
        "question",
        "span",
        "told",
        "warm",
    )

    def __init__(self, command: table_pb2.Command | NextDeal, warm: Warm) -> None:
        self.command = command
        self.warm = warm
        self.due: DueDeal | None = None
        self.facts: Facts
        self.question: rules_pb2.JudgeRequest
        self.commit: events_pb2.Commit
        self.data: bytes
        self.decision: Decision
        self.span: Span | None = None
        self.told = False

    @property
    def trace(self) -> str:
        """Its traceparent; empty if it is not traced."""
        return "" if self.span is None else self.span.traceparent


class Together:
    """The moves of a frame as one piece of work."""

    def __init__(self, world: World, store: TableStore, tables: Tables) -> None:
        self._world = world
        self._store = store
        self._tables = tables
        self._due: list[DueDeal] = []
        self._no_company: asyncio.TimerHandle | None = None
        self._busy_until = 0.0
        """Until when moves are likely to come, in the event loop's time."""

    @property
    def waiting(self) -> int:
        """How many deals wait for company."""
        return len(self._due)

    def put_off(self, due: DueDeal) -> None:
        """Deal a hand with the next moves, or alone if none are likely to come soon."""
        loop = asyncio.get_running_loop()
        if loop.time() >= self._busy_until:
            due.alone()
            return
        self._due.append(due)
        if self._no_company is None:
            self._no_company = loop.call_later(COMPANY_SECONDS, self._deal_alone)

    def _take_due(self) -> list[DueDeal]:
        due, self._due = self._due, []
        if self._no_company is not None:
            self._no_company.cancel()
            self._no_company = None
        return due

    def _deal_alone(self) -> None:
        for due in self._take_due():
            due.alone()

    def begin(
        self, commands: Sequence[table_pb2.Command]
    ) -> tuple[list[Move], list[table_pb2.Command]]:
        """The moves that can be done together, their tables taken; and all other commands."""
        moves, others = self._begin_deals(), []
        for command in commands:
            move = self._begin(command.table, command) if command.kind in MOVES else None
            if move is None:
                others.append(command)
            else:
                moves.append(move)
        if len(commands) > 1:
            self._busy_until = asyncio.get_running_loop().time() + COMPANY_SECONDS
        return moves, others

    async def do(self, moves: list[Move], listener: Listener) -> None:
        """Do the moves that `begin` gave, and answer each."""
        traced = self._traced(moves) if self._world.telemetry.is_on else ()
        try:
            decided = await self._judged(moves)
            await self._clocks_set(decided)
            await self._appended(decided, listener)
        except Exception:  # noqa: BLE001 - logged
            # Whatever was half done here, the log knows better.
            _log.exception("moves of a frame are done one by one")
            for move in moves:
                move.warm.suspect()
        finally:
            for move in moves:
                self._store.give_back(move.warm)
            for span in traced:
                span.end()
        await self._do_alone([move for move in moves if not move.told], listener)

    async def _do_alone(self, moves: list[Move], listener: Listener) -> None:
        handled = []
        for move in moves:
            if move.due is not None:
                move.due.alone()
            elif isinstance(move.command, table_pb2.Command):
                handled.append(self._tables.handle(move.command, listener))
        await asyncio.gather(*handled)

    def _begin_deals(self) -> list[Move]:
        moves = []
        for due in self._take_due():
            move = self._begin(due.table, due.command)
            if move is None:
                due.alone()
            else:
                move.due = due
                moves.append(move)
        return moves

    def _begin(self, table: str, command: table_pb2.Command | NextDeal) -> Move | None:
        warm = self._store.take_at_once(table)
        if warm is None:
            return None
        world = self._world
        facts = Facts(world.now_ms(), b"", world.delay_ms(), world.pause_ms)
        # What was done before, or is of a turn not heard of here, is of another turn than
        # the open one: refused, and so left.
        asked = question(warm.state, command, facts)
        if isinstance(asked, rules_pb2.JudgeRequest):
            move = Move(command, warm)
            move.facts, move.question = facts, asked
            return move
        self._store.give_back(warm)
        return None

    def _traced(self, moves: list[Move]) -> list[Span]:
        """Begin the spans of those moves that are traced."""
        spans = []
        for move in moves:
            move.span = tracing.begin(self._world.telemetry, move.warm.id, move.command)
            if move.span is not None:
                move.question.trace = move.trace
                spans.append(move.span)
        return spans

    async def _judged(self, moves: list[Move]) -> list[Move]:
        """Ask the rules about all moves; those that are right, with their commits."""
        judge = self._world.judge
        asked = [asyncio.ensure_future(judge(move.question)) for move in moves]
        decided = []
        for move, verdict in zip(moves, asked, strict=True):
            try:
                if self._decide(move, await verdict):
                    decided.append(move)
            except LaeloError as error:
                _log.debug("the rules are asked once more: %s", error)
        return decided

    def _decide(self, move: Move, verdict: rules_pb2.JudgeResponse) -> bool:
        warm, facts = move.warm, move.facts
        if needs_seed(move.command, verdict):
            facts = facts._replace(seed=self._world.seed())
        decision = decide(warm.state, move.command, verdict, facts)
        if not isinstance(decision, Decision):
            return False
        stamp = Stamp(warm.id, warm.digest, facts.now_ms, move.trace)
        move.commit = compose(warm.state, move.command, decision, stamp)
        move.data = move.commit.SerializeToString()
        move.decision = decision
        return True

    async def _clocks_set(self, moves: list[Move]) -> None:
        """A turn is never open without a clock behind it."""
        clocks = self._world.clocks
        setting = [
            ensure_clock(clocks, move.warm, move.commit.head.version, move.decision)
            for move in moves
            if wants_clock(move.warm.state, move.decision)
        ]
        if setting:
            await asyncio.gather(*setting)

    async def _appended(self, moves: list[Move], listener: Listener) -> None:
        appends = [
            Append(
                move.warm.aggregate,
                move.data,
                move.warm.sequence,
                f"{move.warm.id}:{move.command.command}",
            )
            for move in moves
        ]
        begin = self._world.telemetry.begin
        spans = [begin("log.append", move.trace, stream="TBL") for move in moves if move.span]
        stored = await self._world.log.append_all(appends)
        for span in spans:
            if span is not None:
                span.end()
        for move, sequence in zip(moves, stored, strict=True):
            warm = move.warm
            if isinstance(sequence, LogError):
                warm.suspect()
                continue
            past = warm.take_in(move.commit, move.data, sequence)
            command = move.command
            asker = None if isinstance(command, NextDeal) else Asker(command, listener)
            self._tables.tell(warm, past, asker)
            self._tables.counts.done(command)
            move.told = True
