"""A whole gateway in this process: real sockets, real gRPC, people in memory."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from laelo_common.errors import Code, LaeloError
from laelo_common.telemetry import Telemetry
from websockets.asyncio.client import ClientConnection, connect

from laelo_gateway.accounts.api import Ties
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.store import AccountStore
from laelo_gateway.accounts.wiring import Accounts, Doors, accounts_of, development
from laelo_gateway.adapters.addresses import Addresses
from laelo_gateway.adapters.tables import StreamLink
from laelo_gateway.adapters.unary import UnaryLink
from laelo_gateway.adapters.websocket import Endpoint, WebSocketProtocol
from laelo_gateway.api import TablesByCode
from laelo_gateway.bots.desk import Bots
from laelo_gateway.bots.pages import BotPages, Door
from laelo_gateway.builds import Builds
from laelo_gateway.championships.api import ChampionshipPages
from laelo_gateway.championships.assembly import Championships, Where
from laelo_gateway.connection import House
from laelo_gateway.counts import Counts
from laelo_gateway.domain.commands import Person
from laelo_gateway.hub import Hub
from laelo_gateway.limits import Limiters, Limits
from laelo_gateway.lookups import Lookups
from laelo_gateway.naming import NamedLink
from laelo_gateway.orders.desk import Orders
from laelo_gateway.origin import Origins
from laelo_gateway.pages import Pages
from laelo_gateway.people import People
from laelo_gateway.quick import QuickPlay
from laelo_gateway.replays.assembly import Replays
from laelo_gateway.replays.viewers import Viewers
from laelo_gateway.server import HttpServer, application
from laelo_gateway.sockets import Sockets
from laelo_gateway.testing.accounts import MemoryAccounts
from laelo_gateway.testing.bots import MemoryBots
from laelo_gateway.testing.orders import MemoryOrders

PATIENCE = 20.0
PROXIES = 1
"""Clients may say where they come from, by X-Forwarded-For."""
_ids = itertools.count(1)


class MemoryPeople:
    """A store of people that can be away."""

    def __init__(self) -> None:
        self.people: dict[bytes, Person] = {}
        self.taken: set[str] = set()
        self.is_away = False

    def _check(self) -> None:
        if self.is_away:
            raise LaeloError(Code.TRY_LATER, "away")

    async def add_guest(self, person: Person, language: str, token_hash: bytes) -> None:
        """Keep a guest."""
        self._check()
        self.people[token_hash] = person

    async def find(self, token_hash: bytes) -> Person | None:
        """Whose token this is."""
        self._check()
        return self.people.get(token_hash)

    async def names(self, persons: Collection[str]) -> Mapping[str, str]:
        """The names of those who have an account."""
        self._check()
        known = self.people.values()
        return {p.id: p.name for p in known if p.id in persons and p.name and not p.guest}

    async def is_taken(self, name_key: str) -> bool:
        """Whether an account has such a name."""
        self._check()
        return name_key in self.taken

    async def rename(self, person: Person) -> None:
        """Keep a new name."""
        self._check()
        for token_hash, known in self.people.items():
            if known.id == person.id:
                self.people[token_hash] = person


async def eventually(condition: Callable[[], Any]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - conditions of all kinds
            await asyncio.sleep(0.005)


class Player:
    """A client: sends frames, keeps those that come."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[dict[str, Any]] = []
        self.me: dict[str, Any] = {}

    async def send(self, t: str, **frame: Any) -> str:
        """Send a frame under a fresh id, or under `id`; the id."""
        frame.setdefault("id", f"c{next(_ids)}")
        await self.socket.send(json.dumps({"t": t, **frame}))
        return str(frame["id"])

    async def next(self, accept: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The next frame that is accepted; those before it are kept too."""
        async with asyncio.timeout(PATIENCE):
            while True:
                frame: dict[str, Any] = json.loads(await self.socket.recv())
                self.frames.append(frame)
                if accept(frame):
                    return frame

    async def ask(self, t: str, **frame: Any) -> dict[str, Any]:
        """Send a frame; the frame that answers it."""
        return await self.answer(await self.send(t, **frame))

    async def answer(self, re: str) -> dict[str, Any]:
        """The next frame that answers `re`."""
        return await self.next(lambda frame: frame.get("re") == re)

    async def reach(self, seq: int) -> None:
        """Read on until a table's frame with this number, or a later one, has come."""
        if not any(_shows(frame, seq) for frame in self.frames):
            await self.next(lambda frame: _shows(frame, seq))

    def events(self) -> list[int]:
        """Numbers of the events that came."""
        return [frame["seq"] for frame in self.frames if frame["t"] == "event"]


def _shows(frame: dict[str, Any], seq: int) -> bool:
    return frame["t"] in ("event", "snapshot") and frame["seq"] >= seq


class Gateway:
    """The parts of a gateway, and clients of it."""

    def __init__(
        self, house: House, people: MemoryPeople, link: StreamLink | UnaryLink, port: int
    ) -> None:
        self.house = house
        self.people = people
        self.link = link
        self.championships: Championships
        self.replays: Replays
        self.bots: Bots
        self.sockets: Sockets
        self.http: HttpServer
        self.accounts: Accounts
        self.book: MemoryOrders
        self.port = port
        self._stack = AsyncExitStack()

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"ws://127.0.0.1:{self.port}/ws"

    async def connect(self, **options: Any) -> Player:
        """A client that has not said hello."""
        connecting = connect(self.url, proxy=None, max_queue=None, compression=None, **options)
        return Player(await self._stack.enter_async_context(connecting))

    async def join(self, **hello: Any) -> Player:
        """A client that is welcome."""
        player = await self.connect()
        welcome = await player.ask("hello", d={"proto": 1, **hello})
        player.me = welcome["d"]["me"]
        return player

    async def close(self) -> None:
        """Let all clients go."""
        await self._stack.aclose()


class Signing(NamedTuple):
    """With whom people sign in (None: the development provider), where they are kept, and what
    ties them (None: what the gateway knows).
    """

    doors: Doors | None = None
    store: AccountStore | None = None
    ties: Ties | None = None


@asynccontextmanager
async def gateway_of(  # noqa: PLR0913 - each has a default
    addresses: Sequence[str],
    *,
    limits: Limits = Limits(),  # noqa: B008
    origins: tuple[str, ...] = (),
    dist: Path | None = None,
    unary: bool = False,
    telemetry: Telemetry = Telemetry(),  # noqa: B008
    where: Where = Where(),  # noqa: B008
    archives: Sequence[str] = (),
    signing: Signing = Signing(),  # noqa: B008
) -> AsyncIterator[Gateway]:
    """A gateway to these replicas, once it can ask all of them."""
    counts = Counts()
    people = MemoryPeople()
    found = Addresses(addresses)
    link: StreamLink | UnaryLink = UnaryLink(found) if unary else StreamLink(found)
    limiters = Limiters(limits)
    pages = Pages(dist)
    builds = Builds(pages)
    doors = signing.doors or development(Site(proxies=PROXIES))
    store = signing.store or MemoryAccounts(people)
    cups = Championships(where, store, counts)
    named = NamedLink(link, cups.names)
    hub = Hub(named, counts)
    lookups, quick = Lookups(named, limiters, hub), QuickPlay(named, limiters)
    hub.expect(cups.cups.has_called_to)
    accounts = accounts_of(doors, store, limiters, signing.ties or cups.membership)
    sessions = accounts.sessions
    guests, orders = People(people), Orders(book := MemoryOrders())
    replays = Replays(archives, cups.names, Viewers(accounts.api.person_of, guests), PROXIES)
    house = House(
        hub,
        guests,
        lookups,
        quick,
        limiters,
        counts,
        telemetry,
        builds,
        sessions,
        cups.hall,
        orders,
    )
    sockets = Sockets(house)
    sessions.listen(sockets)
    orders.listen(sockets, cups.membership.send_away)
    bots = Bots(MemoryBots(people), sockets)
    door = Door(doors.site, limiters.accounts, accounts.api.person_of)
    endpoint = Endpoint(sockets.accept, Origins(origins), counts.drop, PROXIES)
    app = application(
        pages,
        TablesByCode(lookups, PROXIES),
        lambda: None if link.is_up else "no table server answers",
        [
            *BotPages(bots, door).routes(),
            *accounts.routes,
            *ChampionshipPages(cups, accounts.api.person_of, PROXIES).routes(),
            *replays.routes(),
        ],
        secure=doors.site.is_secure,
    )
    http = HttpServer(app, WebSocketProtocol.serving(endpoint))
    gateway = Gateway(house, people, link, http.start("127.0.0.1", 0))
    gateway.sockets, gateway.http, gateway.championships = sockets, http, cups
    gateway.accounts, gateway.replays, gateway.bots, gateway.book = accounts, replays, bots, book
    tasks = [asyncio.create_task(work) for work in (link.run(), sockets.run())]
    tasks += [
        asyncio.create_task(work, name=name) for work, name in (*cups.work(), *replays.work())
    ]
    try:
        if addresses:
            await eventually(lambda: len(link.ready) == len(addresses))
        yield gateway
    finally:
        await gateway.close()
        await http.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if doors.provider is not None:
            await doors.provider.close()
        await quick.close()
        await cups.close()
        await replays.close()
        await named.close()
        await link.close()
