"""A table at which match after match is played until it is told that this one is the last."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any, Final, Self

from laelo_common.ids import new_id

from laelo_tools.rolling.person import Person

SEATS: Final = (0, 1)
"""Where people sit; they are of different teams, bots are their partners."""


class Table:
    """Two people, each first at another gateway, and two bots."""

    def __init__(self, urls: Sequence[str], beat: float, clock_seconds: int, number: int) -> None:
        self.id = new_id()
        self._is_last = False
        self._beat = beat
        self._options: dict[str, Any] = {"move_seconds": clock_seconds}
        self._stack = AsyncExitStack()
        self._playing: asyncio.Task[None] | None = None
        self.people = [
            Person(
                [*urls[seat % len(urls) :], *urls[: seat % len(urls)]],
                f"Person {number}-{seat}",
                beat,
                len(SEATS) * number + seat,
            )
            for seat in SEATS
        ]

    async def __aenter__(self) -> Self:
        """All come and sit down."""
        for person in self.people:
            await self._stack.enter_async_context(person)
        host, *others = self.people
        await host.come_to(self.id, "table.create", options=self._options)
        for seat, person in zip(SEATS[1:], others, strict=True):
            await person.come_to(self.id, "watch")
            await person.command("table.sit", seat=seat)
        return self

    async def __aexit__(self, *_: object) -> None:
        """All go."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        await self._stack.aclose()

    def begin(self) -> None:
        """Play."""
        self._playing = asyncio.create_task(self._play(), name=f"table {self.id}")

    def come_to_an_end(self) -> None:
        """Play the match that is being played to its end, and no other."""
        self._is_last = True

    async def over(self) -> None:
        """Wait for the end of the last match. Raises what went wrong."""
        if self._playing is not None:
            await self._playing

    async def _play(self) -> None:
        played = 0
        while not (played and self._is_last):
            await self.people[0].command("table.start", level="simple")
            played += 1
            await asyncio.gather(*(person.until_matches(played) for person in self.people))
            await asyncio.sleep(self._beat)
