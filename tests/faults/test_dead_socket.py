"""dead-socket: who does not read costs the others nothing, and does not stay.

Seen elsewhere: Kludex/starlette#1793. Four play, a fifth watches and never reads a byte:
all frames reach the four, what waits for the fifth is bounded, and it is dropped.
"""

import asyncio
import json
import socket
from typing import Any

import pytest
from laelo_common.ids import new_id
from laelo_gateway.adapters import websocket
from laelo_gateway.limits import Limits
from laelo_gateway.testing.gateway import Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.tables import Replica, replicas
from websockets.asyncio.client import ClientConnection, connect

pytestmark = pytest.mark.faults

DROPPED_WITHIN = 30.0
NO_LIMIT = Limits(rate=1e9, burst=1e9)
PLAY: dict[str, Any] = {"tile": [3, 4], "end": "left", "turn": 1, "fence": 1}


async def deaf(gateway: Gateway, table: str) -> ClientConnection:
    """A client with next to no room for what it does not read."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.connect(("127.0.0.1", gateway.port))
    plain.setblocking(False)
    client = await connect(gateway.url, sock=plain, proxy=None, max_queue=1, compression=None)
    client.transport.pause_reading()
    await client.send(json.dumps({"t": "hello", "id": "hello", "d": {"proto": 1}}))
    await client.send(json.dumps({"t": "watch", "id": "watch", "table": table}))
    return client


def unsent(gateway: Gateway) -> int:
    """Bytes that wait for the one client that has most of them waiting."""
    sockets: list[Any] = [connection.socket for connection in gateway.sockets._open]
    return max(int(one._transport.get_write_buffer_size()) for one in sockets)


async def seated(gateway: Gateway, table: str) -> list[Player]:
    players = [await gateway.join() for _ in range(4)]
    await players[0].ask("table.create", table=table)
    for player in players[1:]:
        await player.ask("table.sit", table=table)
    for player in players:
        await player.ask("sync", table=table, seq=4)
    return players


def addresses(started: list[Replica]) -> list[str]:
    return [replica.address for replica in started]


async def test_dead_socket_under_load() -> None:
    table = new_id()
    async with (
        replicas(1) as started,
        gateway_of(addresses(started), limits=NO_LIMIT) as gateway,
    ):
        players = await seated(gateway, table)
        client = await deaf(gateway, table)
        await eventually(lambda: len(gateway.house.hub._tables[table].watches) == 5)
        counts, most = gateway.house.counts, 0
        bound = websocket.MAX_UNSENT + 4096
        """But for the frame that was too much."""

        async def move(player: Player) -> None:
            """Each next move waits for the one before: nobody moves if the four are held up."""
            nonlocal most
            while not counts.dropped and most <= bound:
                await player.ask("play", table=table, d=PLAY)
                most = max(most, unsent(gateway))

        await asyncio.gather(*(move(player) for player in players))
        assert most <= bound, "bounded"
        await eventually(lambda: len(gateway.sockets) == 4)
        last = started[0].world.tables[table].seq
        for player in players:
            await player.reach(last)
            assert [seq for seq in player.events() if seq > 4] == list(range(5, last + 1))
        assert last > 500
        client.transport.abort()


async def test_dead_socket_at_a_quiet_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too little comes to overflow anything: it is dropped all the same, only later."""
    assert websocket.MAX_UNREAD_SECONDS + websocket.CLOSE_SECONDS < DROPPED_WITHIN
    monkeypatch.setattr(websocket, "MAX_UNREAD_SECONDS", 0.5)
    monkeypatch.setattr(websocket, "MAX_UNSENT", 1 << 40)
    table = new_id()
    async with (
        replicas(1) as started,
        gateway_of(addresses(started), limits=NO_LIMIT) as gateway,
    ):
        players = await seated(gateway, table)
        client = await deaf(gateway, table)
        await eventually(lambda: len(gateway.house.hub._tables[table].watches) == 5)
        while not unsent(gateway):
            await players[0].ask("play", table=table, d=PLAY)
        while unsent(gateway) < 128 * 1024 and not gateway.house.counts.dropped:
            await players[0].ask("play", table=table, d=PLAY)
        await eventually(lambda: len(gateway.sockets) == 4)
        assert gateway.house.counts.dropped == 1
        assert (await players[1].ask("play", table=table, d=PLAY))["t"] == "event"
        client.transport.abort()
