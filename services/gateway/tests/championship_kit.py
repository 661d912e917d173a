"""Clients without sockets, for tests of championships at the gateway."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id
from laelo_common.telemetry import OFF, Telemetry
from laelo_gateway.championships.assembly import Championships, Where
from laelo_gateway.counts import Counts
from laelo_gateway.domain.commands import Person, Sender
from laelo_gateway.testing.matchmaking import Matchmaker
from laelo_gateway.testing.tournament import Tournaments

PATIENCE = 20.0


class Window:
    """A client that keeps what it is sent."""

    def __init__(self, person: Person) -> None:
        self.sender = Sender(person)
        self.texts: list[bytes] = []

    def write(self, frame: bytes) -> None:
        start = {126: 4, 127: 10}.get(frame[1], 2)
        self.texts.append(frame[start:])

    def send(self, text: bytes) -> None:
        self.texts.append(text)

    @property
    def frames(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(text) for text in self.texts]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [frame["d"] for frame in self.frames if frame["t"] == kind]

    def answer(self, re: str) -> dict[str, Any] | None:
        return next((frame for frame in self.frames if frame.get("re") == re), None)


def member(name: str = "Ana", player: str = "") -> Window:
    return Window(Person(player or new_id(), name, guest=False))


def guest() -> Window:
    return Window(Person(new_id(), "Visita 1000"))


class KnownNames:
    """A `NameStore` in memory that can be away."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.is_away = False
        self.asked = 0

    async def names(self, persons: Collection[str]) -> Mapping[str, str]:
        self.asked += 1
        if self.is_away:
            raise LaeloError(Code.TRY_LATER)
        return {player: self.known[player] for player in persons if player in self.known}


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - conditions of all kinds
            await asyncio.sleep(0.005)


async def asked(parts: Championships, window: Window, frame: Any) -> dict[str, Any]:
    """Send a frame; its answer, or nothing if there is none when all is done."""
    parts.hall.handle(window, frame)
    await until(lambda: window.answer(frame.id) or not parts.hall.is_busy)
    return window.answer(frame.id) or {}


@asynccontextmanager
async def hall_of(
    queue: Matchmaker | None = None,
    cups: Tournaments | None = None,
    names: KnownNames | None = None,
    telemetry: Telemetry = OFF,
) -> AsyncIterator[Championships]:
    """Championships at one gateway, connected to these services."""
    where = Where(
        tuple(replica.address for replica in queue.replicas) if queue else (),
        tuple(replica.address for replica in cups.replicas) if cups else (),
    )
    parts = Championships(where, names or KnownNames(), Counts(), telemetry=telemetry)
    tasks = [asyncio.create_task(work, name=name) for work, name in parts.work()]
    try:
        if queue:
            await until(lambda: parts.matchmaking.replicas_up == len(queue.replicas))
        if cups:
            await until(lambda: parts.tournament.is_live)
        yield parts
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await parts.close()
