"""Something before every part that others connect to: it can be cut, held and slowed down.

A part is told to others at the address of its front, and who connects is known by whose socket
it is. So the wire between any two processes can be disturbed, and all others are left alone.
"""

import asyncio
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from tests.faults.nemesis.plan import PEOPLE, Kind
from tests.faults.nemesis.sockets import owner

CHUNK = 1 << 16
SLOW_SECONDS = 0.25
Pids = Callable[[], Mapping[str, int]]


class Fronts:
    """All fronts of a platform. `front` is what `Options.front` wants."""

    def __init__(self, pids: Pids) -> None:
        self._pids = pids
        self._servers: list[asyncio.Server] = []
        self._starting: list[asyncio.Task[None]] = []
        self._links: set[Link] = set()
        self._faults: dict[tuple[str, str], Kind] = {}
        self._mended = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for server in self._servers:
            server.close()
        self.mend_all()
        links = list(self._links)
        for link in links:
            link.abort()
        await asyncio.gather(*self._starting, *(link.over() for link in links))

    def front(self, name: str, address: str) -> str:
        """Stand before a part; where others are to be told that it is."""
        listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        listening.setblocking(False)
        self._starting.append(asyncio.ensure_future(self._serve(name, address, listening)))
        return f"127.0.0.1:{listening.getsockname()[1]}"

    def disturb(self, one: str, other: str, kind: Kind) -> None:
        """Begin to disturb the wire from a part to another; both may stand for several."""
        self._faults[one, other] = kind
        if kind is Kind.CUT:
            for link in list(self._links):
                if covers(one, link.client) and covers(other, link.server):
                    link.abort()

    def mend(self, one: str, other: str) -> None:
        """Let it be as before."""
        self._faults.pop((one, other), None)
        self._mended.set()
        self._mended = asyncio.Event()

    def mend_all(self) -> None:
        """Let all be as before."""
        for one, other in list(self._faults):
            self.mend(one, other)

    def fault(self, client: str, server: str) -> Kind | None:
        """What is done to a wire now."""
        for (one, other), kind in self._faults.items():
            if covers(one, client) and covers(other, server):
                return kind
        return None

    async def passable(self, client: str, server: str) -> None:
        """Wait until something may pass there."""
        while (kind := self.fault(client, server)) is Kind.HOLD:
            await self._mended.wait()
        if kind is Kind.DELAY:
            await asyncio.sleep(SLOW_SECONDS)

    async def _serve(self, name: str, address: str, listening: socket.socket) -> None:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._accept((name, address), reader, writer)

        self._servers.append(await asyncio.start_server(accept, sock=listening))

    async def _accept(
        self,
        server: tuple[str, str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        name, address = server
        here, there = writer.get_extra_info("sockname")[1], writer.get_extra_info("peername")[1]
        client = owner(there, here, {**self._pids(), PEOPLE: os.getpid()})
        if self.fault(client, name) is Kind.CUT:
            writer.transport.abort()
            return
        host, _, port = address.rpartition(":")
        try:
            upstream, back = await asyncio.open_connection(host, int(port))
        except OSError:
            writer.transport.abort()
            return
        link = Link(self, (client, name), writer, back)
        self._links.add(link)
        try:
            await link.carry(reader, upstream)
        finally:
            self._links.discard(link)


class Link:
    """A connection that goes through a front."""

    def __init__(
        self,
        fronts: Fronts,
        ends: tuple[str, str],
        near: asyncio.StreamWriter,
        far: asyncio.StreamWriter,
    ) -> None:
        self.client, self.server = ends
        self._fronts = fronts
        self._near, self._far = near, far
        self._over = asyncio.Event()

    def abort(self) -> None:
        """End both sides."""
        self._near.transport.abort()
        self._far.transport.abort()

    async def over(self) -> None:
        """Wait until both sides have ended."""
        await self._over.wait()

    async def carry(self, near: asyncio.StreamReader, far: asyncio.StreamReader) -> None:
        """Pass bytes until one side ends."""
        try:
            await asyncio.gather(self._way(near, self._far), self._way(far, self._near))
        finally:
            self.abort()
            self._over.set()

    async def _way(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):  # an end like any other
            while data := await source.read(CHUNK):
                await self._fronts.passable(self.client, self.server)
                sink.write(data)
                await sink.drain()
        await self._fronts.passable(self.client, self.server)
        self.abort()


def covers(name: str, part: str) -> bool:
    """Whether a name means this part, alone or with others of its service."""
    return name == part or part.startswith(f"{name}-")
