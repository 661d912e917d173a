"""One client of the crowd: sits at a table and makes any legal move when it is its turn."""

import asyncio
import time
from random import Random
from typing import Any, NamedTuple, Protocol

import msgspec
from laelo_common.wire import PROTO
from laelo_common.wire.server import EventFrame
from laelo_common.wire.table import Turn

from laelo_tools.load.websocket import WebSocket

_EVENT = b'{"t":"event"'
_SEQ = b'"seq":'
_TO_ACT = (b'"plays":', b'"must_pass":true', b'"choosing":true')
"""One of these is in every frame that tells a seat that it is its turn."""

_events = msgspec.json.Decoder(EventFrame)

_LATER = "TRY_LATER"
_TRIES, _AGAIN_SECONDS = 60, 0.5

_FINE = frozenset(("ack", "watching", "said"))
"""Frames that a player has no use for."""


class Setting(NamedTuple):
    """How the clients behave."""

    think_ms: int = 0


class Seat(Protocol):
    """The table, as its players see it."""

    id: str

    def sends(self, seq: int, now: float) -> None:
        """A move goes out."""

    def has(self, seq: int, frame: bytes) -> None:
        """A frame has come."""

    def wrong(self, code: str, words: str) -> None:
        """Something went wrong."""


class Player:
    """Reads of most frames only their number, so that the crowd costs little."""

    def __init__(self, table: Seat, seat: int, setting: Setting, seed: int) -> None:
        loop = asyncio.get_running_loop()
        self.seat = seat
        self.seated: asyncio.Future[None] = loop.create_future()
        self._welcome: asyncio.Future[bool] = loop.create_future()
        self._table = table
        self._setting = setting
        self._chance = Random(seed)
        self._socket: WebSocket | None = None
        self._number = 0
        self._seq = 0
        self._fence = 0

    async def connect(self, url: str) -> None:
        """Connect and say hello, again as long as a new gateway says that it is too early for
        that. Raises OSError.
        """
        for _ in range(_TRIES):
            self._welcome = asyncio.get_running_loop().create_future()
            self._socket = WebSocket(url, self._on_text, self._on_lost)
            await self._socket.connect()
            name = f"Load {self.seat}"
            hello = f'{{"t":"hello","id":"hello","d":{{"proto":{PROTO},"name":"{name}"}}}}'
            self._socket.send(hello.encode())
            if await self._welcome:
                return
            await asyncio.sleep(_AGAIN_SECONDS)
        raise ConnectionError(f"{_LATER} to each of {_TRIES} hellos")

    def ask(self, kind: str, part: str) -> None:
        """Send a command."""
        self._number += 1
        head = f'{{"t":"{kind}","id":"{self._number}","table":"{self._table.id}","d":'
        if self._socket is not None:
            self._socket.send(f"{head}{part}}}".encode())

    def hang_up(self) -> None:
        """Leave without a word."""
        if self._socket is not None:
            self._socket.close()

    # What comes.

    def _on_text(self, text: bytes) -> None:
        if not text.startswith(_EVENT):
            self._on_other(msgspec.json.decode(text))
            return
        at = text.index(_SEQ) + len(_SEQ)
        seq = int(text[at : text.index(b",", at)])
        if seq != self._seq + 1 and self.seated.done():
            self._table.wrong("GAP", f"seat {self.seat} has frame {seq} after {self._seq}")
        self._seq = seq
        self._table.has(seq, text)
        if any(mark in text for mark in _TO_ACT):
            self._on_turn(text)

    def _on_other(self, frame: dict[str, Any]) -> None:
        kind, part = frame["t"], frame.get("d", {})
        if kind == "snapshot":
            self._seq = frame["seq"]
            if part.get("me") == self.seat:
                self._fence = part["fence"]
                if not self.seated.done():
                    self.seated.set_result(None)
        elif kind == "welcome":
            self._welcome.set_result(True)
        elif part.get("code") == _LATER and not self._welcome.done():
            self._welcome.set_result(False)
        elif kind not in _FINE:
            code = part.get("code") or part.get("kind", kind)
            self._fail(str(code), f"{kind} {part.get('reason', '')}".strip())

    def _on_turn(self, text: bytes) -> None:
        turn = next(
            (event for event in _events.decode(text).d.events if isinstance(event, Turn)), None
        )
        if turn is None or turn.seat != self.seat:
            return
        if not self._setting.think_ms:
            self._act(turn)
            return
        seconds = self._setting.think_ms * self._chance.uniform(0.5, 1.5) / 1000
        asyncio.get_running_loop().call_later(seconds, self._act, turn)

    def _act(self, turn: Turn) -> None:
        which = f'"turn":{turn.turn},"fence":{self._fence}'
        self._table.sends(self._seq + 1, time.perf_counter())
        if turn.choosing:
            opener = self._chance.choice((self.seat, self.seat ^ 2))
            self.ask("choose_opener", f'{{"opener":{opener},{which}}}')
        elif turn.must_pass:
            self.ask("pass", f"{{{which}}}")
        else:
            play = self._chance.choice(turn.plays)
            low, high = play.tile
            end = f',"end":"{self._chance.choice(play.ends)}"' if play.ends else ""
            self.ask("play", f'{{"tile":[{low},{high}],{which}{end}}}')

    def _on_lost(self, reason: str) -> None:
        if self._welcome.done() and not self._welcome.exception() and not self._welcome.result():
            return  # it was sent away, and comes again
        self._fail("LOST", f"seat {self.seat}: {reason}")

    def _fail(self, code: str, words: str) -> None:
        self._table.wrong(code, words)
        for waited in (self._welcome, self.seated):
            if not waited.done():
                waited.set_exception(ConnectionError(f"{code}: {words}"))
                waited.exception()  # told above; not everybody waits for both
