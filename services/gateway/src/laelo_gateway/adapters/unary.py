"""The table service asked call by call, one Watch stream for each viewer.

Same meaning as the streams of `tables`, at many times their cost: only to measure that.
"""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, Final

import grpc.aio
import msgspec
from laelo.table.v1 import table_pb2, table_pb2_grpc
from laelo_common.errors import Code, LaeloError
from laelo_common.hashing import home_order
from laelo_common.metrics import Metrics
from laelo_common.stream import Dial, plain

from laelo_gateway.adapters import lookups
from laelo_gateway.adapters.addresses import Addresses
from laelo_gateway.domain.watch import NO_SEAT
from laelo_gateway.link import Home, Listener, Nobody, Settle

ANSWER_SECONDS: Final = 1.0
RESOLVE_SECONDS: Final = 2.0
_FIRST_LIFE: Final = 1

_log = logging.getLogger(__name__)


class UnaryLink:
    """A `TableLink` without coalesced streams."""

    def __init__(self, addresses: Addresses, *, dial: Dial = plain) -> None:
        self._addresses = addresses
        self._dial = dial
        self._listener: Listener = Nobody()
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._watches: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._players: dict[str, list[str]] = {}

    def listen(self, listener: Listener) -> None:
        """Tell this one from now on."""
        self._listener = listener

    def register(self, _metrics: Metrics) -> None:
        """Show nothing: there are no streams."""

    @property
    def is_up(self) -> bool:
        """Whether any replica is known."""
        return bool(self._channels)

    @property
    def ready(self) -> frozenset[str]:
        """Addresses of the replicas that are known."""
        return frozenset(self._channels)

    def home(self, table: str) -> Home | None:
        """The first replica in the table's order."""
        order = home_order(table, self.ready)
        return Home(order[0], _FIRST_LIFE) if order else None

    def ask(self, command: table_pb2.Command, settle: Settle) -> None:
        """Submit a command, or begin a viewer's Watch stream."""
        if command.kind != table_pb2.KIND_WATCH:
            self._spawn(self._submit(command, settle))
            return
        key = (command.table, command.player)
        if key in self._watches:
            self._watches.pop(key).cancel()
        once = _once(settle)
        task = self._watches[key] = self._spawn(self._watch(command, once))
        # One that is replaced before it has begun is to be settled as well.
        task.add_done_callback(lambda _: once(None, LaeloError(Code.TRY_LATER)))

    def tell(self, command: table_pb2.Command, home: Home | None) -> None:
        """Checks are for the other way."""

    def tell_all(self, command: table_pb2.Command, but: Home | None = None) -> None:
        """End the streams of a table, or of one person at it, that nobody looks at."""
        if command.kind != table_pb2.KIND_UNWATCH or but is not None:
            return
        table, player = command.table, command.player
        if not player:
            self._players.pop(table, None)
        for key in [key for key in self._watches if key[0] == table and player in ("", key[1])]:
            self._watches.pop(key).cancel()

    async def find(self, code: str) -> table_pb2.FindResponse | None:
        """The table behind a code."""
        return await lookups.find(self._stubs(code), code)

    async def waiting(self) -> Sequence[table_pb2.FindResponse]:
        """Public tables that wait for players."""
        return await lookups.waiting(self._stubs(""))

    async def run(self) -> None:
        """Follow the addresses of the replicas for ever."""
        while True:
            for address in await self._addresses.resolve() - self._channels.keys():
                self._channels[address] = self._dial(address)
                self._listener.on_homes()
            await asyncio.sleep(RESOLVE_SECONDS)

    async def close(self) -> None:
        """End all calls."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for channel in self._channels.values():
            await channel.close()

    def _stubs(self, table: str) -> list[Any]:
        order = home_order(table, self.ready)
        return [table_pb2_grpc.TableServiceStub(self._channels[address]) for address in order]

    async def _submit(self, command: table_pb2.Command, settle: Settle) -> None:
        request = table_pb2.SubmitRequest(command=command)
        for stub in self._stubs(command.table):
            try:
                response = await stub.Submit(request, timeout=ANSWER_SECONDS)
            except grpc.aio.AioRpcError as error:
                _log.debug("Submit: %s", error.code())
                continue
            if response.update.players:
                self._players[command.table] = list(response.update.players)
            settle(response.update, None)
            return
        settle(None, LaeloError(Code.TRY_LATER))

    async def _watch(self, command: table_pb2.Command, settle: Settle) -> None:
        """A snapshot answers the command; later frames are pushed to who sees them."""
        request = table_pb2.WatchRequest(table=command.table, player=command.player)
        answered = False
        for stub in self._stubs(command.table):
            try:
                async for response in stub.Watch(request):
                    update = _update(command.table, response.view)
                    if answered:
                        self._listener.on_push(update)
                        continue
                    answered = update.private = True
                    update.players.extend(self._seated(command, _seat_in(response.view.frame)))
                    settle(update, None)
            except grpc.aio.AioRpcError as error:
                _log.debug("Watch: %s", error.code())

    def _seated(self, command: table_pb2.Command, seat: int) -> list[str]:
        """Who sits where, as far as it was seen: these streams tell a viewer only its own."""
        players = self._players.setdefault(command.table, [""] * NO_SEAT)
        for number, player in enumerate(players):
            if player == command.player:
                players[number] = ""
        if seat < NO_SEAT:
            players[seat] = command.player
        return players

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _once(settle: Settle) -> Settle:
    """Settles the first time that it is called."""
    settled = False

    def first(update: table_pb2.Update | None, error: LaeloError | None) -> None:
        nonlocal settled
        if not settled:
            settled = True
            settle(update, error)

    return first


def _update(table: str, view: table_pb2.View) -> table_pb2.Update:
    return table_pb2.Update(table=table, seq=view.seq, views=[view])


class _Seen(msgspec.Struct):
    me: int = NO_SEAT


class _Snapshot(msgspec.Struct):
    d: _Seen


def _seat_in(snapshot: bytes) -> int:
    """Whose view a snapshot is."""
    return msgspec.json.decode(snapshot, type=_Snapshot).d.me
