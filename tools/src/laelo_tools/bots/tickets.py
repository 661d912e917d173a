"""Accounts of the development provider for those who have no Google account: bots and tests."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from laelo_tools.accounts import sign_in
from laelo_tools.bots.player import Ticket

AT_ONCE: Final = 8


class Person(NamedTuple):
    """Who somebody is to the provider, and the nickname here."""

    subject: str
    name: str


async def enrol(url: str, people: Iterable[Person], others: Sequence[str] = ()) -> list[Ticket]:
    """Sign them all in at a gateway; they connect through it and `others`. Raises LaeloError."""
    sockets = [f"{base.replace('http', 'ws', 1)}/ws" for base in (url, *others)]
    turnstile = asyncio.Semaphore(AT_ONCE)

    async def one(person: Person) -> Ticket:
        async with turnstile:
            cookie = await sign_in(url, person.subject, person.name)
        return Ticket(sockets, person.name, cookie)

    return await asyncio.gather(*(one(person) for person in people))
