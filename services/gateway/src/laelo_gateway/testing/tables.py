"""A stand-in for the table service, for tests and measurements: real gRPC, invented frames.

Replicas of one `World` share its tables, as real ones share the log. Every accepted command
is one event; a seat on turn (seq mod 4) sees another frame than the rest, as in a game.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
import msgspec
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.status import abort
from laelo_common.stream import SERVER_OPTIONS, Session, StreamServer

EVERYBODY = 0b11111
NO_SEAT = 4
WINDOW = 64
SEATING = (table_pb2.KIND_OPEN, table_pb2.KIND_SIT, table_pb2.KIND_LEAVE)
HOUSE = (table_pb2.KIND_CLOSE, table_pb2.KIND_KICK)

_encode = msgspec.json.encode
_Session = Session[table_pb2.Command, table_pb2.Update]


class Table:
    """The part of a table that a gateway can see."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.code = code_of(name)
        self.options = table_pb2.Options(spectators=True)
        self.closed = False
        self.seq = 0
        self.players = [""] * 4
        self.windows = [""] * 4
        self.done: dict[str, int] = {}
        self.events: dict[int, list[table_pb2.View]] = {}
        self.changed = asyncio.Event()

    def seat_of(self, player: str) -> int:
        """Where the player sits."""
        return self.players.index(player) if player in self.players else NO_SEAT

    def update(self, seat: int = NO_SEAT) -> table_pb2.Update:
        """An update of the table as it is, about one seat if named."""
        return table_pb2.Update(
            table=self.name,
            seq=self.seq,
            seat=seat,
            fence=self.seq if seat < NO_SEAT else 0,
            players=self.players,
            windows=self.windows,
            closed=self.closed,
        )

    def claim(self, player: str, window: str) -> bool:
        """Give the person's seat to a window; whether it was another one's."""
        seat = self.seat_of(player)
        if seat == NO_SEAT or window in ("", self.windows[seat]):
            return False
        self.windows[seat] = window
        return True

    def commit(self, command: str) -> None:
        """One thing more has happened."""
        self.seq += 1
        self.changed.set()
        self.changed = asyncio.Event()
        self.done[command] = self.seq
        on_turn = 1 << self.seq % 4
        self.events[self.seq] = [
            self._event(on_turn, "yours"),
            self._event(EVERYBODY & ~on_turn, "theirs"),
        ]
        self.events.pop(self.seq - WINDOW, None)

    def found(self) -> table_pb2.FindResponse:
        """What somebody sees who may still join."""
        free = self.players.count("")
        return table_pb2.FindResponse(table=self.name, options=self.options, free=free)

    def snapshot(self, seat: int) -> table_pb2.View:
        """Everything, for one seat."""
        data = {"me": seat} if seat < NO_SEAT else {}
        frame = {"t": "snapshot", "table": self.name, "seq": self.seq, "now": 0, "d": data}
        return table_pb2.View(viewers=1 << seat, seq=self.seq, frame=_encode(frame))

    def missed(self, seat: int, seq: int) -> list[table_pb2.View]:
        """What a viewer that has `seq` still has to get."""
        if not 0 < seq <= self.seq or self.seq - seq > WINDOW:
            return [self.snapshot(seat)]
        return [
            view
            for number in range(seq + 1, self.seq + 1)
            for view in self.events[number]
            if view.viewers >> seat & 1
        ]

    def _event(self, viewers: int, what: str) -> table_pb2.View:
        data = {"events": [{"k": "passed", "seat": self.seq % 4, "what": what}]}
        frame = {"t": "event", "table": self.name, "seq": self.seq, "now": 0, "d": data}
        return table_pb2.View(viewers=viewers, seq=self.seq, frame=_encode(frame))


def code_of(table: str) -> str:
    """The code of a table: fixed, so that tests know it."""
    return table[-6:].translate(str.maketrans("01", "AB"))


class World:
    """The tables, and the replicas that serve them."""

    def __init__(self) -> None:
        self.tables: dict[str, Table] = {}
        self.replicas: list[Replica] = []
        self.refuse: dict[int, tuple[str, str]] = {}
        """Kinds of commands that are refused: code and reason."""
        self.outdated: list[str] = []
        """Tables that are listed as waiting for players, true or not."""

    def publish(self, table: Table, views: Iterable[table_pb2.View], but: _Session | None) -> None:
        """Push a commit to all watchers on all replicas but one session."""
        update = table.update()
        update.views.extend(views)
        for replica in self.replicas:
            replica.push(update, but)


class Replica(table_pb2_grpc.TableServiceServicer):
    """One replica, on a port of its own."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.streams: StreamServer[table_pb2.Command, table_pb2.Update] = StreamServer(
            table_pb2.ConnectResponse, self._on_item, _failed, on_close=self._closed
        )
        self.watchers: dict[str, set[_Session]] = {}
        self.present: set[tuple[str, _Session, str]] = set()
        """Who is there: table, listener, person."""
        self.seen: list[table_pb2.Command] = []
        self.is_silent = False
        """Takes commands and does not answer."""
        self.is_lost = False
        """Fails at whatever it is asked."""
        self.keeps_watchers_waiting = False
        """Does not answer who wants to watch a table."""
        self.loses_pushes = False
        """Forgets to tell the watchers what happened."""
        self.address = ""
        self._server: Any = None
        self._health = health.aio.HealthServicer()

    async def start(self, port: int = 0) -> None:
        """Listen on a free port, or on that one."""
        server = self._server = grpc.aio.server(options=SERVER_OPTIONS)
        table_pb2_grpc.add_TableServiceServicer_to_server(self, server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        self.address = f"127.0.0.1:{server.add_insecure_port(f'127.0.0.1:{port}')}"
        await server.start()
        self.world.replicas.append(self)
        await self.serve(True)

    async def serve(self, serving: bool) -> None:
        """Say by health whether it wants to be asked."""
        states = health_pb2.HealthCheckResponse
        await self._health.set("", states.SERVING if serving else states.NOT_SERVING)

    async def stop(self) -> None:
        """Die at once."""
        if self in self.world.replicas:
            self.world.replicas.remove(self)
            await self.streams.close(0.0)
            await self._server.stop(None)

    def push(self, update: table_pb2.Update, but: _Session | None = None) -> None:
        """Tell the watchers of a table."""
        for session in self.watchers.get(update.table, ()):
            if session is not but and not self.loses_pushes:
                copied = table_pb2.Update()
                copied.CopyFrom(update)
                session.send(copied)

    async def Connect(self, request_iterator: Any, context: Any) -> None:  # type: ignore[override]  # noqa: N802
        """The stream of a gateway."""
        await self.streams.serve(request_iterator, context)

    async def Submit(  # noqa: N802
        self, request: table_pb2.SubmitRequest, context: Any
    ) -> table_pb2.SubmitResponse:
        """One command, one answer."""
        return table_pb2.SubmitResponse(update=self._on_item(None, request.command))

    async def Watch(  # noqa: N802
        self, request: table_pb2.WatchRequest, context: Any
    ) -> AsyncIterator[table_pb2.WatchResponse]:
        """The frames of one table for one viewer."""
        table, seq = self.world.tables[request.table], request.seq
        while True:
            for view in table.missed(table.seat_of(request.player), seq):
                seq = view.seq
                yield table_pb2.WatchResponse(view=view)
            await table.changed.wait()

    async def Find(  # noqa: N802
        self, request: table_pb2.FindRequest, context: Any
    ) -> table_pb2.FindResponse:
        """The table that was opened with this code."""
        tables = [table for table in self.world.tables.values() if table.code == request.code]
        if not tables or tables[0].closed:
            await abort(context, LaeloError(Code.UNKNOWN_TABLE))
        return tables[0].found()

    async def ListWaiting(  # noqa: N802
        self, request: table_pb2.ListWaitingRequest, context: Any
    ) -> table_pb2.ListWaitingResponse:
        """Public tables with a free seat."""
        found = [table.found() for table in self.world.tables.values() if not table.closed]
        waiting = [table for table in found if table.options.public and table.free]
        waiting += [self.world.tables[name].found() for name in self.world.outdated]
        return table_pb2.ListWaitingResponse(tables=waiting)

    def _closed(self, session: _Session) -> None:
        self.present = {entry for entry in self.present if entry[1] is not session}
        for watching in self.watchers.values():
            watching.discard(session)

    def _on_item(
        self, session: _Session | None, command: table_pb2.Command
    ) -> table_pb2.Update | None:
        self.seen.append(command)
        if self.is_lost:
            return _failed(command, RuntimeError())
        waits = self.keeps_watchers_waiting and command.kind == table_pb2.KIND_WATCH
        if waits or self.is_silent:
            return None
        table = self.world.tables.get(command.table)
        if session is not None and command.kind in (table_pb2.KIND_UNWATCH, table_pb2.KIND_CHECK):
            if command.kind == table_pb2.KIND_UNWATCH:
                self._unwatch(session, command)
            else:
                self._check(session, table, command.seq)
            return None
        if table is None and command.kind == table_pb2.KIND_OPEN:
            table = self.world.tables[command.table] = Table(command.table)
            table.options.CopyFrom(command.options)
        if table is None:
            return table_pb2.Update(table=command.table, code="UNKNOWN_TABLE", reason="no")
        if session is not None and command.kind == table_pb2.KIND_WATCH:
            return self._watch(session, table, command)
        return self._command(session, table, command)

    def _check(self, session: _Session, table: Table | None, seq: int) -> None:
        if table is not None and table.seq > seq:
            views = [
                view for number in range(seq + 1, table.seq + 1) for view in table.events[number]
            ]
            session.send(table_pb2.Update(table=table.name, seq=table.seq, views=views))

    def _unwatch(self, session: _Session, command: table_pb2.Command) -> None:
        gone = (command.table, session, command.player)
        self.present = {
            entry
            for entry in self.present
            if entry[:2] != gone[:2] or (command.player and entry != gone)
        }
        if not command.player:
            self.watchers.get(command.table, set()).discard(session)

    def _watch(
        self, session: _Session, table: Table, command: table_pb2.Command
    ) -> table_pb2.Update:
        seat = table.seat_of(command.player)
        if not table.options.spectators and seat == NO_SEAT:
            return table_pb2.Update(table=table.name, code="NOT_SEATED", reason="no spectators")
        self.watchers.setdefault(table.name, set()).add(session)
        self.present.add((table.name, session, command.player))
        if table.claim(command.player, command.window):
            table.commit(f"held-{table.seq}")
            self.world.publish(table, table.events[table.seq], None)
        update = table.update(seat)
        update.private = True
        update.views.extend(table.missed(seat, command.seq))
        update.views.append(_watching(table, len({entry[2] for entry in self.present})))
        return update

    def _command(
        self, session: _Session | None, table: Table, command: table_pb2.Command
    ) -> table_pb2.Update:
        refusal = self.world.refuse.get(command.kind) or _refusal(table, command)
        if refusal is not None:
            return table_pb2.Update(
                table=table.name, seq=table.seq, code=refusal[0], reason=refusal[1], seat=NO_SEAT
            )
        if command.command in table.done:
            done = table.update(table.seat_of(command.player))
            del done.players[:], done.windows[:]
            return done
        if command.kind == table_pb2.KIND_SAY:
            return self._say(session, table, command)
        _seat(table, command)
        table.commit(command.command)
        answer = table.update(table.seat_of(command.player))
        views = table.events[table.seq]
        if command.kind in SEATING:
            answer.private = True
            if table.options.spectators or answer.seat < NO_SEAT:
                answer.views.append(table.snapshot(answer.seat))
            self.world.publish(table, views, None)
        else:
            watches = session in self.watchers.get(table.name, ())
            answer.views.extend(views if watches and not self.loses_pushes else ())
            if command.kind not in HOUSE:
                del answer.players[:], answer.windows[:]
            self.world.publish(table, views, session if watches else None)
        return answer

    def _say(
        self, session: _Session | None, table: Table, command: table_pb2.Command
    ) -> table_pb2.Update:
        seat = table.seat_of(command.player)
        said = {"seat": seat, "phrase": command.phrase}
        frame = _encode({"t": "said", "table": table.name, "d": said})
        answer = table.update(seat)
        del answer.players[:], answer.windows[:]
        answer.views.append(table_pb2.View(viewers=EVERYBODY, frame=frame))
        self.world.publish(table, answer.views, session)
        return answer


def _watching(table: Table, count: int) -> table_pb2.View:
    frame = _encode({"t": "watching", "table": table.name, "d": {"count": count}})
    return table_pb2.View(viewers=EVERYBODY, frame=frame)


def _refusal(table: Table, command: table_pb2.Command) -> tuple[str, str] | None:
    if command.command in table.done:
        return None
    if table.closed:
        return "TABLE_CLOSED", "it was closed"
    if command.kind == table_pb2.KIND_OPEN and table.seq:
        return "TABLE_EXISTS", "that id is taken"
    if command.kind == table_pb2.KIND_SIT and "" not in table.players:
        return "TABLE_FULL", "four sit there"
    return None


def _seat(table: Table, command: table_pb2.Command) -> None:
    """Who sits where after a command."""
    if command.kind in (table_pb2.KIND_CLOSE, table_pb2.KIND_SHUT):
        table.closed = True
    elif command.kind == table_pb2.KIND_KICK:
        table.players[command.seat] = table.windows[command.seat] = ""
    elif command.kind in SEATING:
        if command.player in table.players:
            before = table.players.index(command.player)
            table.players[before] = table.windows[before] = ""
        if command.kind != table_pb2.KIND_LEAVE:
            free = table.players.index("") if command.seat < 0 else command.seat
            table.players[free], table.windows[free] = command.player, command.window


def _failed(command: table_pb2.Command, error: Exception) -> table_pb2.Update:
    return table_pb2.Update(table=command.table, code="INTERNAL", reason=str(error))


@asynccontextmanager
async def replicas(number: int) -> AsyncIterator[list[Replica]]:
    """So many replicas of a new world, started; stopped at the end."""
    world = World()
    started = [Replica(world) for _ in range(number)]
    try:
        await asyncio.gather(*(replica.start() for replica in started))
        yield started
    finally:
        await asyncio.gather(*(replica.stop() for replica in started))
