"""One connection to a gateway, frame by frame: what a test sends, and what comes back."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from laelo_common.ids import new_id
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Frame = dict[str, Any]
PATIENCE_SECONDS = 20.0
LATER_SECONDS = 0.1


class Line:
    """A connection of one person. `frames` has all that came, also over lines before this one.

    `loses` picks the frames that get lost on the way here: they are kept in `lost` alone.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        self.token = token
        self.frames: list[Frame] = []
        self.lost: list[Frame] = []
        self.loses: Callable[[Frame], bool] = lambda _: False
        self._url = url.replace("http", "ws", 1) + "/ws"
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cut()
        if self._reading is not None:
            await asyncio.gather(self._reading, return_exceptions=True)

    async def open(self, *resume: Frame) -> None:
        """Connect, say hello with what one has already, and wait for the welcome."""
        self._socket = await connect(self._url, ping_interval=None)
        hello: Frame = {"proto": 1, "window": "one", "resume": resume}
        if self.token:
            hello["token"] = self.token
        while (welcome := await self._greeted(hello))["t"] != "welcome":
            assert welcome["d"]["code"] == "TRY_LATER", welcome
            await asyncio.sleep(LATER_SECONDS)
        self.token = welcome["d"]["me"].get("token") or self.token
        self._reading = asyncio.create_task(self._read(self._socket))

    def cut(self) -> None:
        """End the connection without a word; what is on its way does not come any more."""
        if self._reading is not None:
            self._reading.cancel()
        if self._socket is not None:
            self._socket.transport.abort()

    async def send(self, frame: Frame) -> None:
        """Send a frame."""
        assert self._socket is not None
        await self._socket.send(json.dumps(frame))

    async def ask(self, kind: str, table: str, **more: Any) -> Frame:
        """Send a command and wait for the frame that answers it."""
        command = new_id()
        await self.send({"t": kind, "id": command, "table": table, **more})
        return await self.answer(command)

    async def answer(self, command: str) -> Frame:
        """Wait for the frame that answers a command."""
        return await self.until(lambda frame: frame.get("re") == command)

    async def until(self, wanted: Callable[[Frame], object]) -> Frame:
        """Wait for a frame; the newest that is wanted."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for frame in reversed(self.frames):
                    if wanted(frame):
                        return frame
                self._news.clear()
                await self._news.wait()

    async def numbered(self, seq: int) -> Frame:
        """Wait for the table's frame of a number, or for a snapshot that has it in it."""
        return await self.until(lambda frame: frame.get("seq", 0) >= seq and "d" in frame)

    def events(self) -> dict[int, Any]:
        """What the event frames said, by number."""
        return {frame["seq"]: frame["d"] for frame in self.frames if frame["t"] == "event"}

    @property
    def seq(self) -> int:
        """The number up to which nothing is missing, counted from the oldest frame."""
        told = {frame["seq"] for frame in self.frames if frame["t"] in {"event", "snapshot"}}
        newest: int = min(told)
        while newest + 1 in told:
            newest += 1
        return newest

    async def _greeted(self, hello: Frame) -> Frame:
        assert self._socket is not None
        await self.send({"t": "hello", "id": new_id(), "d": hello})
        answer: Frame = json.loads(await self._socket.recv())
        return answer

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for text in socket:
                frame = json.loads(text)
                (self.lost if self.loses(frame) else self.frames).append(frame)
                self._news.set()


def open_turn(line: Line) -> Frame | None:
    """The newest turn that a line was told of, if it is its own."""
    for frame in reversed(line.frames):
        if frame["t"] == "snapshot":
            turn = frame["d"].get("turn")
        elif frame["t"] == "event":
            turns = [event for event in frame["d"]["events"] if event["k"] == "turn"]
            turn = turns[-1] if turns else None
        else:
            continue
        return turn if turn and turn["seat"] == 0 else None
    return None


def move(turn: Frame, fence: int) -> tuple[str, Frame]:
    """Any legal answer to one's own turn: kind and data of the command."""
    data: Frame = {"turn": turn["turn"], "fence": fence}
    if turn.get("choosing"):
        return "choose_opener", {**data, "opener": 0}
    if turn.get("must_pass"):
        return "pass", data
    play = turn["plays"][0]
    ends = play.get("ends", [])
    return "play", {**data, "tile": play["tile"], **({"end": ends[0]} if ends else {})}


async def begin(line: Line) -> str:
    """Open a table, sit in seat 0, and begin a match against three bots."""
    table = new_id()
    await line.ask("table.create", table, d={})
    await line.ask("table.start", table, d={"level": "random"})
    await line.until(lambda _: open_turn(line))
    return table


def fence_of(line: Line) -> int:
    """The fencing number of one's own seat, as the newest snapshot says."""
    fences = [frame["d"]["fence"] for frame in line.frames if frame["t"] == "snapshot"]
    return int(fences[-1])
