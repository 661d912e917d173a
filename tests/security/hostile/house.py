"""The house that is attacked: all services, honest people at a table, and what must hold."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import asyncpg
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.log import Recorded
from laelo_tools.accounts import sign_in
from laelo_tools.errors import LaeloError
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.load.processes import memory
from laelo_tools.platform import Options, Platform
from websockets.asyncio.client import connect

from tests.integration.player import Player
from tests.security.hostile.cheats import Asked

MIB: Final = 1 << 20
PEOPLE: Final = ("Ana", "Bia", "Caio", "Davi")
GATEWAY: Final = {"RATE": "1000000", "BURST": "1000000", "PROXIES": "1", "GUEST_RATE": "1000000"}
"""The attack is to reach what lies behind the limits; these have tests of their own."""
ARCHIVE_SECONDS: Final = 60
_ARCHIVED: Final = "SELECT count(*) FROM archive_commits WHERE stream = 'TBL'"
_ODD: Final = "SELECT count(*) FROM archive_aggregates WHERE fault <> ''"
_BAD: Final = re.compile(
    r"Traceback \(most recent|\"error\": \"|exception was never retrieved|was never awaited"
    r"|\"level\": \"(error|critical)\"| (ERROR|CRITICAL) "
)
_ASKED_FOR: Final = {
    "opened": {"table.create", "table.quick"},
    "seat_taken": {
        "table.create",
        "table.quick",
        "table.sit",
        "seat.bot",
        "table.start",
        "seat.unbot",
    },
    "seat_taken_2": {
        "table.create",
        "table.quick",
        "table.sit",
        "seat.bot",
        "table.start",
        "seat.unbot",
    },
    "seat_left": {"table.leave", "table.kick", "seat.unbot"},
    "seats_swapped": {"table.swap"},
    "match_started": {"table.start"},
    "played": {"play"},
    "passed": {"pass"},
    "opener_chosen": {"choose_opener"},
    "bot_stands_in": {"seat.bot"},
    "bytes_added": {"deal.bytes"},
    "table_closed": {"table.close", "table.leave"},
}
"""What a person's event has to have been asked for by."""


@dataclass
class House:
    """A running platform with four honest people, who wait at an open turn."""

    platform: Platform
    people: list[Player]
    table: str = ""
    before: Any = None
    bad_lines: list[str] = field(default_factory=list)

    def memory(self) -> dict[str, float]:
        """MiB of each part with all that it started; what is shared counts once."""
        pids = self.platform.pids.items()
        return {name: round(memory(pid).pss / MIB, 1) for name, pid in pids}

    async def seen(self) -> Any:
        """The honest people's table, as anybody sees it."""
        url = self.platform.url.replace("http", "ws", 1) + "/ws"
        async with connect(url, proxy=None) as socket:
            await socket.send('{"t":"hello","id":"h","d":{"proto":1,"name":"Zé"}}')
            await socket.send(json.dumps({"t": "watch", "id": "w", "table": self.table}))
            async for text in socket:
                frame = json.loads(text)
                if frame.get("re") == "w":
                    return {"seq": frame.get("seq"), "d": frame["d"]}
        raise ConnectionError("the socket was closed")

    async def finish(self) -> None:
        """Let the honest match go on to its end."""
        for player in self.people:
            player.holds = lambda _: False
        for player in self.people:
            await player.act()
        await asyncio.gather(*(player.played(1) for player in self.people))

    async def archived(self, commits: int) -> tuple[int, int]:
        """How many commits of tables the archive has, and at how many aggregates it found faults;
        it has a while to get them all.
        """
        connection = await asyncpg.connect(self.platform.pg_dsn)
        try:
            for _ in range(ARCHIVE_SECONDS):
                kept = await connection.fetchval(_ARCHIVED)
                if kept >= commits:
                    break
                await asyncio.sleep(1)
            return int(kept), int(await connection.fetchval(_ODD))
        finally:
            await connection.close()

    async def check(self, asked: Asked) -> tuple[Counter[str], list[str]]:
        """What stands in the log, and all that is wrong with it."""
        async with histories(self.platform.nats_url) as found:
            tables = await found.all()
        counts, faults = Counter[str](), list[str]()
        for table, records in tables.items():
            report = verify_table(table, records)
            counts.update(tables=1, commits=report.commits, moves=report.moves)
            faults += [f"table {table}, version {f.version}: {f.reason}" for f in report.faults]
            faults += self._of_people(table, records, asked, counts)
        return counts, faults

    def _of_people(
        self, table: str, records: Sequence[Recorded], asked: Asked, counts: Counter[str]
    ) -> list[str]:
        """What people did, each against what they asked for."""
        honest = {command for player in self.people for command in player.acknowledged}
        faults = []
        for record in records:
            commit = events_pb2.Commit.FromString(record.data)
            head = commit.head
            if head.actor != log_pb2.ACTOR_PERSON or not head.command.startswith(
                head.actor_id + "-"
            ):
                continue
            counts.update(of_people=1)
            if table == self.table:
                if head.command.removeprefix(head.actor_id + "-") not in honest:
                    faults.append(f"the honest table has {head.command}")
                continue
            kinds = asked.kinds(head.actor_id, head.command)
            wanted = _ASKED_FOR.get(str(commit.events[0].WhichOneof("event")))
            if wanted is not None and not wanted & kinds:
                said = [str(event.WhichOneof("event")) for event in commit.events]
                faults.append(f"{said} at {table} by {head.command}, asked for as {kinds}")
        return faults


async def account(url: str, subject: str, name: str) -> str:
    """The cookie of somebody who is signed in; a gateway that has just started may still wait for
    its database.
    """
    async with asyncio.timeout(60):
        while True:
            try:
                return await sign_in(url, subject, name)
            except LaeloError as error:
                if "503" not in str(error):
                    raise
            await asyncio.sleep(0.2)


@asynccontextmanager
async def house(*, many: bool) -> AsyncIterator[House]:
    """Everything up, four people at a table in the middle of a match. `many`: all services."""
    one = 1 if many else 0
    options = Options(
        port=0,
        pause_ms=0,
        bot_delay_ms="0",
        tables=2 if many else 1,
        tournaments=one,
        matchmaking=one,
        archives=one,
        env={"gateway": {f"LAELO_GATEWAY_{name}": text for name, text in GATEWAY.items()}},
    )
    made: list[House] = []

    def look(name: str, line: str) -> None:
        if made and name not in ("nats", "postgres") and _BAD.search(line):
            made[0].bad_lines.append(f"{name}: {line}")

    async with AsyncExitStack() as stack:
        platform = await stack.enter_async_context(Platform(options, look))
        people = [
            await stack.enter_async_context(Player(platform.url, name, seed))
            for seed, name in enumerate(PEOPLE)
        ]
        made.append(House(platform, people))
        await _begin(made[0])
        yield made[0]


async def _begin(held: House) -> None:
    """A match, played up to a turn at which all wait."""
    first, *others = held.people
    held.table = await first.create()
    for seat, player in enumerate(others, start=1):
        await player.join(held.table, seat)
    for player in held.people:
        player.holds = lambda turn: turn["turn"] > 14
    await first.start()
    await asyncio.gather(*(p.until(lambda p=p: _waits(p)) for p in held.people))  # type: ignore[misc]
    held.before = await held.seen()


def _waits(player: Player) -> bool:
    turn = player.view.get("turn") or {}
    return player.seq > 14 and turn.get("turn", 0) > 14
