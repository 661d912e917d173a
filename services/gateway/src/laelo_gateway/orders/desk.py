"""Sees to it that orders are kept: nobody who is shut out comes in or stays, and everybody is
told what is announced.

What holds is in memory, so hello costs no question and orders hold while the store is away.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Final, Protocol

from laelo_common.errors import Code, LaeloError
from laelo_common.wire import server

from laelo_gateway.domain import replies
from laelo_gateway.domain.commands import Person
from laelo_gateway.orders.store import Holding, OrderStore
from laelo_gateway.orders.words import shut_out

CHECK_SECONDS: Final = 2.0
LEAVE_SECONDS: Final = 3.0

_log = logging.getLogger(__name__)


class Seats(Protocol):
    """Who has sockets open here."""

    def people(self) -> Iterable[str]:
        """Ids of all who are welcome."""

    def shut_out(self, person: str, say: Callable[[str], str]) -> None:
        """Tell a person why, in the language of each socket, and close it."""

    def tell(self, text: bytes) -> None:
        """Send a text to everybody."""


Leave = Callable[[str], Awaitable[None]]
"""Takes a person out of the queue for championships. Raises LaeloError."""


class Orders:
    """What holds at this gateway."""

    def __init__(
        self, store: OrderStore, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._store = store
        self._clock = clock
        self._seats: Seats | None = None
        self._leave: Leave | None = None
        self._changes = -1
        self._held = Holding()
        self._told = b""

    def listen(self, seats: Seats, leave: Leave) -> None:
        """Keep order among these from now on."""
        self._seats, self._leave = seats, leave

    def admit(self, person: Person, language: str) -> None:
        """Let somebody in. Raises LaeloError with BANNED, in words of their language."""
        ban = self._held.bans.get(person.id)
        if ban is not None and ban.until > self._clock():
            raise LaeloError(Code.BANNED, shut_out(ban, language))

    def announcement(self) -> bytes | None:
        """The frame for somebody who has just come; None if there is nothing to tell."""
        return self._frame() or None

    async def run(self) -> None:
        """Look for ever whether there are new orders."""
        while True:
            try:
                await self.check()
            except LaeloError as error:
                _log.info("orders are not looked at now: %s", error)
            await asyncio.sleep(CHECK_SECONDS)

    async def check(self) -> None:
        """Take in what has changed, and see to it. Raises LaeloError."""
        changes = await self._store.changes()
        if changes != self._changes:
            self._held = await self._store.in_force()
            self._changes = changes
        self._tell()
        await self._clear()

    def _tell(self) -> None:
        """Tell everybody what is announced, once, and once that it is over."""
        frame = self._frame()
        if frame == self._told:
            return
        self._told = frame
        if self._seats is not None:
            over = server.AnnouncementFrame(d=server.Announcement(id=""))
            self._seats.tell(frame or replies.encoded(over))

    def _frame(self) -> bytes:
        held = self._held.announcement
        if held is None or held.until <= self._clock():
            return b""
        told = server.Announcement(held.id, held.pt, held.es, held.en)
        return replies.encoded(server.AnnouncementFrame(d=told))

    async def _clear(self) -> None:
        """Send away who is here and should not be; the queue first, while they are still here."""
        if self._seats is None:
            return
        now = self._clock()
        for person in set(self._seats.people()) & self._held.bans.keys():
            ban = self._held.bans[person]
            if ban.until > now:
                await self._leave_queue(person)
                self._seats.shut_out(person, partial(shut_out, ban))

    async def _leave_queue(self, person: str) -> None:
        if self._leave is None:
            return
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._leave(person)
        except (LaeloError, TimeoutError) as error:
            # Whose last socket is closed waits no more anyway.
            _log.info("somebody who is shut out did not leave the queue: %s", error)
