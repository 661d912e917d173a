"""seat-expired: a seat waits for its person, however often and from wherever they come.

Seen elsewhere: colyseus/colyseus#343, #552, #571. The same token joins again 100 times, from
two windows in turn and through two gateways, with and without a goodbye: each time the seat
is there, and the newest window can play.
"""

from contextlib import AsyncExitStack

import pytest
from laelo_common.ids import new_id
from laelo_gateway.testing.gateway import Player
from laelo_tools.platform import Options, Platform
from websockets.asyncio.client import connect

pytestmark = [pytest.mark.faults, pytest.mark.integration]

TIMES = 100


async def test_seat_expired() -> None:
    options = Options(port=0, pause_ms=100, bot_delay_ms="0", gateways=2)
    async with Platform(options) as platform, AsyncExitStack() as open_ones:
        urls = [f"ws://{platform.addresses[name]}/ws" for name in ("gateway-1", "gateway-2")]

        async def join(number: int, token: str | None) -> Player:
            url, window = urls[number % 3 % 2], f"window-{number // 2 % 2}"
            socket = await open_ones.enter_async_context(connect(url, proxy=None, max_queue=None))
            player = Player(socket)
            hello = {"proto": 1, "window": window} | ({"token": token} if token else {})
            welcome = await player.ask("hello", d=hello)
            while not token and welcome["t"] == "nack":
                # The database may be ready a moment after the gateway.
                assert welcome["d"]["code"] == "TRY_LATER"
                welcome = await player.ask("hello", d=hello)
            assert welcome["t"] == "welcome"
            player.me = welcome["d"]["me"]
            return player

        table = new_id()
        player = await join(0, None)
        token, person = player.me["token"], player.me["id"]
        assert (await player.ask("table.create", table=table))["d"]["me"] == 0
        for number in range(1, TIMES + 1):
            if number % 3 == 0:
                await player.socket.close()
            player = await join(number, token)
            assert player.me["id"] == person
            snapshot = await player.ask("watch", table=table)
            assert snapshot["t"] == "snapshot", snapshot
            assert snapshot["d"]["me"] == 0
        assert (await player.ask("table.start", table=table))["t"] == "event"
        await play_one_turn(player, table)


async def play_one_turn(player: Player, table: str) -> None:
    """Act once, with what the newest snapshot says of the seat's fence."""
    while True:
        view = (await player.ask("watch", table=table))["d"]
        turn = view.get("turn")
        if turn is None or turn["seat"] != view["me"]:
            if view["phase"] in ("match_over",):
                raise AssertionError("the match ended without the person")
            continue
        command = {"turn": turn["turn"], "fence": view["fence"]}
        if turn.get("choosing"):
            answer = await player.ask("choose_opener", table=table, d={**command, "opener": 0})
        elif turn.get("must_pass"):
            answer = await player.ask("pass", table=table, d=command)
        else:
            play = turn["plays"][0]
            ends = {"end": play["ends"][0]} if play.get("ends") else {}
            part = {**command, "tile": play["tile"], **ends}
            answer = await player.ask("play", table=table, d=part)
        assert answer["t"] == "event", answer
        return
