"""All checks of a run that is over, one after another."""

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from laelo.tournament.v1 import tournament_pb2
from laelo_common.log import Kind, Recorded, Snapshot
from laelo_matchmaking.domain.evolve import evolve as evolve_queue
from laelo_matchmaking.domain.state import EMPTY
from laelo_tools.championships.verify import Report, verify
from laelo_tools.history.source import histories
from laelo_tools.platform import Platform

from tests.faults.nemesis.checks.boards import check_boards, check_ends, check_gaps
from tests.faults.nemesis.checks.commands import check_commands, check_order
from tests.faults.nemesis.checks.ends import (
    check_goes_on,
    check_limbo,
    check_once_each,
    check_reports,
    check_stuck,
)
from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.checks.hidden import check_hidden, check_names
from tests.faults.nemesis.checks.logs import check_chains, check_clocks, check_tables
from tests.faults.nemesis.checks.models import Rows, check_copied, check_rebuilt, rows_in
from tests.faults.nemesis.history import Heard, History, asked
from tests.faults.nemesis.logs import Log, log_of, patiently

WANTED_COMMITS: Final = 40
"""So many follow at each open table once all was mended."""
COPIED_SECONDS: Final = 60.0
WRITERS: Final = ("table-", "matchmaking-")


class Judged(NamedTuple):
    """What was found, and how much there was to look at."""

    findings: list[Finding]
    counts: dict[str, int]
    log: Log


class Read(NamedTuple):
    """The log as it is in the end."""

    log: Log
    streams: dict[Kind, dict[str, list[Recorded]]]
    snapshots: dict[str, Snapshot | None]
    reports: list[Report]


class Ends(NamedTuple):
    """What was there to be seen once all was mended."""

    mended: Mapping[str, int]
    """Tables that were looked at then, and their versions."""
    brackets: Mapping[str, int]
    """Championships that ran then, and their versions."""
    last: Mapping[str, int]
    """The versions of all tables when nobody did anything more."""
    looking: Mapping[str, Mapping[str, int]]
    """What everybody has seen in the end of the tables that they look at."""
    unanswered: Sequence[str]
    """Who waits in vain, and for what."""
    to_the_end: bool
    """Whether all was to come to an end."""


async def judge(platform: Platform, history: History, ends: Ends, names: Sequence[str]) -> Judged:
    """Read everything, and hold it against what everybody saw. The writers of the log are
    stopped first: clocks and bots would play on.
    """
    for name in platform.pids:
        if name.startswith(WRITERS):
            await platform.supervisor.child(name).stop()
    read = await patiently(lambda: _read(platform.nats_url))
    log, commands = read.log, asked(history)
    findings = [
        *check_commands(commands, log),
        *check_order(commands, log),
        *check_boards(history, log),
        *check_gaps(history),
        *[Finding("unanswered", words) for words in ends.unanswered],
        *check_ends(ends.looking, ends.last),
        *check_hidden(history, log),
        *check_names(history, log, names),
        *check_stuck(ends.mended, WANTED_COMMITS, log),
        *_limbo(read, ends),
        *check_reports(read.reports),
        *check_once_each(log.championships, log),
        *check_tables(log, read.snapshots),
        *check_chains({**read.streams[Kind.CHAMPIONSHIP], **read.streams[Kind.QUEUE]}),
        *check_clocks(log),
        *await _models(platform, read),
    ]
    counts = {
        "commands": len(commands),
        "acknowledged": sum(one.is_done for one in commands),
        "refused": sum(bool(one.refused) for one in commands),
        "unknown": sum(one.answered < 0 for one in commands),
        "commits": sum(len(table.records) for table in log.tables.values()),
        "tables": len(log.tables),
        "championships": len(log.championships),
        "frames": sum(isinstance(entry, Heard) for entry in history.entries),
    }
    return Judged(findings, counts, log)


async def _read(nats_url: str) -> Read:
    async with histories(nats_url) as log:
        streams = {kind: await log.all(kind) for kind in Kind}
        tables = streams[Kind.TABLE]
        snapshots = {table: await log.snapshot(table) for table in tables}
        reports = [
            await verify(name, records, log.of)
            for name, records in streams[Kind.CHAMPIONSHIP].items()
        ]
    read = log_of(tables, streams[Kind.CHAMPIONSHIP], streams[Kind.QUEUE])
    return Read(read, streams, snapshots, reports)


def _limbo(read: Read, ends: Ends) -> list[Finding]:
    if not ends.to_the_end:
        now = {name: len(records) for name, records in read.log.championships.items()}
        return check_goes_on(ends.brackets, now)
    stages = {report.championship: report.state.stage for report in read.reports}
    queue = EMPTY
    for commit in read.log.queue:
        queue = evolve_queue(queue, commit)
    running = [name for name, stage in stages.items() if stage == tournament_pb2.STAGE_RUNNING]
    waiting = [called.championship for called in queue.pending]
    busy = {player: held.championship for player, held in queue.busy.items()}
    return check_limbo(running, waiting, busy)


async def _models(platform: Platform, read: Read) -> list[Finding]:
    stored = {
        kind.stream: [
            record.data
            for record in sorted(
                (one for records in aggregates.values() for one in records),
                key=lambda record: record.sequence,
            )
        ]
        for kind, aggregates in read.streams.items()
    }
    before = await _caught_up(platform.pg_dsn, stored)
    findings = check_copied(stored, before)
    for service, program in (
        ("archive", "audit"), ("archive", "rebuild"), ("tournament", "rebuild"),
    ):  # fmt: skip
        findings += await _program(platform, service, program)
    return findings + check_rebuilt(before, await rows_in(platform.pg_dsn))


async def _caught_up(dsn: str, stored: Mapping[str, Sequence[bytes]]) -> Rows:
    """The rows, once nothing of the log is lacking and no row changes any more."""
    before: Rows = {}
    loop = asyncio.get_running_loop()
    end = loop.time() + COPIED_SECONDS
    while loop.time() < end:
        rows = await rows_in(dsn)
        if rows == before and not check_copied(stored, rows):
            return rows
        before = rows
        await asyncio.sleep(1.0)
    return before


async def _program(platform: Platform, service: str, program: str) -> list[Finding]:
    variable = f"LAELO_{service.upper()}"
    own = {f"{variable}_NATS_URL": platform.nats_url, f"{variable}_PG_DSN": platform.pg_dsn}
    more = ["--source", "log"] if program == "rebuild" else []
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"laelo_{service}.{program}", *more,
        env={**os.environ, **own, f"{variable}_COPY_DSN": platform.pg_dsn},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await process.communicate()
    if process.returncode == 0:
        return []
    words = f"laelo_{service}.{program} ended with {process.returncode}: {said.decode()[-400:]}"
    return [Finding("models", words)]
