"""What the archive carries: `python bench/archive.py [--json] [--commits N]`.

Random matches, many at a time, are archived in PostgreSQL as they would be from the log: commits
a second, and the memory of who archives, at the beginning and at the end. Then the read models
are made anew from the second copy, and single matches are loaded: the time of the rows, and with
the answer that is made of them. A calibration loop's time stands beside the figures, for the
machine is never the same twice.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, cast

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
from laelo_tools.embedded import Postgres
from laelo_tools.embedded.postgres import remove_data
from laelo_tools.load.processes import calibrate
from laelo_tools.ports import Ports
from laelo_tools.supervisor import OnExit, Supervisor

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from services.table.tests.kit import random_match  # noqa: E402 - of the tests

COMMITS: Final = 1_000_000
TOGETHER: Final = 400
"""So many tables play at once."""
PATTERNS: Final = 60
"""So many different matches; each is played at many tables."""
LOADS: Final = 300
WANTED_LOAD_MS: Final = 2.0


class Town:
    """A log that is made while it is read: nothing of it stays in memory."""

    def __init__(self, commits: int) -> None:
        self._commits = commits
        self._matches = [random_match(seed, 4, 15).commits for seed in range(PATTERNS)]
        self._made = self._make()
        self._unread: list[Recorded] = []
        self._last = 0
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
            yield Recorded(sequence, subject, data, sequence)

    def _table(self, chance: random.Random, number: int) -> Iterator[tuple[str, bytes]]:
        aggregate = Aggregate(Kind.TABLE, f"01B{number:023}")
        digest = b""
        match = chance.choice(self._matches)
        for pattern in match:
            commit = events_pb2.Commit()
            commit.CopyFrom(pattern)
            commit.head.aggregate, commit.head.previous = aggregate.id, digest
            data = commit.SerializeToString()
            digest = sha256(data).digest()
            yield aggregate.subject, data
        if 230 <= len(match) <= 270:
            self.long.append(aggregate.id)


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
async def postgres() -> AsyncIterator[Database]:
    """A PostgreSQL that syncs, as one that is run does."""
    with tempfile.TemporaryDirectory(prefix="laelo-bench-") as folder:
        ports, data = Ports(), Path(folder) / "postgres"
        server = Postgres(data, ports.free())
        supervisor = Supervisor(OnExit.LEAVE)
        await supervisor.start(server.prepare())
        database = Database(server.dsn, MIGRATIONS)
        await database.reach()
        try:
            yield database
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


async def rebuild_all(database: Database) -> dict[str, Any]:
    """Make all read models anew."""
    began = time.perf_counter()
    counts: list[int] = []
    async with database.connection() as connection:
        await rebuild(connection, lambda _, commits: counts.append(commits))
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
    async with postgres() as database:
        town = Town(commits)
        found |= await archive_all(town, database, commits)
        found |= await load_some(town, database)
        async with database.connection() as connection:
            size = await connection.fetchval("SELECT pg_database_size(current_database())")
        found["bytes_a_commit"] = round(size / commits)
        found |= await rebuild_all(database)
    return found


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
            print(f"{name:28}{value:>14,}")


if __name__ == "__main__":
    main()
