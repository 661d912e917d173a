"""herd: all clients of a gateway lose it at once, and all of them get through elsewhere.

Seen elsewhere: lichess-org/lila#6020. They come back with growing, random pauses, all from
one address; nobody is refused or banned for it, and each has seat and board again. A new
guest from that address may have to wait: the limit that the herd must not meet is there.
"""

import asyncio
import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from laelo_common.ids import new_id
from laelo_tools.platform import Options, Platform
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tests.faults.balancer import Balancer

pytestmark = [pytest.mark.faults, pytest.mark.integration]

CLIENTS = 200
GUESTS = 5
PAUSES = (0.3, 0.6, 1.0, 2.0, 4.0, 8.0)
GONE = (OSError, EOFError, ConnectionClosed, InvalidHandshake, InvalidMessage, TimeoutError)
Frame = dict[str, Any]


class Client:
    """A person with a table of their own, who comes back as the protocol's page says."""

    def __init__(self, url: str, number: int) -> None:
        self._url = url.replace("http", "ws", 1) + "/ws"
        self._random = random.Random(number)
        self._window = f"window-{number}"
        self._token: str | None = None
        self._seq = 0
        self.table = new_id()
        self.whole = asyncio.Event()
        """The seat is there, and nothing of the table is missing."""
        self.lost = asyncio.Event()
        """The first connection is over."""
        self.refused: list[Frame] = []
        self.closed_with: list[int] = []
        self.tries: list[float] = []
        self.back_at = 0.0

    async def live(self) -> None:
        """Connect again and again, for ever."""
        attempt = 0
        while True:
            self.tries.append(time.monotonic())
            try:
                async with connect(self._url, proxy=None, ping_interval=None) as socket:
                    await self._greet(socket)
                    attempt = 0
                    async for text in socket:
                        self._take(json.loads(text))
            except GONE as error:
                if isinstance(error, ConnectionClosed) and error.rcvd is not None:
                    self.closed_with.append(error.rcvd.code)
            self.whole.clear()
            self.lost.set()
            pause = PAUSES[min(attempt, len(PAUSES) - 1)]
            attempt += 1
            await asyncio.sleep(pause * (0.5 + self._random.random()))

    def forget(self) -> None:
        """What came before does not count: the database may have been late."""
        self.refused.clear()
        self.closed_with.clear()
        self.lost.clear()

    async def _greet(self, socket: ClientConnection) -> None:
        hello: Frame = {"proto": 1, "window": self._window}
        if self._token is not None:
            hello["token"] = self._token
            hello["resume"] = [{"table": self.table, "seq": self._seq}]
        await self._send(socket, "hello", "hello", d=hello)
        welcome = json.loads(await socket.recv())
        if welcome["t"] != "welcome":
            self.refused.append(welcome)
            raise ConnectionResetError
        self._token = welcome["d"]["me"].get("token", self._token)
        if self._seq:
            await self._send(socket, "sync", "sync", table=self.table, seq=self._seq)
        else:
            await self._send(socket, "table.create", "create", table=self.table)

    async def _send(self, socket: ClientConnection, kind: str, name: str, **more: Any) -> None:
        await socket.send(json.dumps({"t": kind, "id": name, **more}))

    def _take(self, frame: Frame) -> None:
        if frame["t"] == "nack":
            self.refused.append(frame)
        self._seq = max(self._seq, frame.get("seq") or 0)
        if frame.get("re") in ("create", "sync") and frame["t"] != "nack":
            self.back_at = time.monotonic()
            self.whole.set()


async def all_of(clients: list[Client], seconds: float) -> None:
    async with asyncio.timeout(seconds):
        await asyncio.gather(*(client.whole.wait() for client in clients))


async def test_herd(record_property: Callable[[str, object], None]) -> None:
    tight = {"LAELO_GATEWAY_GUEST_BURST": str(GUESTS), "LAELO_GATEWAY_GUEST_RATE": "0.01"}
    options = Options(port=0, gateways=2, env={"gateway-2": tight})
    async with Platform(options) as platform:
        addresses = [platform.addresses[name] for name in ("gateway-1", "gateway-2")]
        async with Balancer(addresses) as balancer:
            clients = [Client(balancer.url, number) for number in range(CLIENTS)]
            lives = [asyncio.create_task(client.live()) for client in clients]
            try:
                await all_of(clients, 60)
                for client in clients:
                    client.forget()
                lost = time.monotonic()
                await platform.kill("gateway-1")
                await asyncio.gather(*(client.lost.wait() for client in clients))
                await all_of(clients, 60)
                await new_guests_wait(balancer.url)
            finally:
                for life in lives:
                    life.cancel()
                await asyncio.gather(*lives, return_exceptions=True)
    took = sorted(client.back_at - lost for client in clients)
    first_tries = sorted(min(t for t in client.tries if t > lost) - lost for client in clients)
    for name, value in {
        "clients": CLIENTS,
        "first_try_s": [round(first_tries[0], 2), round(first_tries[-1], 2)],
        "recovered_median_s": round(took[CLIENTS // 2], 2),
        "recovered_p99_s": round(took[int(CLIENTS * 0.99)], 2),
        "recovered_last_s": round(took[-1], 2),
    }.items():
        record_property(name, value)
        print(f"herd: {name} {value}")
    assert [client.refused for client in clients if client.refused] == []
    assert {code for client in clients for code in client.closed_with} <= {1001, 1006, 1012}
    assert first_tries[-1] - first_tries[0] > PAUSES[0] / 2, "they don't come all at once"


async def new_guests_wait(url: str) -> None:
    """Of the same address, only so many people come in who were never here."""
    answers = []
    for _ in range(GUESTS + 1):
        async with connect(url.replace("http", "ws", 1) + "/ws", proxy=None) as socket:
            await socket.send(json.dumps({"t": "hello", "id": "hello", "d": {"proto": 1}}))
            answers.append(json.loads(await socket.recv()))
    assert [answer["t"] for answer in answers] == ["welcome"] * GUESTS + ["nack"]
    assert answers[-1]["d"]["code"] == "TOO_FAST"
