"""The connection to a gateway, for a program that plays. One thread, one table after another."""

import json
import random
import secrets
import time
from collections.abc import Callable
from itertools import count
from typing import Any, Final, Self

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from laelo_client.moves import Choose, Move, command_of
from laelo_client.seat import Frame, Seat

PROTO: Final = 1
PATIENCE_SECONDS: Final = 2.5
"""After which a command that was not answered is sent again, under the same id."""
PAUSES: Final = (0.3, 0.6, 1.0, 2.0, 4.0, 8.0)
"""Between attempts to come back, with jitter."""
_LATER: Final = ("TRY_LATER", "OVERLOADED", "TOO_FAST")
_FOR_GOOD: Final = (4002, 4003)
"""Closed so, coming back would not help."""
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Refused(Exception):  # noqa: N818 - reads as what it says
    """The gateway does not do what was asked for; `code` is one of docs/errors.md."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code


class Client:
    """Speaks for one bot account. Use as `with Client(url, token) as client`."""

    def __init__(self, url: str, token: str) -> None:
        self._url = url.rstrip("/").replace("http", "ws", 1) + "/ws"
        self._token = token
        self._socket: ClientConnection | None = None
        self._ids = count(1)
        self._run = secrets.token_hex(4)
        self._seat: Seat | None = None
        self.me: Frame = {}
        """Who one is: `id`, `name`."""

    def __enter__(self) -> Self:
        self._connect()
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is not None:
            self._socket.close()

    def sit(self, code: str) -> Seat:
        """A seat at the table with this code. Raises Refused."""
        table = self._ask("table.find", d={"code": code})["d"]["found"]["table"]
        return self._seated(table, "table.sit")

    def quick(self) -> Seat:
        """A seat wherever somebody waits, or at a table of one's own that begins with bots."""
        table = self._ask("table.quick", table=_new_id())["d"]["found"]["table"]
        return self._seated(table, "watch")

    def play(self, seat: Seat, choose: Choose) -> Frame | None:
        """Play until the match is over; how it ended, or None if the table was closed before."""
        self._seat = seat
        while seat.end is None and not seat.is_closed:
            turn = seat.turn()
            if turn is None:
                self._next()
            else:
                self._act(seat, seat.turn_number, choose(turn))
        return seat.end

    def _act(self, seat: Seat, turn: int, move: Move) -> None:
        """Make a move, and wait until the turn is over. Raises Refused."""
        kind, data = command_of(move)
        data |= {"turn": turn, "fence": seat.fence}
        # By the turn: sent once more after a break it is still the same command.
        self._ask(kind, f"{self._run}-turn-{turn}", table=seat.table, d=data)
        self._until(lambda: seat.turn_number != turn or seat.is_closed)

    # Frames.

    def _seated(self, table: str, kind: str) -> Seat:
        if self._seat is not None and self._seat.table != table:
            self._ask("unwatch", table=self._seat.table)  # only so many are shown at once
        seat = self._seat = Seat(table)
        self._ask(kind, table=table)
        self._until(lambda: seat.number >= 0)
        return seat

    def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._next()

    def _ask(self, kind: str, command: str = "", **frame: Any) -> Frame:
        """Send a command until it is answered. Raises Refused."""
        sent = {"t": kind, "id": command or f"{self._run}-{next(self._ids)}", **frame}
        while True:
            self._send(sent)
            answer = self._answer(sent["id"])
            if answer is None:
                continue
            if answer["t"] != "nack":
                return answer
            if answer["d"]["code"] not in _LATER:
                raise Refused(answer["d"]["code"], answer["d"]["reason"])
            time.sleep(random.uniform(0.2, 1.0))

    def _answer(self, command: str) -> Frame | None:
        """What answers a command; None if nothing did in time."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            frame = self._next()
            if frame is not None and frame.get("re") == command:
                return frame
        return None

    def _next(self) -> Frame | None:
        """The next frame, already taken in; None if none came for a while, or one is back."""
        try:
            frame: Frame = json.loads(self._open().recv(PATIENCE_SECONDS))
        except TimeoutError:
            have = [{"table": self._seat.table, "seq": self._seat.seq}] if self._seat else []
            self._send({"t": "ping", "d": {"client": int(time.time() * 1000), "have": have}})
            return None
        except ConnectionClosed as closed:
            self._come_back(closed)
            return None
        self._take(frame)
        return frame

    def _take(self, frame: Frame) -> None:
        seat = self._seat
        if seat is None or frame.get("table") != seat.table:
            return
        was_missed = seat.missed
        seat.take(frame)
        if seat.missed and not was_missed:
            self._send(self._sync(seat))

    def _sync(self, seat: Seat) -> Frame:
        return {"t": "sync", "id": f"{self._run}-{next(self._ids)}", "table": seat.table,
                "seq": seat.seq}  # fmt: skip

    def _send(self, frame: Frame) -> None:
        try:
            self._open().send(json.dumps(frame))
        except ConnectionClosed as closed:
            self._come_back(closed)

    # The connection.

    def _open(self) -> ClientConnection:
        if self._socket is None:
            raise RuntimeError("a client is used as `with Client(url, token) as client`")
        return self._socket

    def _come_back(self, closed: ConnectionClosed) -> None:
        """Connect anew, for as long as it takes. Raises Refused when there is no coming back."""
        code = closed.rcvd.code if closed.rcvd else 0
        if code in _FOR_GOOD:
            raise Refused("CLOSED", closed.rcvd.reason if closed.rcvd else "")
        for attempt in count():
            try:
                self._connect()
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                time.sleep(PAUSES[min(attempt, len(PAUSES) - 1)] * random.uniform(0.5, 1.5))
            else:
                return

    def _connect(self) -> None:
        """Say hello, and hear what was missed. Raises Refused, OSError."""
        seat = self._seat
        resume = [{"table": seat.table, "seq": seat.seq}] if seat is not None and seat.seq else []
        self._socket = connect(self._url, proxy=None, compression=None, max_size=2**20)
        hello = {"proto": PROTO, "token": self._token, "resume": resume}
        self._socket.send(json.dumps({"t": "hello", "id": "hello", "d": hello}))
        while True:
            frame: Frame = json.loads(self._socket.recv(PATIENCE_SECONDS * 4))
            if frame["t"] == "welcome":
                self.me = frame["d"]["me"]
                return
            if frame["t"] == "nack" and frame.get("re") == "hello":
                if frame["d"]["code"] in _LATER:
                    raise TimeoutError(frame["d"]["reason"])
                raise Refused(frame["d"]["code"], frame["d"]["reason"])


def _new_id() -> str:
    """A ULID: 48 bits of time and 80 of chance."""
    number = int(time.time() * 1000) << 80 | secrets.randbits(80)
    return "".join(_LETTERS[number >> shift & 31] for shift in range(125, -1, -5))
