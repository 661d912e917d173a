"""How late move clocks are: `python bench/clocks.py [--json] [--turns N] [--only NAME]`.

Nobody moves at these tables, so every turn is ended by the clock, while other tables are
played at on the same machine. Milliseconds from the deadline in the log to the moment at
which the clock's move was stored: over turns of 3 s and of 15 s; of the turns that were
open when their home was killed (-9); and of those that were open when NATS was killed,
from the deadline that they had after time was given back. None may be early.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from signal import SIGKILL
from typing import Any, Final, NamedTuple

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.hashing import home
from laelo_common.ids import new_id
from laelo_common.log import JetStreamLog, Kind, NatsSettings, Recorded, connect
from laelo_common.testing.waiting import until
from laelo_tools.errors import LaeloError
from laelo_tools.load.processes import calibrate
from laelo_tools.load.run import Config, measure
from laelo_tools.load.visitor import Visitor
from laelo_tools.platform import Options, Platform

SEATS, TABLES_EACH = 4, 8
LOAD_TABLES, THINK_MS = 50, 1_000
KILLS = 3
OUTAGE_SECONDS = 1.5
LONGEST_SECONDS = 600.0
P99_MS, KILLED_MS = 250, 1_000
"""What is wanted: of the 99th percentile, and of the worst after something was killed."""


class Turn(NamedTuple):
    """A turn that the clock has ended; times in milliseconds."""

    table: str
    began: int
    deadline: int
    ended: int

    @property
    def late(self) -> int:
        """How late; negative if early."""
        return self.ended - self.deadline


@dataclass(slots=True)
class Watcher:
    """Reads the log as it grows, and notes every turn that a clock ends."""

    tables: frozenset[str]
    turns: list[Turn] = field(default_factory=list)
    moved: int = 0
    _open: dict[str, tuple[log_pb2.Head, int]] = field(default_factory=dict)
    """The newest commit of each table, and when its open turn began."""

    def take(self, record: Recorded) -> None:
        """One commit."""
        head = events_pb2.Commit.FromString(record.data).head
        if head.aggregate not in self.tables:
            return
        before, began = self._open.get(head.aggregate, (head, head.time_ms))
        same_turn = head.turn == before.turn
        self._open[head.aggregate] = head, began if same_turn else head.time_ms
        if before.deadline_ms and head.command.startswith("clock-"):
            ended = min(record.time_ms, head.time_ms) if early(head, before) else record.time_ms
            self.turns.append(Turn(head.aggregate, began, before.deadline_ms, ended))
        elif before.deadline_ms and same_turn and head.deadline_ms > before.deadline_ms:
            self.moved += 1


def early(head: log_pb2.Head, before: log_pb2.Head) -> bool:
    """Whether it was decided before the deadline, however long storing it took."""
    return head.time_ms < before.deadline_ms


class House(NamedTuple):
    """A platform under load, and tables at which nobody moves."""

    platform: Platform
    watcher: Watcher

    def killed(self, name: str) -> None:
        """Kill a part without waiting for its end."""
        self.platform.supervisor.child(name).send(SIGKILL)


@asynccontextmanager
async def house(tables: int, move_seconds: int) -> AsyncIterator[House]:
    """Everything started, the tables open, matches begun, others playing."""
    names = [new_id() for _ in range(tables)]
    async with AsyncExitStack() as stack:
        options = Options(port=0, sync="always", pause_ms=0, bot_delay_ms="0", tables=2)
        platform = await stack.enter_async_context(Platform(options))
        connection = await connect(NatsSettings((platform.nats_url,)))
        stack.push_async_callback(connection.close)
        watcher = Watcher(frozenset(names))
        following = await JetStreamLog(connection).follow(Kind.TABLE, 0, watcher.take)
        stack.push_async_callback(following.close)
        load = asyncio.create_task(play_elsewhere(platform.url))
        stack.push_async_callback(ended, load)
        for first in range(0, tables, TABLES_EACH):
            await sit_down(stack, platform, names[first : first + TABLES_EACH], move_seconds)
        yield House(platform, watcher)


async def sit_down(
    stack: AsyncExitStack, platform: Platform, names: list[str], move_seconds: int
) -> None:
    """Four people come, sit down at each of these tables and begin."""
    url = f"ws://{platform.addresses['gateway-1']}/ws"
    people = [
        await stack.enter_async_context(Visitor([url], f"Seat {seat}", random.Random(seat)))
        for seat in range(SEATS)
    ]
    for name in names:
        await people[0].ask("table.create", name, options={"move_seconds": move_seconds})
        for seat, visitor in enumerate(people[1:], 1):
            await visitor.ask("table.sit", name, seat=seat)
        await people[0].ask("table.start", name, level="simple")


async def play_elsewhere(url: str) -> None:
    """Others play on the same machine; what they meet when something is killed is no matter."""
    while True:
        config = Config(tables=LOAD_TABLES, seconds=30, warmup=0, think_ms=THINK_MS, url=url)
        try:
            await measure(config)
        except (LaeloError, OSError, RuntimeError, TimeoutError):
            await asyncio.sleep(1)


async def ended(task: asyncio.Task[None]) -> None:
    """Have a task end."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def undisturbed(seconds: int, turns: int) -> dict[str, Any]:
    """So many turns of one length, with nothing killed."""
    async with house(tables=96 if seconds <= 3 else 192, move_seconds=seconds) as at:

        def found() -> list[Turn]:
            length = seconds * 1000
            return [turn for turn in at.watcher.turns if turn.deadline - turn.began == length]

        await until(lambda: len(found()) >= turns, LONGEST_SECONDS)
        return summary(found()[:turns], wanted_p99=P99_MS)


async def home_killed(turns: int) -> dict[str, Any]:
    """The turns that were open when their table's home was killed."""
    hit: list[Turn] = []
    async with house(tables=96, move_seconds=3) as at:
        addresses = at.platform.addresses
        replicas = frozenset((addresses["table-1"], addresses["table-2"]))
        theirs = {
            name for name in at.watcher.tables if home(name, replicas) == addresses["table-1"]
        }
        for _ in range(KILLS):
            done = len(at.watcher.turns)
            await until(lambda done=done: len(at.watcher.turns) > done + 100, LONGEST_SECONDS)  # type: ignore[misc]
            killed = now_ms()
            at.killed("table-1")
            await asyncio.sleep(1)
            await at.platform.restart("table-1")
            await until(lambda killed=killed: all_over(at.watcher, theirs, killed), LONGEST_SECONDS)  # type: ignore[misc]
            hit += open_at(at.watcher, theirs, killed)
    return summary(hit[:turns], wanted_worst=KILLED_MS)


async def nats_killed(turns: int) -> dict[str, Any]:
    """The turns that were open when NATS was killed, by the deadlines they had in the end."""
    hit: list[Turn] = []
    async with house(tables=96, move_seconds=3) as at:
        tables = set(at.watcher.tables)
        for _ in range(KILLS):
            done = len(at.watcher.turns)
            await until(lambda done=done: len(at.watcher.turns) > done + 100, LONGEST_SECONDS)  # type: ignore[misc]
            killed = now_ms()
            at.killed("nats")
            await asyncio.sleep(OUTAGE_SECONDS)
            await at.platform.restart("nats")
            back = now_ms()
            await until(lambda back=back: all_over(at.watcher, tables, back), LONGEST_SECONDS)  # type: ignore[misc]
            hit += [turn for turn in at.watcher.turns if turn.began <= back and turn.ended > killed]
        moved = at.watcher.moved
    return summary(hit[:turns], wanted_worst=KILLED_MS) | {"given_back": moved}


def open_at(watcher: Watcher, tables: set[str], moment: int) -> list[Turn]:
    """The turns of these tables that were open then."""
    return [t for t in watcher.turns if t.table in tables and t.began <= moment < t.ended]


def all_over(watcher: Watcher, tables: set[str], moment: int) -> bool:
    """Whether each of these tables has ended a turn that began after a moment."""
    return tables == {t.table for t in watcher.turns if t.table in tables and t.began > moment}


def summary(
    turns: list[Turn], *, wanted_p99: int | None = None, wanted_worst: int | None = None
) -> dict[str, Any]:
    """Figures in milliseconds."""
    late = sorted(turn.late for turn in turns)
    p99 = late[min(len(late) - 1, int(len(late) * 0.99))]
    in_time = p99 <= wanted_p99 if wanted_p99 else late[-1] <= (wanted_worst or 0)
    return {
        "turns": len(late),
        "early": sum(ms < 0 for ms in late),
        "p50_ms": late[len(late) // 2],
        "p99_ms": p99,
        "worst_ms": late[-1],
        "wanted": f"p99 <= {wanted_p99} ms" if wanted_p99 else f"worst <= {wanted_worst} ms",
        "is_good": in_time and late[0] >= 0,
    }


def now_ms() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


KINDS: Final[dict[str, Callable[[int], Any]]] = {
    "turns-3s": lambda turns: undisturbed(3, turns),
    "turns-15s": lambda turns: undisturbed(15, turns),
    "home-killed": home_killed,
    "nats-killed": nats_killed,
}


def main() -> int:
    """Measure and print; for people, 1 if clocks are early or too late."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=1_000, help="turns of each kind, at most")
    parser.add_argument("--only", action="append", choices=KINDS, metavar="NAME")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found: dict[str, Any] = {"calibration_ms": round(calibrate(), 2), "load": os.getloadavg()[0]}
    chosen = options.only or list(KINDS)
    for name in chosen:
        found[name] = asyncio.run(KINDS[name](options.turns))
        if not options.json:
            print(f"{name}: {found[name]}", flush=True)
    if options.json:
        print(json.dumps(found))
    return 0 if options.json or all(found[name]["is_good"] for name in chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
