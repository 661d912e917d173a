"""Finding a table by its code, without telling anybody which codes there are."""

import asyncio
from typing import Protocol

from laelo.table.v1 import table_pb2
from laelo_common.errors import Code, LaeloError
from laelo_common.wire import server

from laelo_gateway.domain import commands, replies
from laelo_gateway.domain.codes import LOOKS_LIKE, table_code
from laelo_gateway.domain.commands import Person
from laelo_gateway.domain.peer import limited_as
from laelo_gateway.domain.watch import NO_SEAT
from laelo_gateway.limits import Limiters
from laelo_gateway.link import TableLink, asked


class Seats(Protocol):
    """What is known here of who sits where."""

    def seat_of(self, player: str, table: str) -> int | None:
        """Where a person sits; None if it is not known here."""

    def depart(self, player: str, table: str) -> None:
        """Say that a person is at a table no more, unless one is."""


class Lookups:
    """Unknown, closed, and private and full: of these nobody learns which it is, except that
    who sits at a table always finds it.
    """

    def __init__(self, link: TableLink, limits: Limiters, seats: Seats) -> None:
        self._link = link
        self._limits = limits
        self._seats = seats

    async def find(self, written: str, peer: str, person: Person | None = None) -> server.Found:
        """The table that was meant. Raises LaeloError."""
        code = self._checked(written, peer, person)
        found = await self._link.find(code)
        if found is None or not (_is_open(found) or await self._sits(person, found.table)):
            words = f"there is no table with the code {code}, or no free seat at it"
            raise LaeloError(Code.UNKNOWN_TABLE, words)
        return replies.found(found)

    def _checked(self, written: str, peer: str, person: Person | None) -> str:
        code = table_code(written)
        if code is None:
            raise LaeloError(Code.BAD_REQUEST, LOOKS_LIKE)
        now = asyncio.get_running_loop().time()
        if person is not None and not self._limits.finds.take(person.id, now):
            raise LaeloError(Code.TOO_FAST, "too many codes: wait a moment")
        if not self._limits.codes.take(limited_as(peer), now):
            raise LaeloError(Code.TOO_FAST, "too many codes from this address: wait a moment")
        return code

    async def _sits(self, person: Person | None, table: str) -> bool:
        """Whether the person has a seat at the table, which only the table knows for sure."""
        if person is None:
            return False
        seat = self._seats.seat_of(person.id, table)
        if seat is None:
            try:
                update = await asked(self._link, commands.watch_command(table, person.id, 0))
            finally:
                self._seats.depart(person.id, table)
            seat = NO_SEAT if update.code else update.seat
        return seat != NO_SEAT


def _is_open(found: table_pb2.FindResponse) -> bool:
    return found.options.public or found.free > 0
