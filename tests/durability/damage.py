"""Damaged stores: what is lost is named, and restored from the other copy.

One match at each of some tables is played and archived; then all is stopped and, in the store of
NATS or in that of PostgreSQL, one bit is turned or a file cut short. The audit has to find it;
after the restore of docs/operations/restore.md both copies have to be the same again, with all
that anybody was shown.
"""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
from laelo_tools.embedded import Nats, Postgres
from laelo_tools.errors import LaeloError
from laelo_tools.history.source import histories
from laelo_tools.load.meter import Meter
from laelo_tools.platform import Options, Platform
from laelo_tools.ports import Ports
from laelo_tools.second_copy.places import Places
from laelo_tools.streams import prepare_log
from laelo_tools.supervisor import OnExit, Supervisor

from tests.durability.witness import SeenTable
from tests.integration.archived import all_archived

TABLES = 4
SECONDS = 4.0
COMMITS = "archive_commits"
DAMAGES = ("log-bit", "log-short", "copy-bit", "copy-short")


@dataclass
class Damaged:
    """What came of one damage."""

    what: str
    """Which file, and where."""
    commits: int = 0
    """That were shown to people."""
    named: list[str] = field(default_factory=list)
    """What the audit, or the server, said of it."""
    restored: list[str] = field(default_factory=list)
    missing: int = 0
    """After the restore."""
    good: bool = False


async def damage(folder: Path, name: str, seed: int) -> Damaged:
    """Do one kind of damage to a platform that has played, and repair it."""
    state = folder / "state"
    seen, relation = await _play(state)
    where = state / ("postgres" if name.startswith("copy") else "nats")
    file = where / relation if name.startswith("copy") else _newest_block(state)
    found = Damaged(_hurt(file, name, Random(seed)), sum(len(table.frames) for table in seen))
    found.named = await _named(state)
    shutil.rmtree(where if name.startswith("copy") else where / "jetstream")
    if name.startswith("copy"):
        found.restored, clean = await _archive_anew(state)
    else:
        found.restored, clean = await _restore_log(state)
    found.missing = await _missing(state, seen)
    found.good = bool(found.named) and clean and found.missing == 0
    return found


async def _play(state: Path) -> tuple[list[SeenTable], str]:
    """Play; what was seen, and where PostgreSQL keeps the second copy."""
    async with Platform(Options(state=state, port=0, pause_ms=0, archives=1)) as platform:
        meter, url = Meter(), platform.url.replace("http", "ws", 1) + "/ws"
        tables = [SeenTable(url, meter, number) for number in range(TABLES)]
        await asyncio.gather(*(table.join() for table in tables))
        for table in tables:
            table.start()
        await asyncio.sleep(SECONDS)
        for table in tables:
            table.leave()
        # Nobody may write while the archive catches up.
        for name in ("gateway-1", "table-1", "table-2"):
            await platform.kill(name)
        await all_archived(platform)
        connection: Any = await asyncpg.connect(platform.pg_dsn)
        try:
            relation = await connection.fetchval("SELECT pg_relation_filepath($1)", COMMITS)
        finally:
            await connection.close()
    return tables, str(relation)


def _newest_block(state: Path) -> Path:
    blocks = state.glob("nats/jetstream/*/streams/TBL/msgs/*.blk")
    return max(blocks, key=lambda path: path.stat().st_size)


def _hurt(file: Path, name: str, chance: Random) -> str:
    """Turn one bit of a file, or take away its second half; what was done."""
    size = file.stat().st_size
    with file.open("r+b") as opened:
        if name.endswith("short"):
            opened.truncate(size // 2)
            return f"{file.name}: {size // 2:,} of {size:,} bytes left"
        place, bit = chance.randrange(size // 4, 3 * size // 4), chance.randrange(8)
        opened.seek(place)
        (byte,) = opened.read(1)
        opened.seek(place)
        opened.write(bytes((byte ^ 1 << bit,)))
    return f"{file.name}: bit {bit} of byte {place:,} of {size:,}"


@asynccontextmanager
async def _servers(state: Path) -> AsyncIterator[Places]:
    """NATS and PostgreSQL alone. Raises LaeloError for a store that one of them refuses."""
    ports, supervisor = Ports(), Supervisor(OnExit.LEAVE, None)
    nats = Nats(state / "nats", ports.free())
    postgres = Postgres(state / "postgres", ports.free())
    try:
        await supervisor.start(nats.prepare(), await asyncio.to_thread(postgres.prepare))
        yield Places(nats.url, postgres.dsn, postgres.dsn)
    finally:
        await supervisor.stop()
        ports.release()


async def _named(state: Path) -> list[str]:
    """What is said of the damage: by the server that can't start, or by the audit."""
    try:
        async with _servers(state) as places:
            status, lines = await _laelo(places, "audit")
    except LaeloError as error:
        return str(error).splitlines()[:3]
    return [line for line in lines if not line.endswith(": good")] if status else []


async def _laelo(places: Places, word: str) -> tuple[int, list[str]]:
    """`laelo log …`: exit status and what it says."""
    argv = ("-m", "laelo_tools.cli", "log", word, "--nats", places.nats_url, "--pg", places.pg_dsn)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    said, wrong = await process.communicate()
    lines = said.decode().splitlines()
    if not lines:  # it could not even begin: why, is said elsewhere
        lines = wrong.decode().splitlines()[-1:]
    return int(process.returncode or 0), lines


async def _restore_log(state: Path) -> tuple[list[str], bool]:
    """Fill an empty log from the second copy."""
    async with _servers(state) as places:
        await prepare_log(places.nats_url)
        status, lines = await _laelo(places, "restore")
        audited, _ = await _laelo(places, "audit")
    return lines, status == 0 and audited == 0


async def _archive_anew(state: Path) -> tuple[list[str], bool]:
    """Have the archive fill an empty database from the log."""
    async with Platform(Options(state=state, port=0, archives=1)) as platform:
        await all_archived(platform)
        places = Places(platform.nats_url, platform.pg_dsn, platform.pg_dsn)
        status, lines = await _laelo(places, "audit")
    return lines, status == 0


async def _missing(state: Path, seen: list[SeenTable]) -> int:
    async with _servers(state) as places, histories(places.nats_url) as source:
        log = await source.all()
        return sum(len(table.missing(log.get(table.id, []))) for table in seen)
