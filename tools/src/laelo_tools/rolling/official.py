"""Championships of the same people, one after another."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final, Self

from laelo_bots.domain.levels import Level

from laelo_tools.bots.player import Player, Style
from laelo_tools.bots.tickets import Person, enrol
from laelo_tools.championships.verify import verify
from laelo_tools.history.source import Histories
from laelo_tools.platform import Platform

PEOPLE: Final = 8
THINK_SECONDS: Final = (0.2, 0.4)


class Officials:
    """Eight people with accounts. `ended` has the championships that they played to the end."""

    def __init__(self, platform: Platform, gateways: Sequence[str]) -> None:
        self.ended: list[str] = []
        self.is_last = False
        self._platform = platform
        self._gateways = gateways
        self._stack = AsyncExitStack()
        self._players: list[Player] = []
        self._playing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """All sign in."""
        people = [Person(f"rolling-{n}", f"Rita {n}") for n in range(PEOPLE)]
        tickets = await enrol(self._platform.url, people, self._gateways[1:])
        style = Style(Level.RANDOM, THINK_SECONDS)
        for seed, ticket in enumerate(tickets):
            at = seed % len(ticket.urls)
            turned = ticket._replace(urls=[*ticket.urls[at:], *ticket.urls[:at]])
            player = Player(turned, style, seed)
            self._players.append(await self._stack.enter_async_context(player))
        return self

    async def __aexit__(self, *_: object) -> None:
        """All go."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        await self._stack.aclose()

    def begin(self) -> None:
        """Play."""
        self._playing = asyncio.create_task(self._play(), name="championships")

    async def over(self) -> None:
        """Wait for the end of the last championship. Raises what went wrong."""
        if self._playing is not None:
            await self._playing

    async def faults(self, log: Histories) -> list[str]:
        """What is wrong with the championships that were played, and their tables."""
        found = []
        for name in self.ended:
            report = await verify(name, await log.championship(name), log.of)
            found += [f"championship {name}: {fault}" for fault in report.faults]
        return found + [
            f"{player.name} was refused: {why}"
            for player in self._players
            for why in player.refused
        ]

    async def _play(self) -> None:
        while not (self.ended and self.is_last):
            await asyncio.gather(*(player.join() for player in self._players))
            await asyncio.gather(*(self._through(player) for player in self._players))
            self.ended.append(self._players[0].bracket["id"])

    async def _through(self, player: Player) -> None:
        """Until the championship is over in which this one is called."""
        await player.until(
            lambda: (
                player.bracket
                and player.bracket["id"] not in self.ended
                and player.bracket["stage"] != "running"
            )
        )
