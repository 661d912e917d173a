"""Making and revoking bots, and seeing to it that those revoked are gone."""

import asyncio
import logging
import secrets
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, Protocol

from laelo_common.errors import Code, LaeloError
from laelo_common.ids import new_id

from laelo_gateway.bots.store import MOST, Bot, BotStore
from laelo_gateway.domain.bot_name import bot_name
from laelo_gateway.domain.bucket import Buckets
from laelo_gateway.domain.commands import Person
from laelo_gateway.domain.nickname import BadNickname
from laelo_gateway.people import BOT_TOKEN, TOKEN_BYTES, hashed_token

CHECK_SECONDS: Final = 5.0
MADE: Final = (1 / 600, 10.0)
"""Bots that one person may make: a second, and at once."""

_log = logging.getLogger(__name__)


class Made(NamedTuple):
    """A bot that was just made: its token is told once and kept nowhere."""

    name: str
    token: str


class Seats(Protocol):
    """Who has sockets open here."""

    def bots(self) -> Iterable[str]:
        """Ids of the bots that are connected."""

    def gone(self, people: Collection[str]) -> None:
        """Close the sockets of people who are no more."""


class Bots:
    """The bots of people with accounts."""

    def __init__(self, store: BotStore, seats: Seats) -> None:
        self._store = store
        self._seats = seats
        self._made = Buckets(*MADE)

    async def of(self, owner: Person) -> list[Bot]:
        """All bots of somebody. Raises LaeloError."""
        return await self._store.of(owner.id)

    async def make(self, owner: Person, wanted: str) -> Made:
        """A new bot. Raises LaeloError."""
        try:
            name = bot_name(wanted)
        except BadNickname as error:
            raise LaeloError(Code.BAD_NICKNAME, str(error)) from error
        if not self._made.take(owner.id, asyncio.get_running_loop().time()):
            raise LaeloError(Code.TOO_FAST, "too many new bots: try again in some minutes")
        token = BOT_TOKEN + secrets.token_urlsafe(TOKEN_BYTES)
        if not await self._store.add(owner.id, Person(new_id(), name), hashed_token(token)):
            raise LaeloError(Code.BAD_REQUEST, f"{MOST} bots are the most: revoke one first")
        return Made(name, token)

    async def revoke(self, owner: Person, bot: str) -> None:
        """Let a bot be no more: its sockets are closed, its token is worth nothing. Raises
        LaeloError.
        """
        if not await self._store.revoke(owner.id, bot):
            raise LaeloError(Code.BAD_REQUEST, "that is none of your bots")
        self._seats.gone([bot])

    async def run(self) -> None:
        """See for ever to those that were revoked at other gateways."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await self.check()
            except LaeloError as error:
                _log.info("bots are not looked at now: %s", error)

    async def check(self) -> None:
        """Close the sockets of bots that are no more."""
        here = set(self._seats.bots())
        if here:
            self._seats.gone(here - await self._store.living(here))
