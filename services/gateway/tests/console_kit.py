"""A console in this process: real sockets, real gRPC to stand-ins, what is kept in memory."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx
from laelo.archive.v1 import archive_pb2
from laelo_common.ids import new_id
from laelo_gateway.accounts.development import DevelopmentIssuer
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.store import Identity
from laelo_gateway.accounts.wiring import development
from laelo_gateway.console.assembly import Parts, console
from laelo_gateway.console.house import House, Where
from laelo_gateway.console.store import Operator, Someone
from laelo_gateway.server import HttpServer
from laelo_gateway.testing import archive, tables, tournament
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.console import NOW, MemoryConsole
from laelo_gateway.testing.gateway import eventually

OLGA = Identity(DevelopmentIssuer.name, "olga")
FORM = re.compile(r'name="form" value="([0-9a-f]+)"')


class Clerk(Browser):
    """A browser that fills in the console's forms."""

    async def form(self, path: str = "/announcements") -> str:
        """What the forms of this session carry."""
        found = FORM.search((await self.http.get(path)).text)
        assert found
        return found[1]

    async def fill(self, path: str, _token: str | None = None, **fields: Any) -> httpx.Response:
        """Send a form, as a page of the console does."""
        data = {"form": await self.form() if _token is None else _token, **fields}
        return await self.http.post(path, data=data, headers={"origin": self.base})

    async def shown(self, path: str) -> str:
        """A page that is there."""
        answer = await self.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text


class World:
    """The console, and all that it asks."""

    def __init__(self) -> None:
        self.store = MemoryConsole()
        self.tables: tables.Replica
        self.cups: tournament.Tournaments
        self.shelf: archive.Shelf
        self.base = ""
        self._stack = AsyncExitStack()

    async def browser(self) -> Clerk:
        """Somebody who has not signed in."""
        clerk = Clerk(self.base)
        self._stack.push_async_callback(clerk.close)
        return clerk

    async def operator(self) -> Clerk:
        """Olga, signed in."""
        self.store.operators.setdefault(OLGA, Operator(new_id(), "Olga"))
        clerk = await self.browser()
        answer = await clerk.sign_in("olga")
        assert answer.status_code == 303, answer.text
        return clerk

    @property
    def olga(self) -> str:
        """Her id."""
        return self.store.operators[OLGA].id

    def add(self, name: str = "Ana", **more: Any) -> Someone:
        """Somebody with an account, unless more is said."""
        seen = NOW - timedelta(hours=1)
        values = {"kind": "account", "made_at": NOW - timedelta(days=9), "seen_at": seen, **more}
        someone = Someone(new_id(), name, **values)
        self.store.everybody[someone.id] = someone
        return someone

    def open_table(self, *lines: str, table: str = "", **story: Any) -> str:
        """A table, with a story of one commit."""
        table = table or new_id()
        self.tables.world.tables[table] = tables.Table(table)
        commit = archive_pb2.StoryCommit(version=1, time_ms=1, actor="person", lines=lines)
        self.shelf.stories[table] = archive_pb2.StoryResponse(commits=[commit], **story)
        return table

    def draw(self) -> tournament.Told:
        """A championship of eight that has just begun."""
        told = tournament.drawn(new_id(), [new_id() for _ in range(8)], 1_800_000_000_000)
        self.cups.put(told)
        return told

    async def close(self) -> None:
        """Let all browsers go."""
        await self._stack.aclose()


@asynccontextmanager
async def consoles() -> AsyncIterator[World]:
    """A console, once it can ask everybody."""
    world = World()
    doors = development(Site(proxies=1))
    async with (
        tables.replicas(1) as started,
        tournament.tournaments() as cups,
        archive.archives() as shelf,
    ):
        world.tables, world.cups, world.shelf = started[0], cups, shelf
        where = Where((started[0].address,), (cups.replicas[0].address,), (shelf.address,))
        house = House(where)
        http = HttpServer(
            console(Parts(world.store, house, doors, lambda: world.store.now), lambda: None)
        )
        world.base = f"http://127.0.0.1:{http.start('127.0.0.1', 0)}"
        following = [asyncio.create_task(channels.run()) for channels in house.services()]
        try:
            await eventually(lambda: all(channels.addresses for channels in house.services()))
            yield world
        finally:
            await world.close()
            await http.stop()
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)
            await house.close()
            assert doors.provider is not None
            await doors.provider.close()
