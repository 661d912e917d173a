"""The attack on the socket: cheats with clients of their own, hundreds of frames at a time."""

import asyncio
from collections import defaultdict
from typing import Any, Final

import msgspec
from laelo_common.errors import Code
from laelo_common.wire.client import ClientFrame

from tests.security.hostile.frames import Frames, Scene
from tests.security.hostile.tally import Tally
from tests.security.hostile.wire import PATIENCE, Wire, decode, noise, text_frame

VOLLEY: Final = 30
"""Frames between two questions whether all is answered."""
LIFE: Final = 60
"""Volleys of one connection."""
CLOSED_WITH: Final = frozenset({0, 1000, 1001, 1002, 1005, 1007, 1009, 4001, 4002, 4003, 4008})
"""1011, a fault of ours, is not among them; 999 and the like are not sent either."""

_frame: Final = msgspec.json.Decoder(ClientFrame).decode


class Asked:
    """By person, the commands that were well formed, and for what: only they may be done."""

    def __init__(self) -> None:
        self._by_person: defaultdict[str, list[Said]] = defaultdict(list)

    def belongs(self, said: "Said", person: str) -> None:
        """What is said on a connection is said by this person."""
        self._by_person[person].append(said)

    def kinds(self, person: str, command: str) -> set[str]:
        """For what a person used this id of a command; empty if they never did."""
        name = command.removeprefix(f"{person}-")
        return set().union(*(said.get(name, ()) for said in self._by_person.get(person, ())))


Said = dict[str, set[str]]
"""By id, the kinds of the frames that were sent under it."""


def note(said: Said, text: bytes) -> None:
    """Remember a frame that was sent, if it is one."""
    try:
        frame = _frame(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return
    name = getattr(frame, "id", "")
    if name and hasattr(frame, "table"):
        said.setdefault(name, set()).add(str(frame.__struct_config__.tag))


class Cheat:
    """One after the other: connects, says hello, mostly, and fires."""

    def __init__(self, port: int, scene: Scene, tally: Tally, asked: Asked) -> None:
        self._port = port
        self._scene = scene
        self._chance = scene.chance
        self._tally = tally
        self._asked = asked
        self._frames = Frames(scene.chance, scene)
        self._pongs: dict[float, asyncio.Event] = {}
        self._number = 0
        self._token = ""
        """Under which the cheat's own tables were opened."""
        self._said: Said = {}
        self._welcome = asyncio.Event()
        self._wire: Wire

    async def attack(self, until: int) -> None:
        """Fire until so many frames were sent by all."""
        while not self._is_done(until):
            await self._life(until)

    async def _life(self, until: int) -> None:
        chance = self._chance
        address = f"10.{chance.randrange(4)}.{chance.randrange(256)}.{chance.randrange(256)}"
        try:
            self._wire = await Wire.open(self._port, self._heard, address)
        except (ConnectionError, TimeoutError) as error:
            self._tally.fault(f"a socket could not be opened: {error!r}")
            return
        self._said, self._welcome = {}, asyncio.Event()
        try:
            if chance.random() < 0.9:
                await self._greet()
            for _ in range(LIFE):
                if self._wire.ended.done() or self._is_done(until):
                    break
                await self._volley()
            if chance.random() < 0.5 and not self._wire.ended.done():
                self._tally.count("noise")
                self._wire.send(noise(chance))
                await asyncio.sleep(0)
        finally:
            await self._wire.close()
        self._tally.answer("closed", self._wire.code)
        if self._wire.code not in CLOSED_WITH:
            self._tally.fault(f"a socket was closed with {self._wire.code}")

    def _is_done(self, until: int) -> bool:
        return self._tally.is_over or self._tally.sent["frames"] >= until

    async def _greet(self) -> None:
        hello: dict[str, Any] = {"proto": 1, "name": "Cheat"}
        dice = self._chance.random()
        if dice < 0.8 and self._token:
            hello["token"] = self._token
        elif dice < 0.9 and self._scene.tokens:
            hello["token"] = self._chance.choice(self._scene.tokens)
        self._tally.count("frames")
        self._wire.send(text_frame(msgspec.json.encode({"t": "hello", "id": "h", "d": hello})))
        await self._wait(self._welcome)

    async def _volley(self) -> None:
        frames = [self._frames.one() for _ in range(VOLLEY)]
        for frame in frames:
            note(self._said, frame)
        self._wire.send(b"".join(map(text_frame, frames)))
        self._tally.count("frames", len(frames))
        await self._settled()

    async def _settled(self) -> None:
        """Wait until all is answered that was sent, or the gateway hangs up."""
        self._number += 1
        mark = float(self._number)
        event = self._pongs[mark] = asyncio.Event()
        # Who is not welcome gets no pong, but a refusal with this id.
        self._wire.send(text_frame(b'{"t":"ping","d":{"client":%d}}' % self._number))
        self._wire.send(text_frame(b'{"t":"mark","id":"mark-%d"}' % self._number))
        await self._wait(event)
        self._pongs.pop(mark, None)

    async def _wait(self, event: asyncio.Event) -> None:
        """Until this happens or the connection is over."""
        waiting: asyncio.Future[Any] = asyncio.ensure_future(event.wait())
        both: set[asyncio.Future[Any]] = {waiting, self._wire.ended}
        done, _ = await asyncio.wait(both, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not done:
            self._tally.fault(f"no answer within {PATIENCE:g} s")

    def _heard(self, text: bytes) -> None:
        frame = decode(text)
        kind = frame["t"]
        if kind == "nack":
            self._refused(frame)
        elif kind == "welcome":
            me = frame["d"]["me"]
            self._asked.belongs(self._said, me["id"])
            self._welcome.set()
            if token := me.get("token"):
                self._scene.tokens.append(token)
                self._token = self._token or token
        elif kind in ("snapshot", "event"):
            self._scene.heard(frame)
        self._tally.answer("frame", kind)

    def _refused(self, frame: dict[str, Any]) -> None:
        code, re = frame["d"]["code"], frame.get("re") or ""
        if re.startswith("mark-") and re[5:].isdigit():
            event = self._pongs.get(float(re[5:]))
            if event is not None:
                event.set()
            return
        self._tally.answer("nack", code)
        if code not in Code.__members__ or code == Code.INTERNAL:
            self._tally.fault(f"a frame was refused with {frame['d']}")
