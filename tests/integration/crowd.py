"""People with accounts who come to championships, and what the services say of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Self

import grpc.aio
import httpx
from laelo.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc
from laelo.tournament.v1 import tournament_pb2, tournament_pb2_grpc
from laelo_bots.domain.levels import Level
from laelo_tools.bots.player import Player, Style, Ticket
from laelo_tools.bots.tickets import Person, enrol
from laelo_tools.championships.verify import Report, verify
from laelo_tools.history.source import histories
from laelo_tools.load.visitor import Frame
from laelo_tools.platform import Platform

PATIENCE_SECONDS = 120.0
AGAIN_SECONDS = 0.05
QUICK = Style(Level.RANDOM)

Hear = Callable[[str, bytes, Frame], None]
"""Called with the name of who hears it, and the frame."""


class Member(Player):
    """A person who plays by themselves, and can be asked what their browser would ask."""

    def __init__(self, ticket: Ticket, subject: str, seed: int, hear: Hear, style: Style) -> None:
        super().__init__(ticket, style, seed, lambda text, frame: hear(ticket.name, text, frame))
        self.subject = subject
        self.http = ticket.urls[0].replace("ws", "http", 1).removesuffix("/ws")
        self.cookie = ticket.cookie

    @property
    def ahead(self) -> int | None:
        """How many wait before this one."""
        return self.queue.get("ahead")

    async def get(self, path: str) -> Any:
        """What an address answers to this person."""
        return await get(self.http, path, self.cookie)

    async def delete_account(self) -> httpx.Response:
        """Ask for it."""
        async with browser() as http:
            headers = {"cookie": self.cookie, "origin": self.http}
            address = f"{self.http}/api/account"
            return await http.request("DELETE", address, headers=headers, json={})


class Crowd:
    """Signs people in, and keeps them connected until the end."""

    def __init__(self, platform: Platform, prefix: str) -> None:
        self.members: list[Member] = []
        self._platform = platform
        self._prefix = prefix
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def come(
        self, number: int, hear: Hear = lambda *_: None, style: Style = QUICK
    ) -> list[Member]:
        """So many more people sign in and connect, to one gateway or another."""
        first = len(self.members)
        numbers = range(first, first + number)
        people = [Person(f"{self._prefix}-{n}", f"{self._prefix} {n + 1}") for n in numbers]
        gateways = [at for name, at in self._platform.addresses.items() if "gateway" in name]
        tickets = await enrol(self._platform.url, people, [f"http://{at}" for at in gateways[1:]])
        for n, person, ticket in zip(numbers, people, tickets, strict=True):
            at = n % len(ticket.urls)
            turned = ticket._replace(urls=[*ticket.urls[at:], *ticket.urls[:at]])
            member = Member(turned, person.subject, n, hear, style)
            self.members.append(await self._stack.enter_async_context(member))
        return self.members[first:]


async def join_in_turn(members: Sequence[Member]) -> None:
    """Join one after another, so that the order of the queue is known."""
    for member in members:
        await member.join()


async def ended(members: Sequence[Member]) -> None:
    """Wait until it is over altogether, and all of them know."""
    waits = (
        m.until(lambda m=m: m.bracket and m.bracket["stage"] != "running", PATIENCE_SECONDS)  # type: ignore[misc]
        for m in members
    )
    await asyncio.gather(*waits)


def browser() -> httpx.AsyncClient:
    """For requests over HTTP, past any proxy of the machine."""
    return httpx.AsyncClient(trust_env=False, timeout=20.0)


async def get(url: str, path: str, cookie: str = "") -> Any:
    """What an address answers, as JSON."""
    async with browser() as http:
        answer = await http.get(url + path, headers={"cookie": cookie} if cookie else {})
        answer.raise_for_status()
        return answer.json()


async def eventually(true: Callable[[], Awaitable[object]]) -> None:
    """Ask until it is true."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            if await true():
                return
            await asyncio.sleep(AGAIN_SECONDS)


# The services, as operators see them.


@asynccontextmanager
async def _channel(platform: Platform, name: str) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc.aio.insecure_channel(platform.addresses[name]) as channel:
        yield channel


async def queue(platform: Platform, replica: int = 1) -> matchmaking_pb2.ShowResponse:
    """The queue, as a replica has it."""
    async with _channel(platform, f"matchmaking-{replica}") as channel:
        stub = matchmaking_pb2_grpc.MatchmakingServiceStub(channel)
        return await stub.Show(matchmaking_pb2.ShowRequest())


async def championship(platform: Platform, name: str) -> tournament_pb2.GetResponse:
    """A championship and who is who in it, as only the gateway may know."""
    async with _channel(platform, "tournament-1") as channel:
        stub = tournament_pb2_grpc.TournamentServiceStub(channel)
        return await stub.Get(tournament_pb2.GetRequest(championship=name))


async def checked(platform: Platform, name: str) -> Report:
    """What `laelo championships verify` finds."""
    async with histories(platform.nats_url) as log:
        return await verify(name, await log.championship(name), log.of)


async def nobody_in_limbo(platform: Platform) -> None:
    """Wait until every replica of matchmaking has released everybody."""

    async def free() -> bool:
        replicas = [name for name in platform.addresses if name.startswith("matchmaking-")]
        shown = [await queue(platform, n) for n, _ in enumerate(replicas, start=1)]
        return all(not s.busy and not s.pending for s in shown)

    await eventually(free)
