"""Calls spread over all replicas of a stateless service; none fails while one replica lives."""

import asyncio
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from laelo_common.metrics import Metrics
from laelo_common.stream.client import CoalescedClient, Method, Settle, as_future
from laelo_common.stream.counts import ClientCounts
from laelo_common.stream.dial import Dial, plain
from laelo_common.stream.frames import FrameFactory, Item
from laelo_common.stream.options import (
    ClientLimits,
    Closed,
    Hooks,
    Overloaded,
    StreamError,
    Timeout,
)
from laelo_common.stream.replicas import Replicas, Resolve

Q = TypeVar("Q", bound=Item)
R = TypeVar("R", bound=Item)


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How patient a pool is; times in seconds. `client.timeout` is for all tries together."""

    client: ClientLimits = ClientLimits()
    patience: float = 0.25
    """Without an answer for so long, another replica is asked too."""
    refresh: float = 1.0
    """Between two looks at who the replicas are."""


class _Call:
    """One request on its way from replica to replica."""

    __slots__ = ("asked", "deadline", "item", "pool", "settle", "timeout")

    def __init__(self, pool: "Pool[Any, Any]", item: Any, settle: Settle, timeout: float) -> None:
        self.pool = pool
        self.item = item
        self.settle = settle
        self.timeout = timeout
        self.deadline = pool.loop.time() + timeout
        self.asked: CoalescedClient[Any, Any] | None = None

    def answered(self, reply: Any, error: StreamError | None) -> None:
        """A try is over: settle, or try elsewhere."""
        if error is None:
            self.settle(reply, None)
            return
        try:
            self.pool.route(self)
        except StreamError as last:
            self.settle(None, last)


class Pool(Generic[Q, R]):
    """Asks a stateless service, one replica after the other.

    What is pending at a replica that dies is asked at another at once; what a replica does
    not answer in time, at another too. So what is asked may be done twice: only for
    services that keep nothing between calls. Use as `async with`, or `start` and `close`.
    """

    def __init__(
        self,
        resolve: Resolve,
        method: Method,
        frame_type: FrameFactory,
        *,
        limits: PoolLimits = PoolLimits(),
        dial: Dial = plain,
    ) -> None:
        self.counts = ClientCounts()
        self.loop = asyncio.get_running_loop()
        self._method = method
        self._frame_type = frame_type
        self._limits = limits
        self._dial = dial
        self._replicas: Replicas[Q, R] = Replicas(
            resolve,
            self._connect,
            refresh=limits.refresh,
            on_change=self._count,
            on_removed=_move,
        )
        self._ready: list[CoalescedClient[Q, R]] = []
        self._next = 0
        self._closed = False

    async def start(self) -> Self:
        """Look the replicas up and begin to connect."""
        await self._replicas.start()
        return self

    async def close(self) -> None:
        """Close every stream; what is pending settles with Closed."""
        self._closed = True
        await self._replicas.close()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def up(self) -> list[str]:
        """Addresses of the replicas that can be asked."""
        return self._replicas.up

    @property
    def pending(self) -> int:
        """How many requests wait for an answer."""
        return sum(client.pending for client in self._replicas.clients.values())

    def show(self, metrics: Metrics, to: str) -> None:
        """Show what happens on the streams to a service of this name."""
        self.counts.show(metrics, to, lambda: self.pending, lambda: len(self.up))

    def request(self, item: Q, timeout: float | None = None) -> "asyncio.Future[R]":
        """Ask, and await the reply. As `CoalescedClient.request`."""
        return as_future(self.loop, self.ask, item, timeout)

    def ask(self, item: Q, settle: Settle, timeout: float | None = None) -> None:
        """Ask; `settle` gets the reply or the error. As `CoalescedClient.ask`."""
        seconds = self._limits.client.timeout if timeout is None else timeout
        self.route(_Call(self, item, settle, seconds))

    def route(self, call: _Call) -> None:
        """Ask the next replica, or raise a StreamError. For calls of this pool only."""
        if self._closed:
            raise Closed
        left = call.timeout
        if call.asked is not None:
            left = call.deadline - self.loop.time()
            if left <= 0:
                raise Timeout(call.timeout)
        patience = min(self._limits.patience, left)
        full: Overloaded | None = None
        for client in self._order(call.asked):
            try:
                client.ask(call.item, call.answered, patience)
            except Overloaded as error:
                full = error
            else:
                call.asked = client
                return
        raise full or Timeout(call.timeout)

    def _order(self, asked: CoalescedClient[Q, R] | None) -> list[CoalescedClient[Q, R]]:
        """All that are up, from the next one on, the one just asked last.

        While none is up, any: it is asked as soon as it is.
        """
        clients = self._ready or list(self._replicas.clients.values())
        if len(clients) == 1:
            return clients
        self._next += 1
        start = self._next % len(clients) if clients else 0
        order = clients[start:] + clients[:start]
        if asked in order and len(order) > 1:
            order.remove(asked)
            order.append(asked)
        return order

    def _connect(self, address: str) -> CoalescedClient[Q, R]:
        def down() -> None:
            self._count()
            client = self._replicas.clients.get(address)
            if client is not None:
                _move(client)

        return CoalescedClient(
            lambda: self._dial(address),
            self._method,
            self._frame_type,
            limits=self._limits.client,
            hooks=Hooks(on_up=self._count, on_down=down, counts=self.counts),
        )

    def _count(self) -> None:
        self._ready = [client for client in self._replicas.clients.values() if client.is_up]


def _move(client: CoalescedClient[Any, Any]) -> None:
    """End the tries at a replica; each call then asks another."""
    for pending in client.take_pending():
        pending.settle(None, Closed())
