"""A careful client, as the page is one, that writes down all it does and sees."""

import asyncio
import itertools
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, Self

from laelo_common.ids import new_id
from laelo_common.wire import PROTO
from laelo_tools.load.visitor import PAUSES, RefusedError
from laelo_tools.load.websocket import WebSocket

from tests.faults.nemesis.history import LATER, Frame, History

AGAIN_SECONDS: Final = 2.5
PING_SECONDS: Final = 2.5
DEAD_SECONDS: Final = 10.0
"""Without a word for so long, a connection is given up."""
TWICE: Final = 0.05
"""How often a command is sent twice at once: a nervous finger."""


class Client:
    """One person with one connection. `ask` sends until there is an answer, however long."""

    def __init__(
        self, urls: Sequence[str], name: str, history: History, seed: str, cookie: str = ""
    ) -> None:
        self.name = name
        self.chance = Random(f"{name} {seed}")
        self.seen: dict[str, int] = {}
        """The newest frame of each table that is looked at."""
        self.hear: Callable[[Frame], None] = lambda _: None
        self._history = history
        self._urls = itertools.cycle(urls)
        self._hello: Frame = {"proto": PROTO, "name": name, "window": new_id()}
        self._cookie = cookie
        self._asked: dict[str, tuple[Frame, asyncio.Future[Frame]]] = {}
        self._socket: WebSocket | None = None
        self._welcome = asyncio.Event()
        self._heard_at = 0.0
        self._living: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._living = asyncio.create_task(self._live(), name=f"client {self.name}")
        await self._welcome.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._living is not None:
            self._living.cancel()
            await asyncio.gather(self._living, return_exceptions=True)

    async def ask(self, kind: str, table: str = "", **data: Any) -> Frame:
        """Send a command until it is answered for good. Raises RefusedError."""
        frame: Frame = {"t": kind, "id": new_id()}
        frame |= {"table": table} if table else {}
        frame |= {"d": data} if data else {}
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self._asked[frame["id"]] = frame, answer
        try:
            self._send(frame)
            if self.chance.random() < TWICE:
                self._send(frame)
            while not answer.done():
                await asyncio.wait((answer,), timeout=AGAIN_SECONDS)
                if not answer.done():
                    self._send(frame)
        finally:
            del self._asked[frame["id"]]
        return answer.result()

    @property
    def asking(self) -> list[Frame]:
        """What is not answered yet."""
        return [frame for frame, _ in self._asked.values()]

    def forget(self, table: str) -> None:
        """Look at a table no more."""
        self.seen.pop(table, None)

    def raise_faults(self) -> None:
        """Raise what went wrong in this client itself."""
        if self._living is not None and self._living.done() and not self._living.cancelled():
            self._living.result()

    def hang_up(self) -> None:
        """Lose the connection, as in a tunnel."""
        if self._socket is not None:
            self._socket.close()

    def _send(self, frame: Frame) -> None:
        if self._welcome.is_set() and self._socket is not None:
            self._history.sent(self.name, frame)
            self._socket.send(json.dumps(frame).encode())

    # The connection.

    async def _live(self) -> None:
        for attempt in itertools.count():
            lost = asyncio.Event()
            came = await self._stay(self._new_socket(next(self._urls), lost), lost)
            pause = PAUSES[0 if came else min(attempt, 2)]
            await asyncio.sleep(pause * self.chance.uniform(0.5, 1.5))

    def _new_socket(self, url: str, lost: asyncio.Event) -> WebSocket:
        return WebSocket(url, self._received, lambda _: lost.set(), self._cookie)

    async def _stay(self, socket: WebSocket, lost: asyncio.Event) -> bool:
        """Be connected for as long as it lasts; whether there was a welcome."""
        loop = asyncio.get_running_loop()
        socket.opened.add_done_callback(_seen)
        try:
            async with asyncio.timeout(DEAD_SECONDS):
                await socket.connect()
            self._socket, self._heard_at = socket, loop.time()
            resume = [{"table": table, "seq": seq} for table, seq in self.seen.items()]
            hello = {"t": "hello", "id": new_id(), "d": {**self._hello, "resume": resume}}
            socket.send(json.dumps(hello).encode())
            while not lost.is_set() and loop.time() - self._heard_at < DEAD_SECONDS:
                await self._ping(socket, lost)
        except OSError:
            pass
        finally:
            socket.close()
            self._socket = None
            came = self._welcome.is_set()
            self._welcome.clear()
        return came

    async def _ping(self, socket: WebSocket, lost: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(PING_SECONDS):
                await lost.wait()
        except TimeoutError:
            if self._welcome.is_set():
                have = [{"table": table, "seq": seq} for table, seq in self.seen.items()]
                ping = {"t": "ping", "d": {"client": 0, "have": have}}
                socket.send(json.dumps(ping).encode())

    def _received(self, text: bytes) -> None:
        frame: Frame = json.loads(text)
        self._heard_at = asyncio.get_running_loop().time()
        self._history.heard(self.name, frame)
        table, seq = frame.get("table"), frame.get("seq", 0)
        if (frame["t"] == "snapshot" and table) or (frame["t"] == "event" and table in self.seen):
            self.seen[table] = max(seq, self.seen.get(table, 0))
        elif frame["t"] == "welcome":
            self._welcomed(frame["d"]["me"])
        elif frame["t"] == "nack" and frame["d"]["code"] in LATER and not self._welcome.is_set():
            self.hang_up()  # who says hello is told to come again
        self.hear(frame)
        waiting = self._asked.get(frame.get("re") or "")
        if waiting is not None and not waiting[1].done():
            _answer(waiting[1], frame)

    def _welcomed(self, me: Frame) -> None:
        self._hello["token"] = me.get("token") or self._hello.get("token")
        self._welcome.set()
        for frame, _ in list(self._asked.values()):
            self._send(frame)


def _seen(opened: asyncio.Future[None]) -> None:
    """Whoever gave a connection up does not mind how it ends."""
    if not opened.cancelled():
        opened.exception()


def _answer(waiting: asyncio.Future[Frame], frame: Frame) -> None:
    if frame["t"] != "nack":
        waiting.set_result(frame)
    elif frame["d"]["code"] not in LATER:  # else it is sent again
        waiting.set_exception(RefusedError(frame["d"]["code"], frame["d"]["reason"]))
