"""restart-waiting: when the table service restarts in mid-game, nobody waits for each other.

Seen elsewhere: FreeBoardGames.org#551. The service dies on every turn of the first hand and
on some later ones, and the move is made while it is away. Four clients play the match to
its end over the sockets that they have: nobody loads the page anew.
"""

import asyncio
from contextlib import AsyncExitStack
from functools import partial

import pytest
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.platform import Options, Platform

from tests.integration.player import Frame, Player

pytestmark = [pytest.mark.faults, pytest.mark.integration]

PEOPLE = ("Ana", "Bia", "Caio", "Davi")
EVERY = 25
"""In later hands the service dies on every such turn."""


class Table:
    """Four people who move only when they are told to."""

    def __init__(self, players: list[Player]) -> None:
        self.players = players
        self._allowed = 0
        for player in players:
            player.holds = self._holds

    def _holds(self, turn: Frame) -> bool:
        return bool(turn["turn"] > self._allowed)

    @property
    def is_over(self) -> bool:
        """Whether all four have seen the end of the match."""
        return all(player.matches for player in self.players)

    async def next_turn(self) -> Frame | None:
        """The next turn, once all four see it; None if the match is over."""
        for player in self.players:
            await player.until(partial(self._has_news, player))
        return None if self.is_over else dict(self.players[0].view["turn"])

    def _has_news(self, player: Player) -> bool:
        turn = player.view.get("turn")
        return bool(player.matches or (turn is not None and turn["turn"] > self._allowed))

    async def move(self, turn: Frame) -> None:
        """Whoever is on turn moves."""
        self._allowed = turn["turn"]
        await self.players[turn["seat"]].act()

    @property
    def hand(self) -> int:
        """Number of the hand."""
        return int(self.players[0].view["hand"])


async def test_four_clients_go_on_after_a_restart_on_every_turn() -> None:
    async with AsyncExitStack() as stack:
        options = Options(port=0, pause_ms=0, bot_delay_ms="0", tables=1)
        platform = await stack.enter_async_context(Platform(options))
        players = [
            await stack.enter_async_context(Player(platform.url, name, seed=seed))
            for seed, name in enumerate(PEOPLE)
        ]
        name = await players[0].create()
        for seat, player in enumerate(players[1:], 1):
            await player.join(name, seat)
        table = Table(players)
        sockets = [player.connections for player in players]
        await players[0].start()

        turns = kills = 0
        while (turn := await table.next_turn()) is not None:
            turns += 1
            if table.hand > 1 and turns % EVERY:
                await table.move(turn)
                continue
            await platform.kill("table-1")
            kills += 1
            await asyncio.gather(platform.restart("table-1"), table.move(turn))

        assert kills > 10
        assert [player.connections for player in players] == sockets, "nobody came anew"
        async with histories(platform.nats_url) as log:
            records, snapshot = await log.of(name)
        assert verify_table(name, records, snapshot).faults == []
        for player in players:
            assert player.matches == players[0].matches
            assert player.refused == []
            assert player.frames == sorted(set(player.frames))
