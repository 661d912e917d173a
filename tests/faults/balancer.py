"""One address for several gateways, and connections that nobody closes."""

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

_CHUNK = 1 << 16


class Balancer:
    """Passes each connection on to the first server that answers.

    After `swallow`, what comes from either side of the connections that there are is taken
    and lost, and a side that closes is not told of to the other: they are half open.
    """

    def __init__(self, addresses: Sequence[str]) -> None:
        self._targets = [address.rpartition(":") for address in addresses]
        self._server: asyncio.Server | None = None
        self._pairs: list[Pair] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where clients connect."""
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"http://{host}:{port}"

    @property
    def pairs(self) -> "list[Pair]":
        """All connections that there were."""
        return list(self._pairs)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=1024)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for pair in self._pairs:
            pair.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def swallow(self) -> None:
        """Make all connections that there are half open."""
        for pair in self._pairs:
            pair.swallows = True

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for host, _, port in self._targets:
            try:
                there, back = await asyncio.open_connection(host, int(port))
            except OSError:
                continue
            pair = Pair(writer, back)
            self._pairs.append(pair)
            for source, sink in ((reader, back), (there, writer)):
                task = asyncio.create_task(pair.carry(source, sink))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            return
        writer.transport.abort()


class Pair:
    """A client's connection, and that to the server."""

    def __init__(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self._ends = (client, server)
        self.swallows = False
        self.let_go_by_server = asyncio.Event()
        """The server has ended its side."""

    async def carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """One way of the two."""
        try:
            while data := await source.read(_CHUNK):
                if not self.swallows:
                    sink.write(data)
                    await sink.drain()
        except ConnectionError:
            pass  # the same as an end
        if sink is self._ends[0]:
            self.let_go_by_server.set()
        if not self.swallows:
            self.abort()

    def abort(self) -> None:
        """End both."""
        for end in self._ends:
            end.transport.abort()
