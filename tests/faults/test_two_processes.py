"""two-processes: four at one table see the same, whichever processes they are connected to.

Seen elsewhere: boardgameio/boardgame.io#534. Two gateways, each of which knows only one of
two table services: every move has to get from one table service to the other.
"""

from contextlib import AsyncExitStack

import pytest
from laelo_gateway.testing.gateway import gateway_of
from laelo_tools.platform import Options, Platform

from tests.integration.player import Player

pytestmark = [pytest.mark.faults, pytest.mark.integration]


async def test_two_processes() -> None:
    options = Options(port=0, pause_ms=100, bot_delay_ms="0", tables=2)
    async with Platform(options) as platform, AsyncExitStack() as stack:
        people = []
        for number in (1, 2):
            only = [platform.addresses[f"table-{number}"]]
            gateway = await stack.enter_async_context(gateway_of(only))
            url = f"http://127.0.0.1:{gateway.port}"
            for name in ("Ana", "Bia"):
                player = Player(url, f"{name} {number}", seed=len(people))
                people.append(await stack.enter_async_context(player))
        host, *guests = people
        table = await host.create()
        for seat, guest in enumerate(guests, 1):
            await guest.join(table, seat)
        await host.start()
        for player in people:
            await player.played(1, seconds=40)
        await host.until(lambda: len({player.seq for player in people}) == 1)
        for seat, player in enumerate(people):
            assert player.view["me"] == seat
            assert player.matches == host.matches
            assert player.frames == list(range(player.frames[0], host.seq + 1))
            assert player.gaps == 0
            assert player.refused == []
