"""laelo log against real servers: one as it was played, one with a copy that was changed."""

import asyncio
from collections.abc import Iterator
from typing import Any
from unittest.mock import AsyncMock

import pytest
from laelo.table.v1 import events_pb2
from laelo_common.log import Aggregate, JetStreamLog, Kind, NatsSettings, connect, ensure_streams
from laelo_common.testing.nats import NatsServer
from laelo_tools.cli import main
from laelo_tools.errors import LaeloError
from laelo_tools.history.source import Histories

from .played import kit, match, snapshot_of

pytestmark = pytest.mark.integration

OTHER = "01J0000000000000000000OTHR"
CHANGED = 40


@pytest.fixture(scope="module")
def good() -> Iterator[str]:
    """A log with a match as it was played, and the beginning of another."""
    with NatsServer() as server:
        asyncio.run(fill(server.url, match(2).stored, snapshot_of(match(2), len(match(2).stored))))
        yield server.url


@pytest.fixture(scope="module")
def bad() -> Iterator[str]:
    """The same with one byte of one commit changed."""
    stored = list(match(2).stored)
    commit = bytearray(stored[CHANGED - 1])
    commit[-1] ^= 1
    stored[CHANGED - 1] = bytes(commit)
    with NatsServer() as server:
        asyncio.run(fill(server.url, stored, None))
        yield server.url


async def fill(url: str, stored: list[bytes], snapshot: Any) -> None:
    connection = await connect(NatsSettings(servers=(url,)))
    try:
        await ensure_streams(connection)
        log = JetStreamLog(connection)
        await append(log, kit().TABLE, stored)
        await append(log, OTHER, others())
        if snapshot is not None:
            aggregate = Aggregate(Kind.TABLE, kit().TABLE)
            log.snapshot(aggregate, snapshot.data, (await log.tail(aggregate, 0))[-1].sequence)
    finally:
        await connection.close()


async def append(log: JetStreamLog, table: str, stored: list[bytes]) -> None:
    expected = 0
    for number, data in enumerate(stored):
        expected = await log.append(
            Aggregate(Kind.TABLE, table), data, expected, f"{table}:{number}"
        )


def others() -> list[bytes]:
    """A table that has just been opened."""
    commit = events_pb2.Commit.FromString(match(3).stored[0])
    commit.head.aggregate = OTHER
    return [commit.SerializeToString()]


Said = pytest.CaptureFixture[str]


def test_a_good_log_is_good(good: str, capsys: Said) -> None:
    assert main(["log", "verify", "--all", "--nats", good]) == 0
    said = capsys.readouterr().out.splitlines()
    commits = len(match(2).stored)
    assert any(line.startswith(f"{kit().TABLE}: good: {commits} commits") for line in said)
    assert f"{OTHER}: good: 1 commits, 0 moves" in said
    assert said[-1] == "2 tables good, 0 wrong"


@pytest.mark.parametrize("which", [["--all"], [OTHER, kit().TABLE]])
def test_the_changed_commit_is_named(bad: str, capsys: Said, which: list[str]) -> None:
    assert main(["log", "verify", *which, "--nats", bad]) == 1
    said = capsys.readouterr().out.splitlines()
    wrong = [line for line in said if "WRONG" in line]
    assert wrong
    assert all(line.startswith(f"{kit().TABLE}: WRONG: commit {CHANGED} ") for line in wrong)
    assert said[-1] == "1 tables good, 1 wrong"


def test_a_table_that_is_not_there(good: str, capsys: Said) -> None:
    missing = "01J00000000000000000000000"
    assert main(["log", "verify", missing, "--nats", good]) == 1
    assert "no such table" in capsys.readouterr().out
    assert main(["log", "show", missing, "--nats", good]) == 1
    assert f"The log holds no table {missing}" in capsys.readouterr().err
    assert main(["log", "show", "no.id", "--nats", good]) == 1
    assert "'no.id' is no id of a table" in capsys.readouterr().err


def test_the_story_is_told(good: str, capsys: Said) -> None:
    assert main(["log", "show", kit().TABLE, "--lang", "en", "--nats", good]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"table {kit().TABLE}\n")
    assert "match 1 is over" in said
    assert "“Pass!”" in said


def test_nobody_at_the_address(capsys: Said) -> None:
    assert main(["log", "show", OTHER, "--nats", "nats://127.0.0.1:1"]) == 1
    assert "The log is out of reach" in capsys.readouterr().err


async def test_a_log_that_is_not_read_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laelo_tools.history.source._READ_SECONDS", 0.01)
    following = AsyncMock()
    following.caught_up = asyncio.Event().wait
    log = AsyncMock()
    log.follow.return_value = following
    with pytest.raises(LaeloError, match=r"not read to its end in 0\.01 s.*replay --check"):
        await Histories(log).all()
    following.close.assert_awaited_once()
