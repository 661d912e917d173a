"""Names of accounts, put into the frames of tables: the table service knows nobody by name.

Most frames name nobody, and pass through at once. One that names an account waits until the name
is at hand; what the table tells after it waits behind it, so that the order stays.
"""

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

import msgspec
from laelo.table.v1 import table_pb2
from laelo_common.errors import LaeloError
from laelo_common.wire.marks import ACCOUNT_MARK

from laelo_gateway.link import Home, Listener, Nobody, Settle, TableLink

_log = logging.getLogger(__name__)

_encode: Final = msgspec.json.encode
_MARK: Final = _encode(ACCOUNT_MARK)[:-1]
"""With the quote before it: within a text a backslash stands escaped, so this is no text."""
_MARKED: Final = re.compile(re.escape(_MARK) + rb'([0-9A-Za-z_-]{1,64})"')

Deliver = Callable[[table_pb2.Update], None]


class KnownNames(Protocol):
    """Nicknames of accounts by id; "" is that of an account that is no more."""

    def at_hand(self, people: Sequence[str]) -> Mapping[str, str] | None:
        """The names, if all of them are known already."""

    async def of(self, people: Sequence[str]) -> Mapping[str, str]:
        """The names; whose name cannot be said now is left out. Raises nothing."""


def accounts_in(update: table_pb2.Update) -> list[str]:
    """The accounts that an update's frames have to name."""
    found = [
        one.decode()
        for view in update.views
        if _MARK in view.frame
        for one in _MARKED.findall(view.frame)
    ]
    return list(dict.fromkeys(found))


def put_names(update: table_pb2.Update, names: Mapping[str, str]) -> None:
    """Name them; who is not in `names` has no name."""

    def name(marked: "re.Match[bytes]") -> bytes:
        return _encode(names.get(marked[1].decode(), ""))

    for view in update.views:
        if _MARK in view.frame:
            view.frame = _MARKED.sub(name, view.frame)


class NamedLink:
    """A `TableLink` whose frames name accounts."""

    def __init__(self, link: TableLink, names: KnownNames) -> None:
        self._link = link
        self._names = names
        self._listener: Listener = Nobody()
        self._held: dict[str, deque[tuple[table_pb2.Update, Deliver]]] = {}
        """By table: updates that wait for a name, or behind one that does."""
        self._tasks: set[asyncio.Task[None]] = set()
        link.listen(self)

    def listen(self, listener: Listener) -> None:
        """Tell this one from now on."""
        self._listener = listener

    def on_push(self, update: table_pb2.Update) -> None:
        """Pass frames of a table on."""
        if self._is_ready(update):
            self._listener.on_push(update)
        else:
            self._pass_on(update, self._listener.on_push)

    def on_homes(self) -> None:
        """Pass on that replicas came or went."""
        self._listener.on_homes()

    @property
    def is_up(self) -> bool:
        """Whether any replica can be asked."""
        return self._link.is_up

    def home(self, table: str) -> Home | None:
        """Where the table is at home now."""
        return self._link.home(table)

    def ask(self, command: table_pb2.Command, settle: Settle) -> None:
        """Ask the home; the answer's frames have names."""

        def settled(update: table_pb2.Update | None, error: LaeloError | None) -> None:
            if update is None or self._is_ready(update):
                settle(update, error)
            else:
                self._pass_on(update, lambda named: settle(named, None))

        self._link.ask(command, settled)

    def tell(self, command: table_pb2.Command, home: Home | None) -> None:
        """Say something that needs no answer."""
        self._link.tell(command, home)

    def tell_all(self, command: table_pb2.Command, but: Home | None = None) -> None:
        """Say something that needs no answer to every replica."""
        self._link.tell_all(command, but)

    async def find(self, code: str) -> table_pb2.FindResponse | None:
        """The table behind a code."""
        return await self._link.find(code)

    async def waiting(self) -> Sequence[table_pb2.FindResponse]:
        """Public tables that wait for players."""
        return await self._link.waiting()

    async def close(self) -> None:
        """Deliver nothing any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _is_ready(self, update: table_pb2.Update) -> bool:
        """Whether it names nobody, since it does not tell who sits, and waits behind nothing:
        so it is with every move, and to look into its frames would cost as much as to pass it on.
        """
        return not update.players and update.table not in self._held

    def _pass_on(self, update: table_pb2.Update, deliver: Deliver) -> None:
        held = self._held.get(update.table)
        if held is not None:
            held.append((update, deliver))
            return
        accounts = accounts_in(update)
        if accounts:
            names = self._names.at_hand(accounts)
            if names is None:
                self._held[update.table] = deque([(update, deliver)])
                task = asyncio.create_task(self._release(update.table), name="names")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                return
            put_names(update, names)
        deliver(update)

    async def _release(self, table: str) -> None:
        """Deliver what waits at a table, in order, until nothing does."""
        held = self._held[table]
        while held:
            update, deliver = held[0]
            if accounts := accounts_in(update):
                put_names(update, await self._names.of(accounts))
            held.popleft()
            try:
                deliver(update)
            except Exception:  # noqa: BLE001 - as the stream does it: it stops no other frame
                _log.exception("an update of table %s failed", table)
        del self._held[table]
