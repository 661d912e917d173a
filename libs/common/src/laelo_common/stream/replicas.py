"""The replicas of a service: who they are now, and one stream to each."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Self, TypeVar

from laelo_common.stream.client import CoalescedClient
from laelo_common.stream.frames import Item

Q = TypeVar("Q", bound=Item)
R = TypeVar("R", bound=Item)

_log = logging.getLogger(__name__)

Resolve = Callable[[], Awaitable[Sequence[str]]]
"""The addresses (`host:port`) of all replicas, as they are now. Raises OSError."""

Connect = Callable[[str], CoalescedClient[Q, R]]
"""A client for an address, not started."""


def addresses(setting: str) -> Resolve:
    """What a setting means: a list `host:port,host:port`, or `dns:name:port`.

    A name is resolved again and again, each address it gives is a replica (a headless
    service in Kubernetes). Raises ValueError if it is neither.
    """
    if setting.startswith("dns:"):
        host, port = _split(setting.removeprefix("dns:"))
        return lambda: _resolved(host, port)
    fixed = tuple(part.strip() for part in setting.split(",") if part.strip())
    if not fixed:
        raise ValueError("no address: host:port,host:port or dns:name:port is wanted")
    for address in fixed:
        _split(address)

    async def same() -> Sequence[str]:
        return fixed

    return same


def _split(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(f"{address!r} is no host:port")
    return host, int(port)


async def _resolved(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    hosts = {str(entry[4][0]) for entry in found}
    return sorted(f"[{ip}]:{port}" if ":" in ip else f"{ip}:{port}" for ip in hosts)


class Replicas(Generic[Q, R]):
    """Keeps one stream to every replica, also as replicas come and go.

    The owner of this set chooses among `clients` (by address); `on_change` tells it that
    the addresses are others now. Use as `async with`, or `start` and `close`.
    """

    def __init__(
        self,
        resolve: Resolve,
        connect: Connect[Q, R],
        *,
        refresh: float = 1.0,
        on_change: Callable[[], None] = lambda: None,
        on_removed: Callable[[CoalescedClient[Q, R]], None] = lambda _: None,
    ) -> None:
        self._resolve = resolve
        self._connect = connect
        self._refresh = refresh
        self._on_change = on_change
        self._on_removed = on_removed
        self._task: asyncio.Task[None] | None = None
        self.clients: dict[str, CoalescedClient[Q, R]] = {}

    async def start(self) -> Self:
        """Resolve once and begin to connect, then follow what changes."""
        await self._update()
        self._task = asyncio.create_task(self._follow(), name="stream-replicas")
        return self

    async def close(self) -> None:
        """Close every stream."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        clients, self.clients = list(self.clients.values()), {}
        await asyncio.gather(*(client.close() for client in clients))

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def up(self) -> list[str]:
        """Addresses with an open stream."""
        return [address for address, client in self.clients.items() if client.is_up]

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(self._refresh)
            await self._update()

    async def _update(self) -> None:
        try:
            now = set(await self._resolve())
        except OSError as error:
            # Who was there a moment ago is the best guess while names can't be resolved.
            _log.warning("replicas cannot be looked up: %s", error)
            return
        before = set(self.clients)
        if not now or now == before:
            return
        for address in sorted(now - before):
            self.clients[address] = self._connect(address).start()
        gone = [self.clients.pop(address) for address in sorted(before - now)]
        self._on_change()
        for client in gone:
            self._on_removed(client)
        await asyncio.gather(*(client.close() for client in gone))
