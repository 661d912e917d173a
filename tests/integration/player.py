"""A person at a table, as a careful client behaves: resends, resyncs, comes back."""

import asyncio
import contextlib
import itertools
import json
import random
import secrets
import time
from collections.abc import Callable
from typing import Any, Self

from laelo_common.ids import new_id
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

RESEND_S = 1.0
BACK_S = 0.1
ENDS_TURN = ("played", "passed", "opener_chosen")
Frame = dict[str, Any]


class Player:
    """Plays any legal move at once. Remembers what was acknowledged and what was seen.

    `acknowledged` maps the id of each command that was answered to the version it made;
    `frames` are the numbers of the table's frames in the order in which they were taken,
    `heard` is all that came, as it came.
    A turn for which `holds` is true is left alone.
    """

    def __init__(self, url: str, name: str, seed: int = 0) -> None:
        self.url = url.replace("http", "ws", 1) + "/ws"
        self.name = name
        self.table = ""
        self.token: str | None = None
        self.view: Frame = {}
        self.seq = 0
        self.acknowledged: dict[str, int] = {}
        self.refused: list[Frame] = []
        self.frames: list[int] = []
        self.matches: list[Frame] = []
        self.gaps = 0
        self.connections = 0
        self.heard: list[str] = []
        self._choice = random.Random(seed)
        self._numbers = itertools.count(1)
        self._prefix = secrets.token_hex(4)
        self._waiting: dict[str, tuple[Frame, float]] = {}
        self._answered: dict[str, Frame] = {}
        self._socket: ClientConnection | None = None
        self._changed = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None
        self.holds: Callable[[Frame], bool] = lambda _: False

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._live())
        await self.until(lambda: self.token is not None)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def until(self, true: Callable[[], object], seconds: float = 60.0) -> None:
        """Wait until a condition holds; a fault of this player's own task is raised here."""
        async with asyncio.timeout(seconds):
            while not true():
                if self._task is not None and self._task.done():
                    self._task.result()
                async with self._changed:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._changed.wait(), 0.2)

    async def ask(self, kind: str, data: Frame | None = None, command: str | None = None) -> Frame:
        """Send a command, again and again until it is answered; the frame that answers."""
        command = command or f"{self._prefix}-{next(self._numbers)}"
        frame = {"t": kind, "id": command, "table": self.table, "d": data or {}}
        await self._send(command, frame)
        await self.until(lambda: command in self._answered)
        return self._answered[command]

    async def raw(self, text: str | bytes) -> None:
        """Send anything at all."""
        assert self._socket is not None
        await self._socket.send(text)

    async def create(self, move_seconds: int = 0) -> str:
        """Open a table and sit down in seat 0."""
        self.table = new_id()
        await self.ask("table.create", {"options": {"move_seconds": move_seconds}})
        await self.until(lambda: self.view.get("me") == 0)
        return self.table

    async def join(self, table: str, seat: int) -> None:
        """Look at a table and take a seat."""
        self.table = table
        await self.ask("watch")
        await self.ask("table.sit", {"seat": seat})
        await self.until(lambda: self.view.get("me") == seat)

    async def start(self, level: str = "random") -> None:
        """Begin a match."""
        await self.ask("table.start", {"level": level})

    async def played(self, matches: int, seconds: float = 120.0) -> None:
        """Wait for the end of so many matches."""
        await self.until(lambda: len(self.matches) >= matches, seconds)

    async def act(self) -> None:
        """Answer the open turn, if it is one's own and no longer held."""
        await self._act(self.view.get("turn"))

    # The connection.

    async def _live(self) -> None:
        resend = asyncio.create_task(self._resend())
        try:
            while True:
                try:
                    async with connect(self.url, ping_interval=None) as socket:
                        await self._talk(socket)
                except (OSError, ConnectionClosed, InvalidHandshake, EOFError, TimeoutError):
                    pass
                self._socket = None
                if resend.done():
                    resend.result()
                await asyncio.sleep(BACK_S * self._choice.uniform(0.5, 1.5))
        finally:
            resend.cancel()

    async def _talk(self, socket: ClientConnection) -> None:
        hello: Frame = {"proto": 1, "name": self.name}
        if self.token:
            hello["token"] = self.token
        await socket.send(json.dumps({"t": "hello", "id": "hello", "d": hello}))
        async for text in socket:
            self.heard.append(str(text))
            frame = json.loads(text)
            if frame["t"] == "welcome":
                self.token = frame["d"]["me"].get("token") or self.token
                self._socket = socket
                self.connections += 1
                if self.table and self.seq:
                    await self._sync()
                await self._again()
            elif frame["t"] == "nack" and frame.get("re") == "hello":
                raise ConnectionError(frame["d"])
            else:
                await self._take(frame)
            async with self._changed:
                self._changed.notify_all()

    async def _send(self, command: str, frame: Frame) -> None:
        self._waiting[command] = (frame, time.monotonic())
        if self._socket is not None:
            try:
                await self._socket.send(json.dumps(frame))
            except ConnectionClosed:
                return  # it stays among the waiting and is sent again

    async def _again(self) -> None:
        for command, (frame, _since) in list(self._waiting.items()):
            await self._send(command, frame)

    async def _resend(self) -> None:
        while True:
            await asyncio.sleep(RESEND_S / 4)
            late = time.monotonic() - RESEND_S
            for command, (frame, since) in list(self._waiting.items()):
                if since < late:
                    await self._send(command, frame)

    async def _sync(self) -> None:
        if self._socket is not None:
            frame = {"t": "sync", "id": f"sync-{next(self._numbers)}", "table": self.table}
            await self._socket.send(json.dumps({**frame, "seq": self.seq}))

    # What comes.

    async def _take(self, frame: Frame) -> None:
        kind = frame["t"]
        if kind == "nack":
            await self._refused(frame)
            return
        if frame.get("re"):
            self._done(frame)
        if frame.get("table") != self.table:
            return
        if kind == "snapshot" and frame["seq"] >= self.seq:
            self._number(frame["seq"])
            self.view = frame["d"]
            if "match_end" in self.view and len(self.matches) < self.view["match"]:
                self.matches.append(self.view["match_end"])
            await self._act(self.view.get("turn"))
        elif kind == "event":
            await self._event(frame)

    async def _event(self, frame: Frame) -> None:
        if frame["seq"] <= self.seq:
            return
        if frame["seq"] != self.seq + 1:
            self.gaps += 1
            await self._sync()
            return
        self._number(frame["seq"])
        for event in frame["d"].get("events", ()):
            self._fold(event)
            if event["k"] == "turn":
                await self._act(event)

    def _fold(self, event: Frame) -> None:
        """Take an event into the view, as far as a player needs it."""
        kind = event["k"]
        if kind in ENDS_TURN:
            self.view.pop("turn", None)
        elif kind == "turn":
            self.view["turn"] = event
        elif kind == "dealt":
            self.view["hand"] = event["hand"]
        elif kind == "match_ended":
            self.matches.append(event["end"])
        elif kind in ("seat", "held") and event["seat"] == self.view.get("me"):
            self.view["fence"] = event["fence"]

    def _number(self, seq: int) -> None:
        if seq > self.seq:  # a snapshot may show again what was seen
            self.frames.append(seq)
        self.seq = seq

    async def _refused(self, frame: Frame) -> None:
        if frame["d"]["code"] in ("TRY_LATER", "OVERLOADED"):
            return  # sent again by the timer
        self.refused.append(frame)
        command = frame.get("re")
        if command in self._waiting:
            del self._waiting[command]
            self._answered[command] = frame

    def _done(self, frame: Frame) -> None:
        command = frame["re"]
        self._waiting.pop(command, None)
        self._answered[command] = frame
        if "seq" in frame:
            self.acknowledged.setdefault(command, frame["seq"])

    async def _act(self, turn: Frame | None) -> None:
        if turn is None or turn["seat"] != self.view.get("me") or self.holds(turn):
            return
        number = turn["turn"]
        data: Frame = {"turn": number, "fence": self.view.get("fence", 0)}
        if turn.get("choosing"):
            kind, data["opener"] = "choose_opener", turn["seat"]
        elif turn.get("must_pass"):
            kind = "pass"
        else:
            play = self._choice.choice(turn["plays"])
            kind, data["tile"] = "play", play["tile"]
            if len(ends := play.get("ends", ())) > 0:
                data["end"] = self._choice.choice(ends)
        command = f"{self._prefix}-turn-{number}"
        if command not in self._waiting and command not in self._answered:
            frame = {"t": kind, "id": command, "table": self.table, "d": data}
            await self._send(command, frame)
