"""What a move costs the gateway: `python bench/gateway_fanout.py [--json]`.

Microseconds of the gateway's CPU (every thread) for one move: a frame in, a command to a
table server that only pretends, its answer, four frames out. Four sockets a table, at all
tables at once, the next move as soon as all four have the one before; medians of several
rounds. A calibration loop's time stands beside the figures.
"""

import argparse
import asyncio
import base64
import json
import os
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from laelo_common.ids import new_id
from laelo_gateway.limits import Limits
from laelo_gateway.testing.gateway import gateway_of
from laelo_gateway.testing.tables import Replica, World

TABLES, SECONDS, ROUNDS = 100, 5.0, 3
SEATS = 4
_TICKS = os.sysconf("SC_CLK_TCK")
_MASK = b"\0\0\0\0"


class Seat(asyncio.Protocol):
    """One WebSocket, as cheap as can be, so that it does not slow down what is measured."""

    def __init__(self) -> None:
        self._rest = b""
        self.opened = asyncio.get_running_loop().create_future()
        self.inbox: asyncio.Queue[bytes] = asyncio.Queue()
        self.table: Table | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def send(self, **frame: object) -> None:
        """Send a text frame; its mask is zero, so nothing has to be masked."""
        text = json.dumps(frame).encode()
        size = len(text)
        head = (0x80 | size).to_bytes(1, "big") if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        self._transport.write(b"\x81" + head + _MASK + text)

    def data_received(self, data: bytes) -> None:
        """Count frames, or keep them while tables are set up."""
        data = self._rest + data
        if not self.opened.done():
            _, _, data = data.partition(b"\r\n\r\n")
            self.opened.set_result(None)
        while len(data) >= 4:
            size, start = data[1], 2
            if size == 126:
                size, start = int.from_bytes(data[2:4], "big"), 4
            if len(data) < start + size:
                break
            if self.table is not None:
                self.table.arrived()
            elif data[0] == 0x81:
                self.inbox.put_nowait(data[start : start + size])
            data = data[start + size :]
        self._rest = data

    async def ask(self, **frame: object) -> dict[str, object]:
        """Send, and wait for the answer."""
        self.send(**frame)
        while True:
            answer: dict[str, object] = json.loads(await self.inbox.get())
            if answer.get("re") == frame["id"]:
                return answer


class Table:
    """Four seats; the next move is made when all four have seen the one before."""

    def __init__(self, name: str, seats: list[Seat]) -> None:
        self.name = name
        self.seats = seats
        self.moves = 0
        self._missing = 0

    def move(self) -> None:
        """Lay a tile; whether it fits does not matter to the gateway."""
        self._missing = SEATS
        part = {"tile": [3, 4], "end": "left", "turn": self.moves, "fence": 1}
        seat = self.seats[self.moves % SEATS]
        seat.send(t="play", id=f"m{self.moves}", table=self.name, d=part)

    def arrived(self) -> None:
        """One of the four has it."""
        self._missing -= 1
        if self._missing == 0:
            self.moves += 1
            self.move()


async def open_tables(port: int, number: int) -> list[Table]:
    """So many tables with four seats each."""
    loop = asyncio.get_running_loop()

    async def one() -> Table:
        name, seats = new_id(), []
        for seat in range(SEATS):
            _, protocol = await loop.create_connection(Seat, "127.0.0.1", port)
            await protocol.opened
            await protocol.ask(t="hello", id="hello", d={"proto": 1})
            kind = "table.sit" if seat else "table.create"
            await protocol.ask(t=kind, id=f"sit{seat}", table=name)
            await protocol.ask(t="watch", id=f"watch{seat}", table=name)
            seats.append(protocol)
        for protocol in seats:
            await protocol.ask(t="watch", id="ready", table=name)
        return Table(name, seats)

    return await asyncio.gather(*(one() for _ in range(number)))


async def drive(port: int, gateway: int, tables: int, seconds: float) -> list[tuple[float, float]]:
    """Of each round: microseconds of CPU a move, and moves a second."""
    opened = await open_tables(port, tables)
    for table in opened:
        for seat in table.seats:
            seat.table = table
        table.move()
    await asyncio.sleep(1.0)
    rounds = []
    for _ in range(ROUNDS):
        moves, cpu = sum(table.moves for table in opened), cpu_s(gateway)
        await asyncio.sleep(seconds)
        moves = sum(table.moves for table in opened) - moves
        rounds.append(((cpu_s(gateway) - cpu) / max(1, moves) * 1e6, moves / seconds))
    return rounds


def cpu_s(pid: int) -> float:
    """CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def calibration_ms() -> float:
    """Time of one fixed loop: how fast this machine is right now."""
    start = time.perf_counter()
    sum(number * number % 7 for number in range(1_000_000))
    return (time.perf_counter() - start) * 1e3


@asynccontextmanager
async def role(*arguments: str) -> AsyncIterator[tuple[int, str]]:
    """The same file as another process: its id, and the address that it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, __file__, *arguments, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None  # noqa: S101
        yield process.pid, (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.wait()


async def be_table() -> None:
    """A table server, for ever."""
    replica = Replica(World())
    await replica.start()
    print(replica.address, flush=True)
    await asyncio.Event().wait()


async def be_gateway(table: str) -> None:
    """A gateway, for ever."""
    async with gateway_of([table], limits=Limits(1e6, 1e6)) as gateway:
        print(gateway.port, flush=True)
        await asyncio.Event().wait()


async def measure(tables: int, seconds: float) -> list[tuple[float, float]]:
    """All of it."""
    async with role("--be-table") as (_, table), role("--be-gateway", table) as (pid, port):
        return await drive(int(port), pid, tables, seconds)


def main() -> None:
    """Measure and print, or be one of the processes."""
    parser = argparse.ArgumentParser(description="The gateway's CPU for a move.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each round")
    parser.add_argument("--be-table", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--be-gateway", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.be_table or arguments.be_gateway:
        asyncio.run(be_table() if arguments.be_table else be_gateway(arguments.be_gateway))
        return
    calibration = calibration_ms()
    rounds = asyncio.run(measure(arguments.tables, arguments.seconds))
    result = {
        "tables": arguments.tables,
        "us_per_move": round(statistics.median(cost for cost, _ in rounds), 1),
        "moves_per_s": round(statistics.median(speed for _, speed in rounds)),
        "calibration_ms": round(calibration, 1),
        "load": round(os.getloadavg()[0], 2),
    }
    if arguments.json:
        print(json.dumps(result))
        return
    print("  ".join(f"{name} {value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
