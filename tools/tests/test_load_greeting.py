"""A gateway that is not yet ready for guests: the crowd comes again, and counts no error."""

import asyncio
import json

import pytest
from laelo_tools.load import player
from laelo_tools.load.meter import Meter
from laelo_tools.load.player import Setting
from laelo_tools.load.table import Plan, Table
from websockets.asyncio.server import ServerConnection, serve


class Gateway:
    """Sends so many away before it greets."""

    def __init__(self, too_early: int) -> None:
        self.hellos = 0
        self._too_early = too_early

    async def __call__(self, socket: ServerConnection) -> None:
        await socket.recv()
        self.hellos += 1
        if self.hellos <= self._too_early:
            later = {"code": "TRY_LATER", "reason": "the database is out of reach"}
            await socket.send(json.dumps({"t": "nack", "re": "hello", "d": later}))
            await socket.close(1013, "later")
            return
        await socket.send(json.dumps({"t": "welcome", "re": "hello", "d": {}}))
        await socket.wait_closed()


@pytest.fixture(autouse=True)
def _in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "_AGAIN_SECONDS", 0.0)


async def greeted(gateway: Gateway) -> Meter:
    async with serve(gateway, "127.0.0.1", 0, compression=None) as server:
        port = server.sockets[0].getsockname()[1]
        meter = Meter()
        table = Table(Plan(f"ws://127.0.0.1:{port}/ws", 1, 0, "simple"), meter, Setting(), 1)
        async with asyncio.timeout(30):
            await table.players[0].connect(f"ws://127.0.0.1:{port}/ws")
        table.leave()
        return meter


@pytest.mark.parametrize("too_early", [0, 1, 5])
async def test_the_crowd_comes_again_until_it_is_greeted(too_early: int) -> None:
    gateway = Gateway(too_early)
    meter = await greeted(gateway)
    assert gateway.hellos == too_early + 1
    assert not meter.errors


async def test_a_gateway_that_never_is_ready_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "_TRIES", 3)
    with pytest.raises(ConnectionError, match="TRY_LATER"):
        await greeted(Gateway(too_early=100))
