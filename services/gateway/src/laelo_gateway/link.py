"""What the gateway needs of the table service; how it is reached is known in `adapters`."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError

Settle = Callable[[table_pb2.Update | None, LaeloError | None], None]
"""Called exactly once and never from within `ask`: with the answer and None, or with None
and what went wrong."""


class Home(NamedTuple):
    """Where a table's watchers are attached: a replica, and which of its lives."""

    replica: str
    life: int


class Listener(Protocol):
    """Who is told what comes by itself. Called in the event loop; must not block."""

    def on_push(self, update: table_pb2.Update) -> None:
        """Frames of a watched table."""

    def on_homes(self) -> None:
        """Replicas came or went: `home` may answer differently from now on."""


class Nobody:
    """The listener of a link that was not told another one."""

    def on_push(self, update: table_pb2.Update) -> None:
        """Not for anybody."""

    def on_homes(self) -> None:
        """Of no interest."""


class TableLink(Protocol):
    """Commands to tables; nothing here waits."""

    def listen(self, listener: Listener) -> None:
        """Tell this one from now on."""

    @property
    def is_up(self) -> bool:
        """Whether any replica can be asked."""

    def home(self, table: str) -> Home | None:
        """Where the table is at home now; None while no replica is there."""

    def ask(self, command: table_pb2.Command, settle: Settle) -> None:
        """Ask the home, and the other replicas if it does not answer."""

    def tell(self, command: table_pb2.Command, home: Home | None) -> None:
        """Say something that needs no answer, to that home if it still lives."""

    def tell_all(self, command: table_pb2.Command, but: Home | None = None) -> None:
        """Say something that needs no answer to every replica, except that home."""

    async def find(self, code: str) -> table_pb2.FindResponse | None:
        """The table behind a code; None if there is none. Raises LaeloError with TRY_LATER."""

    async def waiting(self) -> Sequence[table_pb2.FindResponse]:
        """Public tables that wait for players. Raises LaeloError with TRY_LATER."""


def asked(link: TableLink, command: table_pb2.Command) -> "asyncio.Future[table_pb2.Update]":
    """Ask, with a future in the place of a callback: it raises LaeloError."""
    future: asyncio.Future[table_pb2.Update] = asyncio.get_running_loop().create_future()

    def settle(update: table_pb2.Update | None, error: LaeloError | None) -> None:
        if future.done():
            return
        if update is not None:
            future.set_result(update)
        else:
            future.set_exception(error or LaeloError(Code.INTERNAL))

    link.ask(command, settle)
    return future
