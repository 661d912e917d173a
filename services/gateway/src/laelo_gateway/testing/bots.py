"""Bot accounts in memory, beside the guests."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Protocol

from laelo_gateway.bots.store import MOST, Bot
from laelo_gateway.domain.commands import Person


class Guests(Protocol):
    """Where tokens are looked up."""

    people: dict[bytes, Person]


class MemoryBots:
    """A `BotStore`."""

    def __init__(self, guests: Guests) -> None:
        self._guests = guests
        self.owners: dict[str, str] = {}

    async def add(self, owner: str, bot: Person, token_hash: bytes) -> bool:
        """Keep a bot."""
        if list(self.owners.values()).count(owner) >= MOST:
            return False
        self.owners[bot.id] = owner
        self._guests.people[token_hash] = bot
        return True

    async def of(self, owner: str) -> list[Bot]:
        """The bots of an account."""
        people = self._guests.people.values()
        mine = [person for person in people if self.owners.get(person.id) == owner]
        return [Bot(person.id, person.name, datetime.fromtimestamp(0, UTC)) for person in mine]

    async def revoke(self, owner: str, bot: str) -> bool:
        """Delete a bot."""
        if self.owners.get(bot) != owner:
            return False
        del self.owners[bot]
        people = self._guests.people
        for token_hash in [key for key, person in people.items() if person.id == bot]:
            del people[token_hash]
        return True

    async def living(self, bots: Collection[str]) -> set[str]:
        """Those that are not deleted."""
        return set(bots) & set(self.owners)
