"""Power cuts in the midst of play: nothing that anybody was told of is gone.

NATS and PostgreSQL keep their files on one disk (`disk.py`). In each round people play and a
writer commits to PostgreSQL; at a random moment both servers are stopped where they are
(SIGSTOP), the disk loses its power, and everything is killed. Then the disk is mounted again, all
is started on what is left, and compared with what people saw. With `sync="default"`, where
JetStream acknowledges before it syncs, the same has to find losses: else the cut cuts nothing.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from laelo_common.log import Recorded
from laelo_tools.embedded.nats import Sync
from laelo_tools.errors import LaeloError
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.load.meter import Meter
from laelo_tools.load.processes import family
from laelo_tools.platform import Options, Platform

from tests.durability.archived import audit
from tests.durability.disk import Disk
from tests.durability.witness import Missing, SeenTable, Writer
from tests.integration.archived import all_archived

TABLES = 8
MEGABYTES = 1024
PLAYED_SECONDS = (1.0, 4.0)
SERVERS = ("nats", "postgres")
QUICK = Options(port=0, pause_ms=0, bot_delay_ms="0", tables=1, archives=1)


@dataclass
class Cuts:
    """What came out of all cuts together."""

    sync: Sync
    cuts: int = 0
    commits: int = 0
    """Shown to people."""
    lost: int = 0
    tables_wrong: int = 0
    rows: int = 0
    """Acknowledged by PostgreSQL."""
    unreadable: str = ""
    """Why a server refused what it found after a cut; all that was shown is lost then."""
    rows_lost: int = 0
    audits_wrong: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        """Whether nothing was lost and nothing is wrong."""
        wrong = self.lost + self.tables_wrong + self.rows_lost + self.audits_wrong
        return self.cuts > 0 and not wrong and not self.errors


async def cut_often(folder: Path, sync: Sync, cuts: int, seed: int) -> Cuts:
    """So many rounds on one disk, the log of all of them checked after each."""
    found, chance = Cuts(sync), Random(seed)
    disk = Disk(folder, MEGABYTES)
    seen: list[SeenTable] = []
    writer = Writer("")
    try:
        for number in range(cuts + 1):
            platform = Platform(replace(QUICK, state=disk.path / "state", sync=sync))
            try:
                if not await _starts(platform, found):
                    break
                await _check(platform, found, seen, writer)
                if number < cuts:
                    seconds = chance.uniform(*PLAYED_SECONDS)
                    seen += await _play_until_cut(platform, disk, writer, seconds, found)
            finally:
                await platform.stop()
            if number < cuts:
                disk.unmount()
                disk.mount()
                found.cuts += 1
    finally:
        disk.remove()
    return found


async def _starts(platform: Platform, found: Cuts) -> bool:
    """Start on what is left; False if a server can't read it."""
    try:
        await platform.start()
    except LaeloError as error:
        if not found.cuts:
            raise
        said = str(error).splitlines()[0]
        found.unreadable = said.replace(str(platform.options.state), "STATE")
        found.lost = found.commits
        return False
    return True


async def _play_until_cut(
    platform: Platform, disk: Disk, writer: Writer, seconds: float, found: Cuts
) -> list[SeenTable]:
    """New tables play for a while; then the power is gone."""
    meter = Meter()
    url = platform.url.replace("http", "ws", 1) + "/ws"
    tables = [SeenTable(url, meter, found.cuts * TABLES + number) for number in range(TABLES)]
    await asyncio.gather(*(table.join() for table in tables))
    writer.dsn = platform.pg_dsn
    await writer.begin()
    for table in tables:
        table.start()
    await asyncio.sleep(seconds)
    # PostgreSQL's parent first: the others would not notice its end while they wait for a lock.
    servers = [pid for name in SERVERS for pid in family(platform.pids[name])]
    _signal(servers, signal.SIGSTOP)
    disk.cut()
    _signal(servers, signal.SIGKILL)
    platform.supervisor.kill()
    for table in tables:
        table.leave()
    await writer.end()
    found.commits += sum(len(table.frames) for table in tables)
    for code, count in meter.errors.items():
        found.errors[code] = found.errors.get(code, 0) + count
    found.examples += meter.examples
    return tables


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # it ended by itself
            os.kill(pid, number)


async def _check(
    platform: Platform, found: Cuts, seen: Sequence[SeenTable], writer: Writer
) -> None:
    """Compare what is left with what was shown in all rounds."""
    if not seen:
        return
    async with histories(platform.nats_url) as source:
        log = await source.all()
        for table, records in log.items():
            report = verify_table(table, records, await source.snapshot(table))
            found.tables_wrong += bool(report.faults)
            found.examples += [f"{table}: {fault.reason}" for fault in report.faults]
    missing = [one for table in seen for one in table.missing(log.get(table.id, []))]
    found.lost = len(missing)  # of all rounds until now
    found.examples += [_named(one, log) for one in missing[:3]]
    writer.dsn = platform.pg_dsn
    found.rows_lost += await writer.lost()
    found.rows = writer.acknowledged
    if found.lost:  # the archive may have more than the log then, and says so
        return
    await all_archived(platform)
    found.audits_wrong += await audit(platform) != 0


def _named(one: Missing, log: dict[str, list[Recorded]]) -> str:
    last = len(log.get(one.table, []))
    return f"{one.table}: commit {one.version} was shown, the log ends at {last}"
