"""Exports of an invented town, made once for all tests that look at them."""

import asyncio
import fcntl
import pickle
import random
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import duckdb
from laelo_archive.adapters.writing import write_rows
from laelo_archive.domain.judged import JudgementRow
from laelo_archive.domain.rows import MatchRow
from laelo_tools.export.run import Asked, export
from laelo_tools.export.span import ALWAYS, Span
from laelo_tournament.domain.tables import calls

from docs.notebooks.example import FIRST_MS, WEEK_MS, Person, rows_of_cup, town
from tools.tests.cups import PLAYERS, START_MS, begun

RUNNING = "C" + "7" * 25
"""A championship that is still played: nobody in it may be told (R40)."""
MIDDLE_MS = FIRST_MS + 4 * WEEK_MS


class Made(NamedTuple):
    """Exports of one town, and what its archive has."""

    parquet: Path
    again: Path
    real: Path
    early: Path
    late: Path
    csv: Path
    rows: dict[str, list[tuple[Any, ...]]]
    hidden: set[str]

    @property
    def matches(self) -> list[MatchRow]:
        """What the archive has of them."""
        return [MatchRow(*row) for row in self.rows["matches"]]


async def make(folder: Path) -> Made:
    async with town(seed=5, matches=48) as dsn:
        connection = await asyncpg.connect(dsn)
        try:
            hidden = await begin_championship(connection)
            await judge_some(connection)
            tables = ("matches", "people", "hands", "championships", "entries")
            rows = {
                one: [tuple(row) for row in await connection.fetch(f"SELECT * FROM archive_{one}")]
                for one in tables
            }
        finally:
            await connection.close()
        exports: dict[str, dict[str, Any]] = {
            "parquet": {},
            "again": {},
            "real": {"real_ids": True},
            "early": {"real_ids": True, "span": Span(0, MIDDLE_MS)},
            "late": {"real_ids": True, "span": Span(MIDDLE_MS, ALWAYS.until_ms)},
            "csv": {"real_ids": True, "format": "csv"},
        }
        for name, asked in exports.items():
            await export(Asked(dsn=dsn, **asked), folder / name)
    return Made(rows=rows, hidden=hidden, **{name: folder / name for name in exports})


async def begin_championship(connection: Any) -> set[str]:
    """One that has just begun, of people who have played elsewhere; their ids."""
    cup = begun()
    cup.play(calls(cup.state)[0])
    found = await connection.fetch(
        "SELECT DISTINCT player FROM archive_people WHERE championship = '' LIMIT $1", len(PLAYERS)
    )
    chance = random.Random(1)
    people = [Person(chance, number) for number in range(len(PLAYERS))]
    for person, row in zip(people, found, strict=True):
        person.id, person.guest = row["player"], False
    names = dict(zip(PLAYERS, people, strict=True))
    for rows in rows_of_cup(cup, (MIDDLE_MS - START_MS, names, RUNNING)):
        await write_rows(connection, rows)
    return {person.id for person in people}


async def judge_some(connection: Any) -> None:
    """Verdicts on some turns: what they say is invented."""
    fields = JudgementRow._fields
    verdicts = [
        JudgementRow(
            hand["table_id"], hand["match"], hand["hand"], turn, turn % 4, 1 + turn % 4,
            24, turn % 3, 0.5, 0.5 - turn / 64, 0.25, -0.75, 0.125, 200, "medium 1",
        )
        for hand in await connection.fetch("SELECT * FROM archive_hands")
        for turn in (2, 5)
    ]  # fmt: skip
    await connection.copy_records_to_table("archive_judgements", records=verdicts, columns=fields)


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    """A file as DuckDB reads it."""
    with duckdb.connect() as database:
        found = database.execute("SELECT * FROM read_parquet(?)", [str(folder / f"{name}.parquet")])
        columns = [column[0] for column in found.description]
        return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


def made_once(folder: Path) -> Made:
    """All of it in a folder that test processes share: the first one makes it."""
    folder.mkdir(exist_ok=True)
    note = folder / "made.pickle"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not note.exists():
            note.write_bytes(pickle.dumps(asyncio.run(make(folder))))
    found: Made = pickle.loads(note.read_bytes())
    return found
