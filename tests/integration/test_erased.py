"""Who erases an account leaves no name: not in log, database, frames, replays or exports.

Everything else stays as it was played, and verifies.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from laelo_common.ids import new_id
from laelo_common.log import Kind
from laelo_tools.commands import export as export_command
from laelo_tools.commands import log as log_command
from laelo_tools.history.source import histories
from laelo_tools.history.verify import verify_table
from laelo_tools.platform import Options, Platform

from .crowd import Crowd, Member, checked, ended, eventually, get, join_in_turn

pytestmark = pytest.mark.integration

PREFIX = "Zabumba"


class Heard:
    """All frames that anybody got, as they came."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def __call__(self, _: str, text: bytes, __: Any) -> None:
        self.frames.append(text)

    def names(self, name: str) -> bool:
        """Whether any frame of a table names somebody."""
        return any(name.encode() in text for text in self.frames if b'"table":' in text)


def options(state: Path) -> Options:
    return Options(
        state=state,
        port=0,
        pause_ms=0,
        bot_delay_ms="0",
        tables=1,
        tournaments=1,
        matchmaking=1,
        archives=1,
        clock_scale=0.02,
        env={"matchmaking": {"LAELO_MATCHMAKING_QUEUE_WAIT_SECONDS": "0"}},
    )


async def play_friendly(host: Member, guest: Member, **more: Any) -> str:
    """A table of two people and two bots at which the clock plays some tiles; then it is closed."""
    table = new_id()
    await host.ask("table.create", table, options={"move_seconds": 15, "level": "random", **more})
    await guest.ask("table.sit", table, seat=1)
    await host.ask("table.start", table, level="random")

    await host.until(lambda: host._visitor._seen.get(table, 0) > 40, 60)
    await host.ask("table.close", table)
    return table


async def written_to(state: Path, name: bytes) -> list[str]:
    """Files of the log that have the name in them."""

    def search() -> Iterator[str]:
        for file in (state / "nats").rglob("*"):
            if file.is_file() and name in file.read_bytes():
                yield str(file)

    return await asyncio.to_thread(lambda: list(search()))


async def stored_in(dsn: str, name: str) -> list[str]:
    """Tables of the database that have the name in a row, as text or within bytes."""
    connection = await asyncpg.connect(dsn)
    try:
        tables = await connection.fetch(
            "SELECT schemaname || '.' || tablename FROM pg_tables"
            " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        )
        found = []
        for (table,) in tables:
            count = await connection.fetchval(
                f"SELECT count(*) FROM {table} AS t WHERE t::text ILIKE $1 OR t::text LIKE $2",
                f"%{name}%",
                f"%{name.encode().hex()}%",
            )
            if count:
                found.append(table)
        return found
    finally:
        await connection.close()


async def told_of(member: Member, tables: list[str]) -> str:
    """All that the house tells somebody of the past, as text."""
    pages = [
        await get(member.http, "/api/history", member.cookie),
        await get(member.http, "/api/ranking", member.cookie),
        await get(member.http, f"/api/brackets/{member.bracket['id']}", member.cookie),
        await get(member.http, "/api/account/export", member.cookie),
    ]
    pages += [await get(member.http, f"/api/replays/{table}/1", member.cookie) for table in tables]
    return json.dumps(pages, ensure_ascii=False)


async def exported(platform: Platform, folder: Path) -> str:
    """Everything that `laelo export` writes, with the ids of players."""
    parser = argparse.ArgumentParser()
    export_command.configure(parser)
    where = ["--pg", platform.pg_dsn, "--out", str(folder), "--format", "csv", "--with-player-ids"]
    assert await asyncio.to_thread(export_command.run, parser.parse_args(where)) == 0
    return await asyncio.to_thread(_read_all, folder)


def _read_all(folder: Path) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted(folder.iterdir()))


async def shown(platform: Platform, table: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What `laelo log show` prints of a table."""
    parser = argparse.ArgumentParser()
    log_command.configure(parser)
    args = parser.parse_args(["show", table, "--nats", platform.nats_url])
    assert await log_command.show(args) == 0
    return capsys.readouterr().out


async def test_no_name_of_an_erased_account_is_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heard, later = Heard(), Heard()
    state = tmp_path / "state"
    async with Platform(options(state)) as platform, Crowd(platform, PREFIX) as crowd:
        people = await crowd.come(8, heard)
        goes, stays = people[0], people[1]
        tables = [
            await play_friendly(goes, stays, spectators=True, public=True),
            await play_friendly(stays, goes, spectators=False),
        ]
        await join_in_turn(people)
        await ended(people)
        name, official = goes.name, goes.tables[-1]
        await eventually(lambda: _archived(stays, tables))
        assert heard.names(name), "others see the name while the account is there"
        assert name in await told_of(stays, tables)
        assert await stored_in(platform.pg_dsn, name) == ["public.accounts"]

        await goes.__aexit__()  # or they would come back at once, as a guest of that name
        answer = await goes.delete_account()
        assert answer.status_code == 200, answer.text

        assert await stored_in(platform.pg_dsn, name) == []
        assert await written_to(state, name.encode()) == []
        text = await told_of(stays, [*tables, official])
        assert name not in text
        assert stays.name in text
        assert name not in await exported(platform, tmp_path / "export")
        for table in (*tables, official):
            told = await shown(platform, table, capsys)
            assert PREFIX not in told
        (looks,) = await crowd.come(1, later)
        for table in (tables[0], official):
            await looks.ask("watch", table)
        assert any(b'"snapshot"' in frame for frame in later.frames)
        assert not later.names(name)
        for part in platform.addresses:
            assert not any(name in line for line in platform.output(part)), part
        assert (await checked(platform, stays.bracket["id"])).faults == []
        async with histories(platform.nats_url) as log:
            every = await log.all(Kind.TABLE)
            assert {*tables, official} <= every.keys()
            for table, records in every.items():
                assert verify_table(table, records, await log.snapshot(table)).faults == []


async def _archived(member: Member, tables: list[str]) -> bool:
    rows = (await get(member.http, "/api/history", member.cookie))["rows"]
    return {*tables} <= {row["table"] for row in rows} and all(row.get("ended") for row in rows)
