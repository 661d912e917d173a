"""The archive is written to PostgreSQL: one page, one transaction, with its cursor.

Commits and hands are new each time and go by COPY; what is known of an aggregate is written for
each one of a page, so its columns go as arrays; the other rows are few.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from laelo_common.log import Life
from laelo_common.postgres import Connection, Database

from laelo_archive.domain.project import Known, Stream, decode, encode
from laelo_archive.domain.rows import (
    ChampionshipRow,
    EntryRow,
    HandRow,
    MatchRow,
    PersonRow,
    Row,
)
from laelo_archive.ports import Cursor, Line, Page

READ_MODELS: Final = ("matches", "hands", "people", "championships", "entries", "aggregates")
"""All that is made of commits, and can be made anew."""

_COMMIT_COLUMNS: Final = ("stream", "epoch", *Line._fields)

_MOVE: Final = """
UPDATE archive_streams SET sequence = $4 WHERE stream = $1 AND epoch = $2 AND sequence = $3
"""

_ADOPT: Final = """
UPDATE archive_streams
SET epoch = epoch + 1, created = $3, sequence = $4, filled_from = $4::bigint + 1
WHERE stream = $1 AND epoch = $2 AND sequence = 0
"""

_SEE: Final = """
UPDATE archive_streams SET seen = $3 WHERE stream = $1 AND created = $2 AND seen < $3
"""

_KNOWN: Final = """
SELECT aggregate, version, hash, state, fault FROM archive_aggregates
WHERE stream = $1 AND aggregate = ANY ($2::text[])
"""

_NOTE: Final = """
INSERT INTO archive_aggregates (stream, aggregate, version, hash, state, fault)
SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bytea[], $5::bytea[], $6::text[])
ON CONFLICT (stream, aggregate) DO UPDATE
SET version = excluded.version, hash = excluded.hash, state = excluded.state,
    fault = excluded.fault
"""


def _upsert(table: str, row: Any, keys: Sequence[str]) -> str:
    columns: tuple[str, ...] = row._fields
    values = ", ".join(f"${place}" for place, _ in enumerate(columns, 1))
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in keys)
    return (
        f"INSERT INTO archive_{table} ({', '.join(columns)}) VALUES ({values})"  # noqa: S608
        f" ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changes}"
    )


_UPSERTS: Final = {
    MatchRow: _upsert("matches", MatchRow, ("table_id", "match")),
    PersonRow: _upsert("people", PersonRow, ("table_id", "match", "player")),
    ChampionshipRow: _upsert("championships", ChampionshipRow, ("id",)),
    EntryRow: _upsert("entries", EntryRow, ("championship", "player")),
}


class PostgresShelves:
    """`Shelves` of a database that may come late or go away."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def cursor(self, stream: Stream) -> Cursor:
        """How far a stream is archived."""
        async with self._database.connection() as connection:
            return await read_cursor(connection, stream)

    async def note_seen(self, cursor: Cursor, last: int) -> None:
        """Note that the log has commits up to there."""
        async with self._database.connection() as connection:
            await connection.execute(_SEE, cursor.stream, cursor.created, last)

    async def adopt(self, cursor: Cursor, life: Life) -> bool:
        """Archive this life of the stream from now on; see `Shelves.adopt`."""
        async with self._database.connection() as connection:
            done: str = await connection.execute(
                _ADOPT, cursor.stream, cursor.epoch, life.created, life.first - 1
            )
        return _is_one(done)

    async def known(self, stream: Stream, aggregates: Sequence[str]) -> dict[str, Known]:
        """What is known of aggregates."""
        async with self._database.connection() as connection:
            return await read_known(connection, stream, aggregates)

    async def write(self, page: Page) -> bool:
        """Archive a page, all or nothing; see `Shelves.write`."""
        cursor, lines = page.cursor, page.lines
        async with self._database.connection() as connection, connection.transaction():
            # Of two replicas one waits here for the other, and then finds the cursor moved.
            done: str = await connection.execute(
                _MOVE, cursor.stream, cursor.epoch, cursor.sequence, lines[-1].sequence
            )
            if not _is_one(done):
                return False
            await connection.copy_records_to_table(
                "archive_commits",
                records=[(cursor.stream, cursor.epoch, *line) for line in lines],
                columns=_COMMIT_COLUMNS,
            )
            await write_known(connection, cursor.stream, page.known.items())
            await write_rows(connection, page.rows)
        return True


async def read_cursor(connection: Connection, stream: Stream) -> Cursor:
    """How far a stream is archived."""
    row = await connection.fetchrow("SELECT * FROM archive_streams WHERE stream = $1", stream)
    return Cursor(stream, row["epoch"], row["created"], row["sequence"])


async def read_known(
    connection: Connection, stream: Stream, aggregates: Sequence[str]
) -> dict[str, Known]:
    """What is known of aggregates."""
    return {
        aggregate: Known(version, digest, decode(stream, state), fault)
        for aggregate, version, digest, state, fault in await connection.fetch(
            _KNOWN, stream, aggregates
        )
    }


async def write_known(
    connection: Connection, stream: Stream, known: Iterable[tuple[str, Known]]
) -> None:
    """Note what is known of aggregates now."""
    noted = sorted(known, key=lambda one: one[0])
    await connection.execute(
        _NOTE,
        stream,
        [aggregate for aggregate, _ in noted],
        [one.version for _, one in noted],
        [one.digest for _, one in noted],
        [encode(one.state) for _, one in noted],
        [one.fault for _, one in noted],
    )


async def write_rows(connection: Connection, rows: Iterable[Row]) -> None:
    """Write rows of read models; of those with the same key the last one stays."""
    hands: list[HandRow] = []
    others: defaultdict[type, dict[Any, Row]] = defaultdict(dict)
    for row in rows:
        if isinstance(row, HandRow):
            hands.append(row)
        else:
            others[type(row)][row.key] = row
    if hands:
        await connection.copy_records_to_table(
            "archive_hands", records=hands, columns=HandRow._fields
        )
    for kind, upsert in _UPSERTS.items():
        if newest := others.get(kind):
            await connection.executemany(upsert, newest.values())


def _is_one(status: str) -> bool:
    """Whether a statement changed its one row."""
    return status.endswith(" 1")
