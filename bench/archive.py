"""What the archive carries: `python bench/archive.py [--json] [--commits N]`.

Random matches, many at a time, are archived in PostgreSQL as they would be from the log: commits
a second, and the memory of who archives, at the beginning and at the end. Single matches are
loaded: the time of the rows, and with the answer that is made of them. Then the read models are
made anew from the second copy, every move of it is checked again by the rules, and a log that syncs
is filled from a part of it. A calibration loop's time stands beside the figures, for the machine is
never the same twice; and what the library `eventsourcing` of the Python Package Index did on such a
machine, which decodes its events and checks nothing.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, cast

import asyncpg
from laelo.archive.v1 import archive_pb2
from laelo.table.v1 import events_pb2
from laelo_archive.adapters.reading import PostgresReading
from laelo_archive.adapters.writing import PostgresShelves
from laelo_archive.app import Archive
from laelo_archive.archivist import Archivist
from laelo_archive.migrate import MIGRATIONS
from laelo_archive.rebuild import rebuild
from laelo_common.log import Aggregate, Kind, Life, Log, Recorded
from laelo_common.postgres import Database
from laelo_common.testing.nats import NatsServer
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.load.processes import calibrate
from laelo_tools.ports import Ports
from laelo_tools.second_copy.check import check_all
from laelo_tools.second_copy.places import database_at, log_at
from laelo_tools.second_copy.restore import Restorer
from laelo_tools.supervisor import OnExit, Supervisor

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from services.table.tests.kit import random_match  # noqa: E402 - of the tests

COMMITS: Final = 1_000_000
TOGETHER: Final = 400
"""So many tables play at once."""
PATTERNS: Final = 600
"""So many different matches, made by all cores; each is played at several tables."""
RESTORED: Final = 50_000
PEER: Final = {"peer_events_a_second": "39,000-57,000", "peer_load_ms": "8-19"}
LOADS: Final = 300
WANTED_LOAD_MS: Final = 2.0
WANTED_MOVES: Final = 200_000


class Town:
    """A log that is made while it is read: nothing of it stays in memory."""

    def __init__(self, commits: int, patterns: int = PATTERNS) -> None:
        self._commits = commits
        self._matches = different_matches(patterns)
        self._made = self._make()
        self._unread: list[Recorded] = []
        self._last = 0
        self._now_ms = time.time_ns() // 1_000_000
        self.long: list[str] = []
        """Tables whose match is over and has some 250 commits."""

    async def life(self, _kind: Kind) -> Life:
        """The stream as it will be."""
        return Life("bench", 1, self._commits)

    async def follow(
        self, _kind: Kind, after: int, on_message: Callable[[Recorded], None]
    ) -> "Reading":
        """Hand over what follows; of what was handed over too early the rest comes again."""
        self._unread = [one for one in self._unread if one.sequence > after]
        return Reading(self, on_message)

    def some(self, count: int) -> list[Recorded]:
        """The next commits."""
        while len(self._unread) < count and self._last < self._commits:
            self._last += 1
            self._unread.append(next(self._made))
        return self._unread[:count]

    def _make(self) -> Iterator[Recorded]:
        chance = random.Random(1)
        started = max(1, min(TOGETHER, self._commits // 1000))
        playing = [self._table(chance, number) for number in range(started)]
        for sequence in range(1, self._commits + 1):
            place = chance.randrange(len(playing))
            made = next(playing[place], None)
            if made is None:
                playing[place] = self._table(chance, started)
                started += 1
                made = next(playing[place])
            subject, data = made
            yield Recorded(sequence, subject, data, self._now_ms + sequence)

    def _table(self, chance: random.Random, number: int) -> Iterator[tuple[str, bytes]]:
        aggregate = Aggregate(Kind.TABLE, f"01B{number:023}")
        digest = b""
        match = chance.choice(self._matches)
        for pattern in match:
            commit = events_pb2.Commit.FromString(pattern)
            commit.head.aggregate, commit.head.previous = aggregate.id, digest
            data = commit.SerializeToString()
            digest = sha256(data).digest()
            yield aggregate.subject, data
        if 230 <= len(match) <= 270:
            self.long.append(aggregate.id)


@cache
def different_matches(count: int) -> list[list[bytes]]:
    """So many matches."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        return list(pool.map(stored_match, range(count), chunksize=20))


def stored_match(seed: int) -> list[bytes]:
    """A match, as it is stored."""
    return random_match(seed, 4, 15).stored


class Reading:
    """Hands over as fast as it is taken."""

    def __init__(self, town: Town, on_message: Callable[[Recorded], None]) -> None:
        self._task = asyncio.create_task(self._run(town, on_message))

    async def _run(self, town: Town, on_message: Callable[[Recorded], None]) -> None:
        for commit in town.some(6000):
            on_message(commit)
        await asyncio.Event().wait()

    async def wait(self) -> None:
        """Wait for the end, which does not come."""
        await asyncio.shield(self._task)

    async def close(self) -> None:
        """Stop."""
        self._task.cancel()


@asynccontextmanager
async def postgres() -> AsyncIterator[tuple[Database, str]]:
    """A PostgreSQL that syncs, as one that is run does, and where it is."""
    with tempfile.TemporaryDirectory(prefix="laelo-bench-") as folder:
        ports, data = Ports(), Path(folder) / "postgres"
        server = Postgres(data, ports.free())
        supervisor = Supervisor(OnExit.LEAVE)
        await supervisor.start(server.prepare())
        database = Database(server.dsn, MIGRATIONS)
        await database.reach()
        try:
            yield database, server.dsn
        finally:
            await database.close()
            await supervisor.stop()
            ports.release()
            remove_data(data)


async def archive_all(town: Town, database: Database, commits: int) -> dict[str, Any]:
    """Archive the whole log: seconds, and what it did to the memory."""
    archivist = Archivist(Kind.TABLE, cast("Log", town), town, PostgresShelves(database))
    began, cpu = time.perf_counter(), time.process_time()
    running = asyncio.create_task(archivist.run())
    early = 0.0
    while archivist.archived < commits and not running.done():
        await asyncio.sleep(0.05)
        if not early and archivist.archived >= commits / 10:
            early = memory_mb()
    seconds = time.perf_counter() - began
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return {
        "commits": archivist.archived,
        "seconds": round(seconds, 1),
        "commits_a_second": round(archivist.archived / seconds),
        "cpu_us_a_commit": round((time.process_time() - cpu) / commits * 1e6, 1),
        "memory_mb_at_a_tenth": round(early, 1),
        "memory_mb_at_the_end": round(memory_mb(), 1),
    }


async def rebuild_all(dsn: str) -> dict[str, Any]:
    """Make all read models anew."""
    began = time.perf_counter()
    counts: list[int] = []
    connection = await asyncpg.connect(dsn, command_timeout=3600)
    await rebuild(connection, counts.append)
    await connection.close()
    seconds = time.perf_counter() - began
    return {"rebuild_seconds": round(seconds, 1), "rebuilt_a_second": round(sum(counts) / seconds)}


async def load_some(town: Town, database: Database) -> dict[str, Any]:
    """Load matches of some 250 commits, one after the other."""
    reading = PostgresReading(database)
    archive = Archive(reading)
    rows_ms: list[float] = []
    whole_ms: list[float] = []
    for table in random.Random(2).choices(town.long, k=LOADS):
        began = time.perf_counter()
        await reading.whole(table, 1)
        rows_ms.append((time.perf_counter() - began) * 1e3)
        began = time.perf_counter()
        answer = await archive.replay(archive_pb2.ReplayRequest(table=table, match=1))
        whole_ms.append((time.perf_counter() - began) * 1e3)
        assert answer.ended_ms  # noqa: S101 - a match that is over was asked for
    return {
        "load_rows_ms": round(statistics.median(rows_ms), 2),
        "load_replay_ms": round(statistics.median(whole_ms), 2),
        "wanted_load_ms": WANTED_LOAD_MS,
    }


async def check_all_moves(dsn: str) -> dict[str, Any]:
    """Check every move again by the rules, on all cores."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    checked, wrong = await check_all(dsn, lambda _: None)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert not wrong  # noqa: S101 - random matches keep the rules
    return {
        "checked_moves": checked.moves,
        "checked_moves_a_second": round(checked.moves / seconds),
        "wanted_moves_a_second": WANTED_MOVES,
        "check_cpu_us_a_move": round(cpu / checked.moves * 1e6, 2),
        "check_memory_mb_a_process": round(after.ru_maxrss / 1024, 1),
    }


async def restore_some(commits: int) -> dict[str, Any]:
    """Fill a log that syncs each commit from the second copy of so many."""
    async with postgres() as (database, dsn):
        await archive_all(Town(commits), database, commits)
        with NatsServer(sync_interval="always") as server:
            began = time.perf_counter()
            async with log_at(server.url) as link, database_at(dsn) as connection:
                await Restorer(link, connection).restore()
            seconds = time.perf_counter() - began
    return {"restored": commits, "restored_a_second": round(commits / seconds)}


def memory_mb() -> float:
    """What this process has in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def making_us(commits: int) -> float:
    """What it costs to make a commit of the log, which is measured along."""
    town = Town(commits)
    began = time.process_time()
    town.some(commits)
    return (time.process_time() - began) / commits * 1e6


async def measure(commits: int) -> dict[str, Any]:
    """All figures."""
    found: dict[str, Any] = {
        "calibration_ms": round(calibrate(), 2),
        "load": os.getloadavg()[0],
        "making_us_a_commit": round(making_us(min(commits, 20_000)), 1),
    }
    async with postgres() as (database, dsn):
        town = Town(commits)
        found |= await archive_all(town, database, commits)
        found |= await load_some(town, database)
        async with database.connection() as connection:
            size = await connection.fetchval("SELECT pg_database_size(current_database())")
        found["bytes_a_commit"] = round(size / commits)
        found |= await rebuild_all(dsn)
        found |= await check_all_moves(dsn)
    found |= await restore_some(min(commits, RESTORED))
    return found | PEER


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--commits", type=int, default=COMMITS)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    found = asyncio.run(measure(options.commits))
    if options.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:28}{value if isinstance(value, str) else format(value, ','):>16}")


if __name__ == "__main__":
    main()
