"""Quick play: a seat at a public table where somebody waits, else at a new one."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import server
from laelo_common.wire.table import Options

from laelo_gateway.domain import commands, replies
from laelo_gateway.domain.commands import Sender
from laelo_gateway.limits import Limiters
from laelo_gateway.link import TableLink, asked

TRIES: Final = 3
"""Tables that somebody else may fill up before us; then a new one is opened."""
LIST_SECONDS: Final = 1.0
"""After which nobody is taken to be waiting anywhere."""
START_SECONDS: Final = 8
"""After which a new table begins with bots; with the time to get there, less than 10 s."""
KEPT: Final = 10_000
_NEW: Final = Options(public=True, start_seconds=START_SECONDS)
_AWAY: Final = (Code.TRY_LATER, Code.OVERLOADED, Code.INTERNAL)


class Taken(NamedTuple):
    """A seat at a table."""

    update: table_pb2.Update
    found: server.Found


class Search:
    """One person's wish to play. Asked again after a failure, it goes on where it was: which
    table it was sent to last must not be forgotten, or there would be two seats. What another
    gateway did before it died is not known here, but that a table was opened shows.
    """

    def __init__(self, link: TableLink, re: str, own_table: str, sender: Sender) -> None:
        self._link = link
        self._re = re
        self._own_table = own_table
        self._sender = sender
        self._waiting: list[table_pb2.FindResponse] | None = None

    async def run(self) -> Taken:
        """Sit down somewhere. Raises LaeloError; then it may be run again."""
        if self._waiting is None:
            waiting, taken = await asyncio.gather(self._list(), self._opened_before())
            if taken is not None:
                return taken
            self._waiting = list(waiting)[:TRIES]
        while self._waiting:
            taken = await self._sit(self._waiting[0])
            if taken is not None:
                return taken
            self._waiting.pop(0)
        return await self._open()

    async def _list(self) -> Sequence[table_pb2.FindResponse]:
        try:
            async with asyncio.timeout(LIST_SECONDS):
                return await self._link.waiting()
        except (LaeloError, TimeoutError):
            return ()

    async def _opened_before(self) -> Taken | None:
        """The seat at the table that was opened by an earlier try, through another gateway: this
        is then done already, under the same id.
        """
        command = commands.sit_command(self._own_table, self._re, self._sender)
        update = await asked(self._link, command)
        if update.code not in ("", Code.ALREADY_SEATED):
            _raise_if_away(update)
            return None
        return Taken(update, self._own())

    async def _sit(self, table: table_pb2.FindResponse) -> Taken | None:
        """A seat there; None if there is none any more."""
        command = commands.sit_command(table.table, self._re, self._sender)
        update = await asked(self._link, command)
        if update.code == Code.ALREADY_SEATED:
            return Taken(update, replies.found(table))
        if update.code:
            _raise_if_away(update)
            return None
        here = table_pb2.FindResponse(
            table=table.table, options=table.options, free=max(0, table.free - 1)
        )
        return Taken(update, replies.found(here))

    async def _open(self) -> Taken:
        command = commands.open_command(self._own_table, self._re, self._sender, _NEW)
        update = await asked(self._link, command)
        if update.code:
            raise LaeloError(replies.code_of(update), update.reason)
        return Taken(update, self._own())

    def _own(self) -> server.Found:
        return server.Found(self._own_table, _NEW, free=3)


def _raise_if_away(update: table_pb2.Update) -> None:
    """Tell "no seat here" from "nobody can say"."""
    code = replies.code_of(update)
    if code in _AWAY:
        raise LaeloError(code, update.reason)


class QuickPlay:
    """The searches of everybody here; the same frame sent twice is one search."""

    def __init__(self, link: TableLink, limits: Limiters) -> None:
        self._link = link
        self._limits = limits
        self._searches: OrderedDict[str, Search] = OrderedDict()
        self._running: dict[str, asyncio.Task[Taken]] = {}

    async def seek(self, re: str, own_table: str, sender: Sender) -> Taken:
        """A seat for this person. Raises LaeloError."""
        key = f"{sender.person.id}-{re}"
        task = self._running.get(key)
        if task is None:
            search = self._search(key, re, own_table, sender)
            task = self._running[key] = asyncio.create_task(search.run(), name="quick play")
            task.add_done_callback(lambda done: self._over(key, done))
        # Who asked may go away; whoever has been given a seat has to be told by the next try.
        return await asyncio.shield(task)

    async def close(self) -> None:
        """End all searches."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _over(self, key: str, task: asyncio.Task[Taken]) -> None:
        self._running.pop(key, None)
        if not task.cancelled():
            task.exception()  # whoever waited for it has seen it; perhaps nobody did any more

    def _search(self, key: str, re: str, own_table: str, sender: Sender) -> Search:
        search = self._searches.get(key)
        if search is not None:
            return search
        now = asyncio.get_running_loop().time()
        if not self._limits.seeks.take(sender.person.id, now):
            raise LaeloError(Code.TOO_FAST, "too many tables: wait a moment")
        search = self._searches[key] = Search(self._link, re, own_table, sender)
        if len(self._searches) > KEPT:
            self._searches.popitem(last=False)
        return search
