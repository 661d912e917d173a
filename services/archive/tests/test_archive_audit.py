"""Log and second copy are compared, and every move checked again: whatever is wrong is named."""

import random
import re
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_archive import migrate
from laelo_archive.audit import Audited, audit
from laelo_archive.domain.project import Stream
from laelo_archive.nightly import NEVER, Nightly, is_due
from laelo_common.log import Aggregate, Kind, MemoryLog, Recorded
from laelo_common.log.memory import MemoryFollowing
from laelo_common.postgres import Database
from laelo_tools.errors import LaeloError as ToolError
from laelo_tools.second_copy.check import check_all

from .archiving import finish
from .conftest import Server
from .kit import START_MS, Histories, a_match, an_id, log_of, mixed, retold, some_histories

FOLDER = Path(migrate.__file__).parent / "migrations"
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


@asynccontextmanager
async def undone(connection: Any) -> AsyncIterator[None]:
    """What is changed here is as before afterwards."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        yield
    finally:
        await transaction.rollback()


def a_log(seed: int) -> dict[str, list[Recorded]]:
    chance = random.Random(seed)
    return mixed(chance, some_histories(chance, 3))


SPOILT = {
    "another hash": "UPDATE archive_commits SET hash = '\\x00' WHERE {at}",
    "another hash than": "UPDATE archive_commits SET data = data || '\\x00' WHERE {at}",
    "another one in the log": "UPDATE archive_commits SET data = data || '\\x00' WHERE {at}",
    "has no commit 20": "DELETE FROM archive_commits WHERE {at}",
    "says": "UPDATE archive_commits SET aggregate = 'another' WHERE {at}",
    "the copy ends at": "DELETE FROM archive_commits WHERE stream = 'TBL' AND sequence = {last}",
    "is no commit": "UPDATE archive_commits SET data = '\\xff', hash = sha256('\\xff') WHERE {at}",
    "newest commit": "UPDATE archive_aggregates SET hash = '\\x00' WHERE stream = 'TBL'",
}


async def audited(connection: Any, log: MemoryLog) -> Audited:
    """What comes out for the tables."""
    found = await audit(connection, log, log)
    assert not [one for one in found[1:] if one.faults]
    return found[0]


@pytest.mark.integration
async def test_an_audit_names_what_is_wrong_in_log_or_copy(database: Database) -> None:
    streams = a_log(1)
    log = log_of({name: commits[:-3] for name, commits in streams.items()})
    await finish(log, database)
    tables, last = streams["TBL"], len(streams["TBL"]) - 3
    async with database.connection() as connection:
        good = await audited(connection, log)
        assert (good.commits, good.behind, good.faults, good.fault) == (last, 0, 0, "")
        noted = await connection.fetch("SELECT * FROM archive_audits ORDER BY stream")
        assert [(row["stream"], row["faults"]) for row in noted] == [
            ("MMQ", 0), ("TBL", 0), ("TRN", 0),
        ]  # fmt: skip
        for words, statement in SPOILT.items():
            async with undone(connection):
                at = "stream = 'TBL' AND sequence = 20"
                await connection.execute(statement.format(at=at, last=last))
                found = await audited(connection, log)
                assert found.faults, words
                if words != "another one in the log":
                    assert words in found.fault
        log._streams["TBL"] = list(tables)
        assert (await audited(connection, log)).behind == 3
        log._streams["TBL"] = tables[: last - 5]
        assert f"the log ends at {last - 5}" in (await audited(connection, log)).fault
        other = Recorded(9, tables[8].subject, b"another", 0)
        log._streams["TBL"] = [*tables[:8], other, *tables[9:]]
        assert "commit 9 is another one" in (await audited(connection, log)).fault
        log._streams["TBL"] = [*tables[:8], *tables[9:]]
        assert "gap" in (await audited(connection, log)).fault
        later = Ageing({**log._streams, "TBL": tables[5:last]}, young=())
        assert not (await audited(connection, later)).faults, "they may be too old for it"
        async with undone(connection):
            now_ms = time.time_ns() // 1_000_000
            young = (
                "UPDATE archive_commits SET stored_ms = $1 WHERE stream = 'TBL' AND sequence > 3"
            )
            await connection.execute(young, now_ms - 29 * DAY_MS)
            found = await audited(connection, later)
            assert (found.faults, found.fault) == (
                2,
                "the log does not begin with commit 4, as it should",
            )
        log._streams["TBL"] = list(tables)
        log.created = "another"
        found = (await audit(connection, log, log))[0]
        assert "another stream" in found.fault
        noted = await connection.fetchrow("SELECT * FROM archive_audits WHERE stream = 'TBL'")
        assert (noted["faults"], noted["fault"]) == (found.faults, found.fault)


@pytest.mark.integration
async def test_a_copy_that_was_begun_late_is_good_and_loses_nothing_unseen(
    database: Database,
) -> None:
    """As after PostgreSQL was lost: the log has let go of how some tables began."""
    streams = a_log(5)
    begun = 30
    await finish(Ageing({**streams, "TBL": streams["TBL"][begun:]}, young=()), database)
    log = Ageing({**streams, "TBL": streams["TBL"][begun + 20 :]}, young=())
    async with database.connection() as connection:
        good = await audited(connection, log)
        assert (good.commits, good.faults, good.fault) == (len(streams["TBL"]) - begun, 0, "")
        async with undone(connection):
            for name in ("0005_beginning.back.sql", "0005_beginning.sql"):
                await connection.execute((FOLDER / name).read_text())
            assert await audited(connection, log) == good, "as from a copy older than the column"
        for last in (begun + 1, begun + 10):
            async with undone(connection):
                lost = "DELETE FROM archive_commits WHERE stream = 'TBL' AND sequence <= $1"
                await connection.execute(lost, last)
                words = f"the copy begins with commit {last + 1}, it was filled from {begun + 1}"
                assert (await audited(connection, log)).fault == words
        async with undone(connection):
            lost = "DELETE FROM archive_commits WHERE stream = 'TBL' AND sequence = $1"
            await connection.execute(lost, begun + 10)
            assert f"the copy has no commit {begun + 10}" in (await audited(connection, log)).fault
        for aggregate in {one.subject.split(".")[-2] for one in streams["TBL"][:begun]}:
            async with undone(connection):
                spoilt = (
                    "UPDATE archive_commits SET data = data || '\\x00', hash ="
                    " sha256(data || '\\x00') WHERE aggregate = $1 AND sequence IN"
                    " (SELECT min(sequence) FROM archive_commits WHERE aggregate = $1)"
                )
                done = await connection.execute(spoilt, aggregate)
                if done == "UPDATE 1":
                    assert (await audited(connection, log)).faults


class Ageing(MemoryLog):
    """Lets go of its oldest commits as soon as somebody begins to read them."""

    def __init__(
        self, streams: dict[str, list[Recorded]], young: Iterable[Kind] = tuple(Kind)
    ) -> None:
        super().__init__(lambda: START_MS)
        for name, commits in streams.items():
            self._streams[name] = list(commits)
        self.young = list(young)

    async def follow(
        self,
        kind: Kind,
        after: int,
        on_message: Callable[[Recorded], None],
        subjects: str | None = None,
    ) -> MemoryFollowing:
        """From the next commit on that there still is."""
        stream = self._streams[kind.stream]
        if kind in self.young:
            self.young.remove(kind)
            del stream[: min(5, len(stream) - 1)]
        begin = sum(commit.sequence <= after for commit in stream)
        return await super().follow(kind, begin, on_message, subjects)


@pytest.mark.integration
async def test_what_grows_too_old_for_the_log_meanwhile_is_no_fault(database: Database) -> None:
    streams = a_log(4)
    await finish(log_of(streams), database)
    log = Ageing(streams)
    async with database.connection() as connection:
        for one in await audit(connection, log, log):
            kept = "the log does not begin with commit 1, as it should"
            words = kept if one.stream == Kind.QUEUE.stream else ""
            assert (one.commits, one.fault) == (len(streams[one.stream]), words)
        assert not log.young
        log.young.append(Kind.TABLE)
        commit = log._streams["TBL"][20]
        log._streams["TBL"][20] = replace(commit, data=b"another")
        found = (await audit(connection, log, log))[0]
        assert (found.faults, found.fault) == (
            1,
            f"commit {commit.sequence} is another one in the log and in the copy",
        )


@pytest.mark.integration
async def test_once_a_night_one_of_the_replicas_audits(database: Database) -> None:
    log = log_of(a_log(2))
    await finish(log, database)
    one, other = (Nightly(log, log, database, 6) for _ in range(2))
    assert one.age_seconds(Stream.TABLES) > 1e9
    await one.look(DAY_MS)
    assert 0 <= one.age_seconds(Stream.TABLES) < 3600
    async with database.connection() as connection:
        await connection.execute("UPDATE archive_aggregates SET hash = '\\x00'")
    await other.look(DAY_MS)
    assert set(other.faults.values()) == {0}, "done by the other one"
    async with database.connection() as connection:
        await connection.execute("UPDATE archive_audits SET audited_ms = 1")
        await connection.execute("SELECT pg_advisory_lock($1)", 0x1AE1_0017)
        await other.look(DAY_MS)
        assert set(other.faults.values()) == {0}, "another one is at it"
    await other.look(DAY_MS)
    assert other.faults[Stream.TABLES] > 0


@given(st.integers(0, 23), st.integers(2, 10**6), st.integers(0, DAY_MS - 1))
def test_each_day_has_one_moment_from_which_on_an_audit_is_due(
    hour: int, day: int, after_ms: int
) -> None:
    begins_ms = day * DAY_MS + hour * HOUR_MS
    now_ms = begins_ms + after_ms
    assert is_due(begins_ms - 1, now_ms, hour)
    assert not is_due(begins_ms, now_ms, hour)
    assert is_due(0, now_ms, hour)
    assert not is_due(0, now_ms, NEVER)


def played(count: int) -> Histories:
    """Tables whose every move is right."""
    tables = [Aggregate(Kind.TABLE, an_id(number)) for number in range(count)]
    return {table: retold(a_match(seed).stored, table) for seed, table in enumerate(tables)}


@pytest.mark.integration
async def test_every_move_is_checked_again_by_several_processes(
    server: Server, database: Database
) -> None:
    streams = mixed(random.Random(3), played(3))
    await finish(log_of(streams), database)
    count = len(streams["TBL"])
    told: list[int] = []
    checked, reports = await check_all(server.dsn, told.append, processes=2)
    assert (checked.commits, sum(told), list(checked.bad), reports) == (count, count, [], [])
    assert checked.moves > 200
    connection = await asyncpg.connect(server.dsn)
    lie: Any = await connection.fetchrow(
        "SELECT aggregate, version, data FROM archive_commits"
        " WHERE stream = 'TBL' AND version = 40 LIMIT 1"
    )
    changed = bytearray(lie["data"])
    changed[-3] ^= 1
    await connection.execute(
        "UPDATE archive_commits SET data = $1 WHERE aggregate = $2 AND version = 40",
        bytes(changed),
        lie["aggregate"],
    )
    await connection.execute("CREATE ROLE half_blind LOGIN")
    await connection.execute("GRANT SELECT (stream, sequence) ON archive_commits TO half_blind")
    half_blind = re.sub("//.*@", "//half_blind@", server.dsn)
    with pytest.raises(ToolError, match="not read to its end: permission denied"):
        await check_all(half_blind, told.append, processes=2)
    await connection.close()
    checked, reports = await check_all(server.dsn, told.append, processes=2)
    assert list(checked.bad) == [lie["aggregate"]]
    assert reports[0].table == lie["aggregate"]
    assert 40 in {fault.version for fault in reports[0].faults}
    assert len(Kind) == len(streams)
