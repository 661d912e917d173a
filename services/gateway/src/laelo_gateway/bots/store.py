"""What is kept of bot accounts."""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from laelo_gateway.domain.commands import Person

MOST: Final = 5
"""Bots that one person may have."""


class Bot(NamedTuple):
    """A bot account, as its owner sees it."""

    id: str
    name: str
    made_at: datetime


class BotStore(Protocol):
    """Where bots are kept: beside guests, with an owner. Every method raises LaeloError with
    TRY_LATER while it is away.
    """

    async def add(self, owner: str, bot: Person, token_hash: bytes) -> bool:
        """Keep a new bot of an account; False if it has too many, or is no more."""

    async def of(self, owner: str) -> list[Bot]:
        """The bots of an account, the oldest first."""

    async def revoke(self, owner: str, bot: str) -> bool:
        """Delete a bot with its token; False if it is none of this account's."""

    async def living(self, bots: Collection[str]) -> set[str]:
        """Those of the bots that are not deleted."""
