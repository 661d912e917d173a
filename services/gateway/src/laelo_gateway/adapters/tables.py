"""The way to the table service: one stream to every replica, and a table's home among them.

A command goes to the home of its table (rendezvous hash over the ready replicas), and
after a second without an answer, or at once when the stream breaks or the replica cannot tell
what the table's log means, to the next in the order: with the same command id, so it is done once.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from typing import Any, Final

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.hashing import home_order
from laelo_common.metrics import Metrics
from laelo_common.stream import ClientCounts, ClientLimits, Dial, StreamError, plain

from laelo_gateway.adapters import lookups
from laelo_gateway.adapters.addresses import Addresses
from laelo_gateway.adapters.replicas import LIMITS, Replica, Way
from laelo_gateway.link import Home, Listener, Nobody, Settle

ANSWER_SECONDS: Final = 1.0
"""For one replica."""
GIVE_UP_SECONDS: Final = 4.5
"""For all of them: the client is told within 5 s."""
AGAIN_SECONDS: Final = 0.1
RESOLVE_SECONDS: Final = 2.0
LEAVING_SECONDS: Final = 5.0
"""For which a replica that is no longer listed is kept, so that its tables can move."""

_log = logging.getLogger(__name__)


class StreamLink:
    """A `TableLink` over coalesced streams."""

    def __init__(
        self, addresses: Addresses, limits: ClientLimits = LIMITS, *, dial: Dial = plain
    ) -> None:
        self._addresses = addresses
        self._listener: Listener = Nobody()
        self._replicas: dict[str, Replica] = {}
        self._ready: frozenset[str] = frozenset()
        self._closing: set[asyncio.Task[None]] = set()
        self._counts = ClientCounts()
        self._way = Way(limits, dial, self._counts)
        self.loop = asyncio.get_running_loop()
        self.is_closed = False

    def listen(self, listener: Listener) -> None:
        """Tell this one from now on."""
        self._listener = listener

    @property
    def is_up(self) -> bool:
        """Whether any replica can be asked."""
        return bool(self._ready)

    @property
    def ready(self) -> frozenset[str]:
        """Addresses of the replicas that can be asked."""
        return self._ready

    def register(self, metrics: Metrics) -> None:
        """Show what happens on the streams."""
        self._counts.show(metrics, "table", lambda: self.pending, lambda: len(self._ready))

    @property
    def pending(self) -> int:
        """How many commands wait for an answer."""
        return sum(replica.stream.pending for replica in self._replicas.values())

    def home(self, table: str) -> Home | None:
        """Where the table is at home now."""
        order = home_order(table, self._ready)
        return Home(order[0], self._replicas[order[0]].life) if order else None

    def ask(self, command: table_pb2.Command, settle: Settle) -> None:
        """Ask the home, then the others, until one answers or the time is over."""
        Question(self, command, settle).ask()

    def tell(self, command: table_pb2.Command, home: Home | None) -> None:
        """Say something that needs no answer, to that home if it still lives."""
        replica = None if home is None else self._replicas.get(home.replica)
        if replica is not None and home is not None and replica.life == home.life:
            replica.stream.tell(command)

    def tell_all(self, command: table_pb2.Command, but: Home | None = None) -> None:
        """Say something that needs no answer to every replica, except that home."""
        for replica in self._replicas.values():
            if but is None or but != Home(replica.address, replica.life):
                replica.stream.tell(command)

    async def find(self, code: str) -> table_pb2.FindResponse | None:
        """The table behind a code."""
        return await lookups.find(self._stubs(code), code)

    async def waiting(self) -> Sequence[table_pb2.FindResponse]:
        """Public tables that wait for players."""
        return await lookups.waiting(self._stubs(""))

    def _stubs(self, key: str) -> list[Any]:
        return [self._replicas[address].stub for address in home_order(key, self._ready)]

    def candidates(self, table: str) -> Iterator[Replica]:
        """The ready replicas, in the order in which they are to be asked."""
        return map(self._replicas.__getitem__, home_order(table, self._ready))

    async def run(self) -> None:
        """Follow the addresses of the replicas for ever."""
        while True:
            await self.resolve()
            await asyncio.sleep(RESOLVE_SECONDS)

    async def resolve(self) -> None:
        """Look where the replicas are now; connect to new ones, let go of those that left."""
        found = await self._addresses.resolve()
        for address in found - self._replicas.keys():
            replica = Replica(address, self._push, self._changed, self._way)
            self._replicas[address] = replica
            replica.start()
        for address, replica in list(self._replicas.items()):
            if replica.leave(address not in found):
                self._changed()
                self.loop.call_later(LEAVING_SECONDS, self._let_go, replica)

    def _let_go(self, replica: Replica) -> None:
        """Close a replica, unless it is listed again."""
        if not replica.is_leaving or self._replicas.get(replica.address) is not replica:
            return
        del self._replicas[replica.address]
        task = asyncio.create_task(replica.close(), name="table-close")
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        self._changed()

    async def close(self) -> None:
        """Let go of all replicas."""
        self.is_closed = True
        replicas, self._replicas = list(self._replicas.values()), {}
        self._ready = frozenset()
        await asyncio.gather(*(replica.close() for replica in replicas), *self._closing)

    def _push(self, update: table_pb2.Update) -> None:
        self._listener.on_push(update)

    def _changed(self) -> None:
        replicas = self._replicas.items()
        ready = frozenset(name for name, replica in replicas if replica.is_ready)
        if not ready:
            # Who is about to stop still answers, and there is nobody else.
            ready = frozenset(name for name, replica in replicas if replica.is_up)
        if ready != self._ready:
            _log.info("table replicas ready: %s", ", ".join(sorted(ready)) or "none")
        self._ready = ready
        self._listener.on_homes()


class Question:
    """One command on its way round the replicas."""

    __slots__ = ("_command", "_deadline", "_link", "_settle", "_tried")

    def __init__(self, link: StreamLink, command: table_pb2.Command, settle: Settle) -> None:
        self._link = link
        self._command = command
        self._settle = settle
        self._deadline = link.loop.time() + GIVE_UP_SECONDS
        self._tried: tuple[str, ...] = ()

    def ask(self) -> None:
        """Ask the next replica; when all were asked, begin again a little later."""
        loop = self._link.loop
        left = self._deadline - loop.time()
        if left <= 0 or self._link.is_closed:
            words = "no table server answers; the command may or may not have been done"
            loop.call_soon(self._settle, None, LaeloError(Code.TRY_LATER, words))
            return
        for replica in self._link.candidates(self._command.table):
            if replica.address in self._tried:
                continue
            self._tried += (replica.address,)
            try:
                replica.stream.ask(self._command, self._answered, min(ANSWER_SECONDS, left))
            except StreamError as error:
                _log.debug("%s cannot be asked: %s", replica.address, error)
                continue
            return
        self._tried = ()
        loop.call_later(min(AGAIN_SECONDS, left), self.ask)

    def _answered(self, update: table_pb2.Update | None, error: StreamError | None) -> None:
        if error is not None or (update is not None and self._is_beyond(update)):
            self.ask()
        else:
            self._settle(update, None)

    def _is_beyond(self, update: table_pb2.Update) -> bool:
        """Whether a replica failed where one that was not asked yet may not: while a release is
        rolled out, those of the release before may meet events that they do not know (ADR 0019).
        """
        if update.code != Code.INTERNAL:
            return False
        others = self._link.candidates(self._command.table)
        return any(replica.address not in self._tried for replica in others)
