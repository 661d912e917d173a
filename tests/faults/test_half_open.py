"""half-open: a connection that swallows everything does not hold the seat.

Seen elsewhere: riichinomics/autotable#28. The client's old connection is neither closed nor
alive; with the same token it has its seat at once on a new one, and plays. The gateway lets
go of the old one by itself, though nothing ever tells it.
"""

import asyncio

import pytest
from laelo_gateway.sockets import DEAD_SECONDS, PLAYING_SECONDS, SWEEP_SECONDS
from laelo_tools.platform import Options, Platform

from tests.faults.balancer import Balancer
from tests.integration.player import Player

pytestmark = [pytest.mark.faults, pytest.mark.integration]

LET_GO_WITHIN = 2 * (PLAYING_SECONDS + DEAD_SECONDS + SWEEP_SECONDS)


async def test_half_open() -> None:
    options = Options(port=0, pause_ms=100, bot_delay_ms="0")
    async with (
        Platform(options) as platform,
        Balancer([platform.addresses["gateway-1"]]) as way,
        Player(way.url, "Ana") as ana,
    ):
        ana.holds = lambda _: True
        table = await ana.create()
        await ana.start()
        await ana.until(lambda: ana.view.get("turn"))
        way.swallow()
        pair = way.pairs[-1]
        again = Player(platform.url, "Ana")
        again.token, again.table = ana.token, table
        async with again:
            await again.ask("watch")
            assert again.view["me"] == 0
            assert not pair.let_go_by_server.is_set(), "the seat was there before"
            await again.played(1)
            assert again.refused == []
            async with asyncio.timeout(LET_GO_WITHIN):
                await pair.let_go_by_server.wait()
