"""Everybody who plays, and when it may be said that all goes on, or is over."""

import asyncio
from collections.abc import (
    AsyncIterator,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any, Final

from laelo_tools.bots.player import Ticket
from laelo_tools.bots.tickets import Person as Account
from laelo_tools.bots.tickets import enrol
from laelo_tools.errors import LaeloError
from laelo_tools.platform import Platform

from tests.faults.nemesis.history import History
from tests.faults.nemesis.people import Mood, Person, career, evening, is_placed

WARM_COMMITS: Final = 8
"""So much is played at each table before anything is broken."""
LOOK_SECONDS: Final = 0.2
SIGN_IN_TRIES: Final = 60


class Town:
    """The people of a run, and what they are at."""

    def __init__(self, people: Sequence[Person], work: Sequence[Coroutine[Any, Any, None]]) -> None:
        self.people = people
        self._work = [asyncio.ensure_future(one) for one in work]
        self._evenings = self._work[: len(work) - sum(bool(one.is_champion) for one in people)]

    def versions(self) -> dict[str, int]:
        """The newest version of each table that anybody looks at."""
        newest: dict[str, int] = {}
        for person in self.people:
            for table, seq in person.seen.items():
                newest[table] = max(seq, newest.get(table, 0))
        return newest

    def brackets(self) -> dict[str, int]:
        """The newest version of each championship that runs."""
        return {
            one.bracket["id"]: one.bracket["version"]
            for one in self.people
            if one.bracket and one.bracket["stage"] == "running"
        }

    def looking(self) -> dict[str, dict[str, int]]:
        """What everybody has seen of each table."""
        return {person.name: dict(person.seen) for person in self.people}

    async def warm(self, seconds: float) -> None:
        """Wait until there is something to be disturbed. Raises TimeoutError."""
        tables = len(self.people) // 4

        def is_warm() -> bool:
            return sum(seq >= WARM_COMMITS for seq in self.versions().values()) >= tables

        if not await self._within(seconds, is_warm):
            raise TimeoutError(f"after {seconds:g} s people do not play at {tables} tables")

    async def go_on(self, tables: Mapping[str, int], wanted: int, seconds: float) -> bool:
        """Wait until each of these tables has so many commits more, or is over, and something
        has happened in each championship that ran; whether all of that came.
        """
        brackets = self.brackets()

        def has_gone_on() -> bool:
            now, running = self.versions(), self.brackets()
            return all(
                now.get(table, wanted + seq) >= wanted + seq or self._is_over(table)
                for table, seq in tables.items()
            ) and all(running.get(name, seq + 1) > seq for name, seq in brackets.items())

        return await self._within(seconds, has_gone_on)

    async def end(self, seconds: float) -> bool:
        """Wait until all matches and championships are over; whether they were in time."""
        return await self._within(seconds, lambda: not any(self.unfinished()))

    async def rest(self, seconds: float) -> None:
        """Begin nothing more, and wait for all answers."""
        self.people[0].mood.rests = True
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._within(seconds, lambda: not any(self.unanswered()))

    async def see(self, tables: Mapping[str, int], seconds: float) -> bool:
        """Wait until everybody has seen these versions of the tables that they look at."""
        return await self._within(
            seconds,
            lambda: all(
                seq >= tables.get(table, 0)
                for one in self.people
                for table, seq in one.seen.items()
            ),
        )

    async def go_home(self) -> None:
        """Do and hear nothing more."""
        await asyncio.gather(*(person.__aexit__() for person in self.people))

    def unfinished(self) -> Iterator[str]:
        """What has not come to an end."""
        for number, task in enumerate(self._evenings, start=1):
            if not task.done():
                yield f"the friends of evening {number} still play"
        for one in self.people:
            if one.bracket and not is_placed(one.bracket):
                yield f"{one.name} is not placed in {one.bracket['id']}"
            if one.called and one.called["championship"] != one.bracket.get("id"):
                yield f"{one.name} was called and does not know the bracket"

    def unanswered(self) -> Iterator[str]:
        """Who waits for what answer."""
        for one in self.people:
            for frame in one.asking:
                yield f"{one.name} waits for an answer to {frame}"

    def _is_over(self, table: str) -> bool:
        return any(one.is_over(table) for one in self.people)

    async def _within(self, seconds: float, true: Callable[[], bool]) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not true():
                    self._raise_faults()
                    await asyncio.sleep(LOOK_SECONDS)
                return True
        return False

    def _raise_faults(self) -> None:
        """What goes wrong in the people's own code is no finding."""
        for task in self._work:
            if task.done() and not task.cancelled():
                task.result()
        for person in self.people:
            person.raise_faults()


@asynccontextmanager
async def town(seed: str, platform: Platform, history: History, mood: Mood) -> AsyncIterator[Town]:
    """Friends at tables with and without a clock, with and without bots, and eight who want to
    win championships.
    """
    urls = [f"ws://{platform.told[f'gateway-{n}']}/ws" for n in (1, 2)]
    accounts = [Account(f"nemesis-{n:02}", f"Firme {n:02}") for n in range(1, 9)]
    tickets = await _enrolled(platform, accounts)
    names = [f"Gente {n:02}" for n in range(1, 14)]
    async with AsyncExitStack() as stack:

        async def come(number: int, name: str, cookie: str = "") -> Person:
            turned = urls[number % 2 :] + urls[: number % 2]
            person = Person(mood, turned, name, history, seed, cookie)
            return await stack.enter_async_context(person)

        friends = [await come(number, name) for number, name in enumerate(names)]
        champions = [
            await come(number, ticket.name, ticket.cookie) for number, ticket in enumerate(tickets)
        ]
        for one in champions:
            one.is_champion = True
        work = [
            evening(friends[0:4], 0),
            evening(friends[4:8], 15),
            evening(friends[8:11], 15),
            evening(friends[11:13], 0),
            *(career(one) for one in champions),
        ]
        yield Town([*friends, *champions], work)


async def _enrolled(platform: Platform, accounts: Sequence[Account]) -> list[Ticket]:
    """Sign in, again if need be: a gateway is ready before it has reached its database."""
    for _ in range(SIGN_IN_TRIES):
        with suppress(LaeloError):
            return await enrol(platform.url, accounts)
        await asyncio.sleep(1.0)
    return await enrol(platform.url, accounts)
