"""Replicas of the table service over one log in memory, with rules and bots in process."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from laelo.bots.v1 import bots_pb2
from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.log import Aggregate, Kind, MemoryBoard, MemoryClocks, MemoryLog
from laelo_common.telemetry import OFF
from laelo_common.wire.marks import ACCOUNT_MARK
from laelo_common.wire.server import ServerFrame
from laelo_rules.app import answer
from laelo_table.app import Tables
from laelo_table.domain.state import Phase, Table, phase_of
from laelo_table.ports import World
from laelo_table.store import TableStore
from laelo_table.timers import Timers
from laelo_table.together import Together

from .kit import PEOPLE, numbers

TABLE = "01J00000000000000000000000"
MARK = msgspec.json.encode(ACCOUNT_MARK)[1:-1]


def fresh_id() -> str:
    """A table's id."""
    return "".join(random.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=26))


class Listener:
    """A gateway's stream: keeps all that it is told."""

    def __init__(self) -> None:
        self.updates: list[table_pb2.Update] = []
        self._news = asyncio.Event()

    def send(self, update: table_pb2.Update) -> None:
        # A gateway looks for names where it is told who sits, and nowhere else.
        assert update.players or not any(MARK in view.frame for view in update.views)
        self.updates.append(update)
        self._news.set()

    async def until(self, wanted: Callable[[], Any]) -> None:
        """Wait until something holds; it is looked at after each update."""
        async with asyncio.timeout(20):
            while not wanted():
                self._news.clear()
                await self._news.wait()

    async def until_seq(self, seq: int) -> None:
        """Wait for a frame's number; an answer is noted after a push that came with it."""
        await self.until(lambda: any(update.seq >= seq for update in self.updates))

    @property
    def pushed(self) -> list[table_pb2.Update]:
        """What came by itself."""
        return [update for update in self.updates if not update.id]

    def frames(self, viewer: int) -> list[Any]:
        """The frames for a viewer, decoded, in the order in which they came."""
        return [
            msgspec.json.decode(view.frame, type=ServerFrame)
            for update in self.updates
            for view in update.views
            if view.viewers >> viewer & 1
        ]


class House:
    """What the replicas share: the log, the clocks, time, rules and bots."""

    def __init__(self, delay_ms: int = 0, pause_ms: int = 0, *, id_first: bool = False) -> None:
        self.ahead_ms = 0
        self.log = MemoryLog(self.now_ms, id_first=id_first)
        self.clocks = MemoryClocks(self.now_ms)
        self.board = MemoryBoard()
        self.bot_after_ms = 20_000
        self.kept_ms = 300_000
        self.clock_scale = 1.0
        self.telemetry = OFF
        self.delay_ms = delay_ms
        self.pause_ms = pause_ms
        self.rules_away = False
        self.bots_away = False
        self.asked = Counter[str]()
        self.traces: list[str] = []
        """What came with the questions to the rules."""
        self.choose: Callable[[bots_pb2.View], bots_pb2.ChooseMoveResponse] = choose_first
        self.views: list[bots_pb2.View] = []

    def now_ms(self) -> int:
        """Wall time, moved on by what a test wants."""
        return time.time_ns() // 1_000_000 + self.ahead_ms

    async def judge(self, request: rules_pb2.JudgeRequest) -> rules_pb2.JudgeResponse:
        self.asked["rules"] += 1
        self.traces.append(request.trace)
        await asyncio.sleep(0)
        if self.rules_away:
            raise LaeloError(Code.TRY_LATER, "no rules")
        return answer(request)

    async def choose_move(self, request: bots_pb2.ChooseMoveRequest) -> bots_pb2.ChooseMoveResponse:
        self.asked["bots"] += 1
        await asyncio.sleep(0)
        if self.bots_away:
            raise LaeloError(Code.TRY_LATER, "no bots")
        self.views.append(request.view)
        return self.choose(request.view)

    def commits(self, table: str = TABLE) -> list[events_pb2.Commit]:
        """The log of a table."""
        subject = Aggregate(Kind.TABLE, table).subject
        return [
            events_pb2.Commit.FromString(recorded.data)
            for recorded in self.log._streams["TBL"]
            if recorded.subject == subject
        ]

    @asynccontextmanager
    async def replica(self, warm_tables: int = 100) -> AsyncIterator["Replica"]:
        """One process of the table service, as `main` wires it."""
        world = World(
            log=self.log,
            clocks=self.clocks,
            board=self.board,
            bot_after_ms=self.bot_after_ms,
            kept_ms=self.kept_ms,
            judge=self.judge,
            choose_move=self.choose_move,
            now_ms=self.now_ms,
            seed=lambda: random.randbytes(32),
            delay_ms=lambda: self.delay_ms,
            pause_ms=self.pause_ms,
            warm_tables=warm_tables,
            clock_scale=self.clock_scale,
            telemetry=self.telemetry,
        )
        store = TableStore(self.log, warm_tables)
        tables = Tables(world, store)
        together = Together(world, store, tables)
        timers = Timers(world, store, tables, together)
        due = await self.clocks.due(timers.on_due)
        try:
            yield Replica(store, tables, timers, together)
        finally:
            await due.close()
            await timers.close()
            await store.close()


class Replica:
    """A process, and a gateway's stream to it."""

    def __init__(
        self, store: TableStore, tables: Tables, timers: Timers, together: Together
    ) -> None:
        self.store = store
        self.tables = tables
        self.timers = timers
        self.together = together
        self.listener = Listener()
        self._number = 0

    async def ask(
        self, kind: Any, player: str, listener: Listener | None = None, **fields: Any
    ) -> table_pb2.Update:
        """Send a command and give its answer."""
        self._number += 1
        values = {
            "id": self._number,
            "table": TABLE,
            "command": f"{id(self)}-{self._number}",
            "kind": kind,
            "player": player,
            "name": player.title(),
            "guest": True,
        } | fields
        command = table_pb2.Command(**values)
        heard = listener or self.listener
        await self.tables.handle(command, heard)
        return next(u for u in reversed(heard.updates) if u.id == command.id)

    async def must(self, kind: Any, player: str, **fields: Any) -> table_pb2.Update:
        """The same, of what has to be done."""
        update = await self.ask(kind, player, **fields)
        assert not update.code, update
        return update

    async def open(self, people: int = 4, table: str = TABLE, **options: Any) -> None:
        """Open a table, have people sit down and watch it."""
        chosen = table_pb2.Options(**({"spectators": True} | options))
        await self.must(table_pb2.KIND_OPEN, PEOPLE[0], options=chosen, table=table)
        for player in PEOPLE[1:people]:
            await self.must(table_pb2.KIND_SIT, player, seat=-1, table=table)
        for player in PEOPLE[:people]:
            await self.must(table_pb2.KIND_WATCH, player, table=table)

    async def start(self, table: str = TABLE) -> None:
        """The host starts a match."""
        begun = await self.must(table_pb2.KIND_START, PEOPLE[0], table=table)
        await self.until_version(begun.seq + 1, table)

    async def until_version(self, version: int, table: str = TABLE) -> None:
        """Wait for a version."""
        async with asyncio.timeout(20):
            while (await self.state(table)).version < version:  # noqa: ASYNC110 - as eventually
                await asyncio.sleep(0.001)

    async def state(self, table: str = TABLE) -> Table:
        """The table as this replica has it."""
        return await self.store.state(table)

    async def move(self, table: str = TABLE, **fields: Any) -> table_pb2.Update:
        """The person on turn makes a legal move."""
        return await self.ask(
            **(legal_command(await self.state(table)) | {"table": table} | fields)
        )


async def eventually(wanted: Callable[[], Any]) -> None:
    """Wait until something holds that nobody is told of."""
    async with asyncio.timeout(20):
        while not wanted():  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.001)


def legal_command(state: Table) -> dict[str, Any]:
    """The fields of a legal move of the person on turn."""
    begun = state.begun
    assert begun is not None
    seat = state.seats[begun.seat]
    fields: dict[str, Any] = {"player": seat.player, "turn": state.turn, "fence": seat.fence}
    if begun.choosing:
        return fields | {"kind": table_pb2.KIND_CHOOSE_OPENER, "opener": begun.seat}
    if begun.must_pass:
        return fields | {"kind": table_pb2.KIND_PASS}
    high, low = numbers(begun.plays[0] & 31)
    end = 2 if begun.plays[0] & 64 else begun.plays[0] >> 5
    return fields | {"kind": table_pb2.KIND_PLAY, "tile_a": high, "tile_b": low, "end": end}


def choose_first(view: bots_pb2.View) -> bots_pb2.ChooseMoveResponse:
    """A bot that plays the first tile that fits."""
    response = bots_pb2.ChooseMoveResponse(tile=28, opener=4)
    if view.opener == 4:
        response.act, response.opener = rules_pb2.ACT_CHOOSE_OPENER, view.seat
        return response
    left, right = ends_of(view.turns)
    for tile in range(28):
        if not view.hand >> tile & 1 or view.must_open not in (28, tile):
            continue
        if left is None or left in numbers(tile) or right in numbers(tile):
            response.act, response.tile = rules_pb2.ACT_PLAY, tile
            if left is not None:
                at_left = left in numbers(tile)
                response.end = rules_pb2.END_LEFT if at_left else rules_pb2.END_RIGHT
            return response
    response.act = rules_pb2.ACT_PASS
    return response


def ends_of(turns: bytes) -> tuple[int | None, int | None]:
    """The open numbers after these turns."""
    left: int | None = None
    right: int | None = None
    for turn in turns:
        if turn == 31:
            continue
        high, low = numbers(turn & 31)
        if left is None or right is None:
            left, right = low, high
        elif turn & 32:
            left = high + low - left
        else:
            right = high + low - right
    return left, right


async def play_match(replica: Replica, table: str = TABLE) -> None:
    """People play to the end of the match; pauses end by themselves."""
    while True:
        state = await replica.state(table)
        phase = phase_of(state)
        if phase is Phase.MATCH_OVER:
            return
        if phase is Phase.PAUSE:
            turn = state.turn
            await replica.listener.until_seq(turn + 1)
        else:
            update = await replica.move(table)
            assert not update.code, update
