"""Tables of championships whose matches play themselves; all that they do is in the log."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from hashlib import sha256

from laelo.log.v1 import log_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Aggregate, Kind, Log, LogError, append_once

SCORES = ((6, 4), (2, 6))
"""By the side that wins."""


def by_chance(championship: str, match: str) -> int:
    """The side that wins a match: always the same, and nobody knows why."""
    return sha256(f"{championship}/{match}".encode()).digest()[0] & 1


class SelfPlayingTables:
    """The table service as tournaments see it: one for all replicas, which outlives them.

    With `holds` set matches are not played until `play` says so. Set `away` for an outage.
    """

    def __init__(
        self, log: Log, now_ms: Callable[[], int], wins: Callable[[str, str], int] = by_chance
    ) -> None:
        self._log = log
        self._now_ms = now_ms
        self._wins = wins
        self._lock = asyncio.Lock()
        self._playing: set[asyncio.Task[None]] = set()
        self.away = False
        self.holds = False
        self.commits: dict[str, list[events_pb2.Commit]] = defaultdict(list)
        """What stands in the log, by table."""
        self._places: dict[str, int] = defaultdict(int)
        self.asked: list[table_pb2.Command] = []
        """Every command that came."""

    async def submit(self, command: table_pb2.Command) -> table_pb2.Update:
        """Do what a tournament asks for."""
        await asyncio.sleep(0)
        if self.away:
            raise LaeloError(Code.TRY_LATER, "no table server answers")
        self.asked.append(command)
        async with self._lock:
            if command.kind == table_pb2.KIND_OPEN_MATCH:
                code = await self._open(command)
            else:
                code = await self._cancel(command)
        return table_pb2.Update(table=command.table, code=code)

    async def play(self, table: str) -> None:
        """Play the match of a table to its end."""
        async with self._lock:
            opened = self.commits[table][0].events[0].opened.options
            if self._is_closed(table):
                return
            side = self._wins(opened.championship, opened.match)
            first, second = SCORES[side]
            end = rules_pb2.MatchEnd(team=side, score_0=first, score_1=second)
            event = events_pb2.Event(match_ended=events_pb2.MatchEnded(end=end))
            await self._append(table, f"clock-{len(self.commits[table])}", event)
            closed = events_pb2.TableClosed(closing=events_pb2.CLOSING_OVER)
            await self._append(table, "over", events_pb2.Event(table_closed=closed))

    async def close(self) -> None:
        """Play no more."""
        for task in list(self._playing):
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)

    async def _open(self, command: table_pb2.Command) -> str:
        table = command.table
        if self.commits[table]:
            same = self.commits[table][0].events[0].opened.options == command.options
            return "" if same else Code.TABLE_EXISTS
        opened = events_pb2.Event(opened=events_pb2.TableOpened(options=command.options))
        taken = [
            events_pb2.Event(
                seat_taken_2=events_pb2.SeatTaken2(
                    seat=seat, person=events_pb2.Sitter(player=one.player, animal=one.animal)
                )
            )
            for seat, one in enumerate(command.people)
        ]
        await self._append(table, command.command, opened, *taken)
        if not self.holds:
            task = asyncio.create_task(self.play(table))
            self._playing.add(task)
            task.add_done_callback(self._playing.discard)
        return ""

    async def _cancel(self, command: table_pb2.Command) -> str:
        if not self.commits[command.table]:
            return Code.UNKNOWN_TABLE
        if self._is_closed(command.table):
            return Code.TABLE_CLOSED
        closed = events_pb2.TableClosed(closing=events_pb2.CLOSING_CANCELLED)
        await self._append(command.table, "cancel", events_pb2.Event(table_closed=closed))
        return ""

    def _is_closed(self, table: str) -> bool:
        return self.commits[table][-1].events[0].WhichOneof("event") == "table_closed"

    async def _append(self, table: str, command: str, *events: events_pb2.Event) -> None:
        aggregate = Aggregate(Kind.TABLE, table)
        head = log_pb2.Head(
            aggregate=table,
            version=len(self.commits[table]) + 1,
            command=command,
            time_ms=self._now_ms(),
        )
        commit = events_pb2.Commit(head=head, events=events)
        data = commit.SerializeToString()
        while True:
            try:
                stored = await append_once(self._log, aggregate, data, self._places[table])
            except LogError:
                await asyncio.sleep(0.001)
            else:
                break
        self._places[table] = stored.sequence
        self.commits[table].append(commit)
