"""A person at tables who comes back whenever the connection is lost.

As the page does it: with growing pauses and jitter, through whichever gateway answers, and
with what was not answered sent again under the same id. By itself it makes no move.
"""

import asyncio
import itertools
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, Self

from laelo_common.ids import new_id
from laelo_common.wire import PROTO

from laelo_tools.errors import LaeloError
from laelo_tools.load.websocket import WebSocket

PAUSES: Final = (0.3, 0.6, 1.0, 2.0, 4.0, 8.0)
AGAIN_SECONDS: Final = 1.0
ASK_SECONDS: Final = 60.0
_LATER: Final = ("TRY_LATER", "OVERLOADED", "TOO_FAST")

Frame = dict[str, Any]
Hear = Callable[[bytes, Frame], None]
"""Called with each frame, as it came and read."""


class RefusedError(LaeloError):
    """A command was refused, and why; `code` is the documented one."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code


class Visitor:
    """One person with one connection; `urls` are those of the gateways' `/ws`. With a `cookie`
    it is the person whose account that is, else a guest.
    """

    def __init__(
        self,
        urls: Sequence[str],
        name: str,
        chance: Random,
        cookie: str = "",
        hear: Hear = lambda _, __: None,
    ) -> None:
        self.frames = 0
        self.connections = 0
        self.stays_at: set[str] = set()
        """Tables of which the next connection begins with what was missed."""
        self._urls = itertools.cycle(urls)
        self._hello: Frame = {"proto": PROTO, "name": name, "window": new_id()}
        self._chance = chance
        self._cookie = cookie
        self._hear = hear
        self._again: float | None = None
        """When the gateway said that one should come again, in seconds after the end."""
        self._seen: dict[str, int] = {}
        self._asked: dict[str, tuple[bytes, asyncio.Future[Frame]]] = {}
        self._socket: WebSocket | None = None
        self._welcome = asyncio.Event()
        self._living: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Come, and wait until the welcome."""
        self._living = asyncio.create_task(self._live(), name=f"visitor {self._hello['name']}")
        async with asyncio.timeout(ASK_SECONDS):
            await self._welcome.wait()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Go."""
        if self._living is not None:
            self._living.cancel()
            await asyncio.gather(self._living, return_exceptions=True)

    async def ask(self, kind: str, table: str = "", **part: Any) -> Frame:
        """Send a command until it is answered. Raises RefusedError."""
        name = new_id()
        frame: Frame = {"t": kind, "id": name}
        frame |= {"table": table} if table else {}
        frame |= {"d": part} if part else {}
        return await self._ask(name, frame)

    async def sync(self, table: str) -> Frame:
        """Ask for all that is lacking of a table."""
        name = new_id()
        frame = {"t": "sync", "id": name, "table": table, "seq": self._seen.get(table, 0)}
        return await self._ask(name, frame)

    async def _ask(self, name: str, frame: Frame) -> Frame:
        text = json.dumps(frame).encode()
        answer: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self._asked[name] = text, answer
        try:
            async with asyncio.timeout(ASK_SECONDS):
                while not answer.done():
                    self._send(text)
                    await asyncio.wait((answer,), timeout=AGAIN_SECONDS)
        finally:
            del self._asked[name]
        return answer.result()

    def _send(self, text: bytes) -> None:
        if self._welcome.is_set() and self._socket is not None:
            self._socket.send(text)

    async def _live(self) -> None:
        for attempt in itertools.count():
            lost = asyncio.Event()
            socket = self._new_socket(lost)
            try:
                await socket.connect()
                self._socket = socket
                hello = {"t": "hello", "id": "hello", "d": {**self._hello, "resume": self._held()}}
                socket.send(json.dumps(hello).encode())
                await lost.wait()
            except OSError:
                pass
            finally:
                socket.close()
                came = self._welcome.is_set()
                self._welcome.clear()
            await asyncio.sleep(self._pause(0 if came else attempt))

    def _pause(self, attempt: int) -> float:
        """As long as the gateway said, if it was the last to speak; else longer each time."""
        again, self._again = self._again, None
        if again is not None:
            return again
        return PAUSES[min(attempt, len(PAUSES) - 1)] * self._chance.uniform(0.5, 1.5)

    def _held(self) -> list[Frame]:
        return [
            {"table": table, "seq": seq}
            for table, seq in self._seen.items()
            if table in self.stays_at
        ]

    def _new_socket(self, lost: asyncio.Event) -> WebSocket:
        return WebSocket(next(self._urls), self._received, lambda _: lost.set(), self._cookie)

    def _received(self, text: bytes) -> None:
        frame: Frame = json.loads(text)
        table, seq = frame.get("table"), frame.get("seq", 0)
        if frame["t"] in ("event", "snapshot") and table:
            self.frames += 1
            self._seen[table] = max(seq, self._seen.get(table, 0))
        elif frame["t"] == "welcome":
            self._welcomed(frame["d"]["me"])
        elif frame["t"] == "notice" and frame["d"]["kind"] == "restarting":
            self._again = frame["d"]["again_ms"] / 1000
        elif frame["t"] == "nack" and frame.get("re") == "hello" and self._socket is not None:
            self._socket.close()  # accounts are away, perhaps: come again a little later
        waiting = self._asked.get(frame.get("re") or "")
        if waiting is not None and not waiting[1].done():
            _answer(waiting[1], frame)
        self._hear(text, frame)

    def _welcomed(self, me: Frame) -> None:
        self.connections += 1
        self._hello["token"] = me.get("token") or self._hello.get("token")
        self._welcome.set()
        for text, _ in self._asked.values():
            self._send(text)


def _answer(asked: asyncio.Future[Frame], frame: Frame) -> None:
    if frame["t"] != "nack":
        asked.set_result(frame)
    elif frame["d"]["code"] not in _LATER:  # else it is sent again
        asked.set_exception(RefusedError(frame["d"]["code"], frame["d"]["reason"]))
