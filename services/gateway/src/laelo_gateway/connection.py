"""One client's conversation with the gateway, from hello to the end."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Final, NamedTuple

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.telemetry import Telemetry
from laelo_common.wire import MIN_PROTO, PROTO, client, server

from laelo_gateway.accounts.sessions import Sessions
from laelo_gateway.builds import Builds
from laelo_gateway.championships import hall
from laelo_gateway.championships.hall import Hall
from laelo_gateway.counts import Counts
from laelo_gateway.domain import commands, replies
from laelo_gateway.domain.commands import Sender
from laelo_gateway.domain.frames import Refusal, decode
from laelo_gateway.domain.peer import limited_as
from laelo_gateway.domain.watch import NO_SEAT, Watch
from laelo_gateway.hub import Hub
from laelo_gateway.limits import Limiters
from laelo_gateway.lookups import Lookups
from laelo_gateway.orders.desk import Orders
from laelo_gateway.people import Greeting, People
from laelo_gateway.quick import QuickPlay
from laelo_gateway.socket import Socket, text_frame

MAX_EARLY: Final = 16
"""Frames that may follow hello before it is answered."""
MAX_TOO_FAST: Final = 200
"""Refusals for being too fast after which the connection is closed."""
MARK_SECONDS: Final = 1.5
"""Frames sent longer ago than this are no longer on their way."""

NEED_A_NAME: Final = (client.CreateFrame, client.SitFrame, client.QuickFrame)
"""What shows a person's name to others."""


class House(NamedTuple):
    """What all connections share."""

    hub: Hub
    people: People
    lookups: Lookups
    quick: QuickPlay
    limits: Limiters
    counts: Counts
    telemetry: Telemetry
    builds: Builds
    sessions: Sessions
    hall: Hall
    orders: Orders


class Connection:
    """A `Handler` of its socket, a `Client` of the hub and a `Visitor` of the hall."""

    def __init__(self, house: House, socket: Socket) -> None:
        self._house = house
        self._socket = socket
        self._bucket = house.limits.stranger(socket.heard)
        self._tasks: set[asyncio.Task[None]] = set()
        self._early: list[client.ClientFrame] = []
        self._hello: asyncio.Task[None] | None = None
        self._marked_at = 0.0
        self._has_window = False
        self.pinged_at = 0.0
        self.began = socket.heard
        self.build = self.language = ""
        self.session = b""
        """Key of the session by which the person is known; empty for guests."""
        self.sender = Sender(commands.NOBODY)
        self.tables: dict[str, Watch] = {}
        self.closed_tables: set[str] = set()
        self.write = socket.write

    @property
    def socket(self) -> Socket:
        """Where the client is."""
        return self._socket

    @property
    def is_welcome(self) -> bool:
        """Whether hello was answered."""
        return self.sender.person is not commands.NOBODY

    def send(self, text: bytes) -> None:
        """Send a text."""
        self._house.counts.frames_out += 1
        self.write(text_frame(text))

    def taken(self) -> None:
        """A newer window of the person has the seat."""
        self._socket.close(4003, "another window has the seat now")

    def shut_out(self, words: str, re: str | None = None) -> None:
        """An operator does not let the person play."""
        self._refuse(Refusal(Code.BANNED, words, re))
        self._socket.close(4004, "shut out by an operator")

    # As the socket's handler.

    def received(self, text: bytes) -> None:
        """A text frame came."""
        counts = self._house.counts
        counts.frames_in += 1
        if not self._bucket.take(self._socket.heard):
            self._too_fast(text)
            return
        frame = decode(text)
        if isinstance(frame, Refusal):
            self._refuse(frame)
        elif self.sender.person is commands.NOBODY:
            self._before_welcome(frame)
        else:
            self._handle(frame)

    def received_binary(self) -> None:
        """A binary frame came: this protocol has none."""
        self._house.counts.frames_in += 1
        if self._bucket.take(self._socket.heard):
            self._refuse(Refusal(Code.BAD_FRAME, "frames are JSON text; this one is binary"))
        else:
            self._too_fast(b"")

    def closed(self) -> None:
        """The socket is gone."""
        if self._hello is not None:
            self._hello.cancel()
        if self._has_window:
            self._house.limits.windows.leave(self.sender.person.id)
        self._house.hub.gone(self)
        self._house.hall.go(self)

    # Frames.

    def _handle(self, frame: client.ClientFrame) -> None:
        if self.sender.person.nameless and isinstance(frame, NEED_A_NAME):
            self._refuse(Refusal(Code.NAMELESS, Code.NAMELESS.meaning.text, frame.id))
        elif commands.is_command(frame):
            self._command(frame)
        elif isinstance(frame, hall.FRAMES):
            self._house.hall.handle(self, frame)
        else:
            self._look(frame)

    def _look(self, frame: client.ClientFrame) -> None:
        hub = self._house.hub
        if type(frame) is client.PingFrame:
            self._ping(frame.d)
        elif type(frame) is client.WatchFrame:
            hub.watch(self, frame.table, 0, frame.id, claims=True)
        elif type(frame) is client.SyncFrame:
            hub.watch(self, frame.table, frame.seq, frame.id)
        elif type(frame) is client.UnwatchFrame:
            hub.unwatch(self, frame.table, frame.id)
        elif type(frame) is client.FindFrame:
            self._spawn(frame.id, self._find(frame))
        elif type(frame) is client.QuickFrame:
            self._spawn(frame.id, self._seek(frame))
        elif type(frame) is client.HelloFrame:
            self._refuse(Refusal(Code.BAD_FRAME, "hello was said already", frame.id))

    def _command(self, frame: client.ClientFrame) -> None:
        house = self._house
        if isinstance(frame, client.CreateFrame) and not self._may_open():
            words = "too many tables were opened: wait a moment"
            self._refuse(Refusal(Code.TOO_FAST, words, frame.id, frame.table))
            return
        if not house.telemetry.is_on:
            house.hub.command(self, frame)
            return
        # Whether this command is traced, by all services, is decided here and nowhere else.
        span = house.telemetry.begin_root("gateway.command", frame=type(frame).__name__)
        house.hub.command(self, frame, span)

    def _may_open(self) -> bool:
        return self._house.limits.opens.take(self.sender.person.id, self._socket.heard)

    def _spawn(self, re: str, work: Coroutine[Any, Any, bytes]) -> None:
        """Answer a frame whose answer takes a while."""

        async def answer() -> None:
            try:
                self.send(await work)
            except LaeloError as error:
                self._refuse(Refusal(error.code, error.message, re))

        task = asyncio.create_task(answer(), name="answer")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _find(self, frame: client.FindFrame) -> bytes:
        person = self.sender.person
        found = await self._house.lookups.find(frame.d.code, self._socket.peer, person)
        return replies.ack(frame.id, table_pb2.Update(table=found.table, seat=NO_SEAT), found)

    async def _seek(self, frame: client.QuickFrame) -> bytes:
        taken = await self._house.quick.seek(frame.id, frame.table, self.sender)
        return replies.ack(frame.id, taken.update, taken.found)

    def _ping(self, part: client.PingPart) -> None:
        now = int(time.time() * 1000)
        pong = server.PongFrame(now=now, d=server.Pong(client=part.client))
        self.send(replies.encoded(pong))
        heard = self._socket.heard
        settled = heard - self._marked_at >= MARK_SECONDS
        for held in part.have:
            self._compare(held, settled)
        if settled:
            self._marked_at = heard

    def _compare(self, held: client.Held, settled: bool) -> None:
        """Send what the client lacks, though it was sent: it tells what it has got."""
        watch = self._house.hub.watching(self, held.table)
        if held.table in self.closed_tables:
            return
        if watch is None or (held.seq < watch.marked and not watch.awaited):
            self._house.hub.watch(self, held.table, held.seq, None)
        elif settled:
            watch.marked = watch.seq

    # Hello.

    def _before_welcome(self, frame: client.ClientFrame) -> None:
        if self._hello is not None:
            # A second hello must not make somebody else of who has said hello already.
            self._wait_for_welcome(frame)
        elif isinstance(frame, client.HelloFrame):
            self._greet(frame)
        else:
            re = getattr(frame, "id", None)
            self._refuse(Refusal(Code.HELLO_FIRST, "say hello before anything else", re))

    def _wait_for_welcome(self, frame: client.ClientFrame) -> None:
        if len(self._early) < MAX_EARLY:
            self._early.append(frame)
            return
        words = f"at most {MAX_EARLY} frames may follow hello before it is answered"
        self._refuse(Refusal(Code.HELLO_FIRST, words, getattr(frame, "id", None)))

    def _greet(self, frame: client.HelloFrame) -> None:
        if frame.d.proto < MIN_PROTO:
            words = f"this page speaks protocol {frame.d.proto}, at least {MIN_PROTO} is needed"
            self._refuse(Refusal(Code.PROTO_TOO_OLD, words, frame.id))
            self._socket.close(4002, "the page is too old: load it anew")
            return
        self._hello = asyncio.create_task(self._welcome(frame), name="hello")

    async def _welcome(self, frame: client.HelloFrame) -> None:
        hello = frame.d
        try:
            greeting = await self._meet(hello)
            self._house.orders.admit(greeting.person, hello.lang)
        except LaeloError as error:
            self._turn_away(error, frame.id)
            return
        self._count(greeting)
        person = greeting.person
        if not self._house.limits.windows.enter(person.id):
            self._socket.close(4008, "too many connections of one person")
            return
        self._has_window = True
        self.sender = Sender(person, hello.window)
        self._bucket = self._house.limits.frames.of(person.id, self._socket.heard)
        me = server.Me(person.id, person.name, person.guest, greeting.token, person.nameless)
        build = self._house.builds.name
        self.build, self.language = hello.build, hello.lang
        welcome = server.Welcome(min(hello.proto, PROTO), MIN_PROTO, build, me)
        now = int(time.time() * 1000)
        self.send(replies.encoded(server.WelcomeFrame(re=frame.id, now=now, d=welcome)))
        if (announced := self._house.orders.announcement()) is not None:
            self.send(announced)
        self._house.counts.resumed += bool(hello.resume)
        for held in hello.resume:
            # Who has seen nothing yet is new here; who has may have been replaced meanwhile.
            self._house.hub.watch(self, held.table, held.seq, None, claims=not held.seq)
        self._house.hall.come(self)
        self._after_hello()

    async def _meet(self, hello: client.Hello) -> Greeting:
        """Who comes: of whom the cookie tells, or else a guest. Raises LaeloError."""
        house, cookie = self._house, self._socket.cookie
        looks = house.limits.looks(limited_as(self._socket.peer), self._socket.heard)
        if house.sessions.is_claimed(cookie):
            looks.check()
            session = await house.sessions.of(cookie)
            if session is not None:
                self.session = session.key
                return Greeting(session.person, None)
            looks.missed()
        people = house.people
        return await people.greet(hello.token, hello.name, hello.lang, self._admit, looks)

    def _turn_away(self, error: LaeloError, re: str) -> None:
        """Hello was refused: another one may follow, unless the person is shut out."""
        if error.code is Code.BANNED:
            self.shut_out(error.message, re)
            return
        self._refuse(Refusal(error.code, error.message, re))
        self._hello = None
        self._after_hello()

    def _after_hello(self) -> None:
        """What came meanwhile."""
        early, self._early = self._early, []
        for frame in early:
            if self.is_welcome:
                self._handle(frame)
            else:
                self._before_welcome(frame)

    def _admit(self) -> None:
        """Let a new guest in, if not too many come from here. Raises LaeloError."""
        peer = limited_as(self._socket.peer)
        if not self._house.limits.guests.take(peer, self._socket.heard):
            words = "too many new guests come from this address: try again in a moment"
            raise LaeloError(Code.TOO_FAST, words)

    def _count(self, greeting: Greeting) -> None:
        if greeting.token is None:
            self._house.counts.returned += 1
        else:
            self._house.counts.guests += 1

    # Refusals.

    def _too_fast(self, text: bytes) -> None:
        self._house.counts.too_fast += 1
        if self._bucket.refused > MAX_TOO_FAST:
            self._socket.close(4008, "too fast")
            return
        frame = decode(text)
        re = frame.re if isinstance(frame, Refusal) else getattr(frame, "id", None)
        rate = self._house.limits.of.rate
        self._refuse(Refusal(Code.TOO_FAST, f"at most {rate:g} frames a second; slow down", re))

    def _refuse(self, refusal: Refusal) -> None:
        self._house.counts.refuse(refusal.code)
        self.send(replies.nack(refusal))
