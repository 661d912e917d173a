"""A wire to a server that can be cut at a chosen moment."""

import asyncio
from types import TracebackType
from typing import Self

_CHUNK = 1 << 16


class Proxy:
    """Passes bytes between clients and one server on this machine.

    `hold_after(mark)`: once a client has sent something with `mark` in it, the server still
    gets it, but no answer comes through any more. `cut` ends all connections and refuses
    new ones until `mend`.
    """

    def __init__(self, port: int) -> None:
        self._target = port
        self._mark: bytes | None = None
        self._held = False
        self._is_cut = False
        self._server: asyncio.Server | None = None
        self._links: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        """Where clients connect."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._passing, return_exceptions=True)

    def hold_after(self, mark: bytes) -> None:
        """Let no answer through after the next message with this in it."""
        self._mark = mark

    def cut(self) -> None:
        """End all connections."""
        self._is_cut = True
        for link in list(self._links):
            link.transport.abort()

    def mend(self) -> None:
        """Let clients connect again."""
        self._is_cut, self._held, self._mark = False, False, None

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        self._links |= {writer, back}
        for task in (self._pass(reader, back, up=True), self._pass(there, writer, up=False)):
            passing = asyncio.ensure_future(task)
            self._passing.add(passing)
            passing.add_done_callback(self._passing.discard)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, up: bool
    ) -> None:
        try:
            while data := await reader.read(_CHUNK):
                if up and self._mark is not None and self._mark in data:
                    self._held = True
                if up or not self._held:
                    writer.write(data)
                    await writer.drain()
        except ConnectionError:
            return
        finally:
            self._links.discard(writer)
            writer.transport.abort()
