"""How the columns of an export are made: each is an SQL expression over the archive's tables.

What stands for nothing is NULL in an export, never an empty text or a number out of range.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from google.protobuf.descriptor import EnumDescriptor

Type = Literal["VARCHAR", "INTEGER", "BIGINT", "DOUBLE", "BOOLEAN", "TIMESTAMP_MS"]
"""Of a column, as DuckDB names it; TIMESTAMP_MS is UTC."""

SEATS: Final = range(4)
NUMBERS: Final = 7
TILES: Final = tuple(f"{high}|{low}" for high in range(NUMBERS) for low in range(high + 1))
"""By number: the tile 6|3 is 24."""


ASKED: Final = """
WITH asked AS (SELECT $1::bigint AS since_ms, $2::bigint AS until_ms, $3::bytea AS key),
matches AS (
    SELECT m.*, ARRAY(
        SELECT e.player FROM archive_entries AS e WHERE e.championship = m.championship AND e.open
    ) AS open
    FROM archive_matches AS m, asked WHERE m.started_ms >= since_ms AND m.started_ms < until_ms
),
championships AS (
    SELECT c.* FROM archive_championships AS c, asked
    WHERE c.started_ms >= since_ms AND c.started_ms < until_ms
)
"""
"""What every query begins with: the matches and championships that began in time.

A match knows which people of its championship may be told (`open`).
"""


class Column(NamedTuple):
    """A column, what it says and in which unit."""

    name: str
    type: Type
    sql: str
    doc: str


class DataSet(NamedTuple):
    """A file of an export."""

    name: str
    row: str
    """What a row of it is."""
    columns: Sequence[Column]
    source: str
    """From which tables of the archive, as the FROM clause says it."""

    @property
    def query(self) -> str:
        """All its rows. Arguments: from when, until when (ms), key of pseudonyms or NULL."""
        columns = ",\n    ".join(f"{one.sql} AS {one.name}" for one in self.columns)
        return f"{ASKED}SELECT\n    {columns}\nFROM {self.source}"


def text(name: str, sql: str, doc: str) -> Column:
    """A text; the empty one is none."""
    return Column(name, "VARCHAR", f"nullif({sql}, '')", doc)


def number(name: str, sql: str, doc: str, *, none: int | None = None) -> Column:
    """A whole number; `none` is the one that stands for nothing."""
    return Column(name, "INTEGER", sql if none is None else f"nullif({sql}, {none})", doc)


def measure(name: str, sql: str, doc: str) -> Column:
    """A number that need not be whole."""
    return Column(name, "DOUBLE", sql, doc)


def flag(name: str, sql: str, doc: str) -> Column:
    """Yes or no."""
    return Column(name, "BOOLEAN", sql, doc)


def moment(name: str, sql: str, doc: str) -> Column:
    """A time in UTC, of milliseconds since 1970; 0 is none."""
    made = f"to_timestamp(nullif({sql}, 0) / 1000.0) AT TIME ZONE 'UTC'"
    return Column(name, "TIMESTAMP_MS", made, doc)


def word(name: str, sql: str, words: Mapping[int, str], doc: str) -> Column:
    """A number that stands for a word; one that stands for none is NULL."""
    by_number = [words.get(n, "") for n in range(max(words) + 1)]
    said = f"{doc}: {', '.join(words.values())}"
    return Column(name, "VARCHAR", _chosen(sql, by_number), said)


def tile(name: str, sql: str, doc: str) -> Column:
    """A tile with its higher number first, such as 6|3; a pass is NULL."""
    return Column(name, "VARCHAR", _chosen(sql, TILES), doc)


def identity(sql: str) -> str:
    """An id as it is written: a pseudonym of this export, or itself if there is no key.

    16 hexadecimal digits of SHA-256 over the key, which nobody keeps, and the id.
    """
    key = "(SELECT key FROM asked)"
    return f"""CASE WHEN {key} IS NULL THEN {sql}
        ELSE left(encode(sha256({key} || convert_to({sql}, 'UTF8')), 'hex'), 16) END"""


def player(name: str, sql: str, doc: str) -> Column:
    """A person, if it may be told who they are: in a championship once R40 allows it.

    The query has the match as `m`.
    """
    told = f"{sql} <> '' AND (m.championship = '' OR {sql} = ANY (m.open))"
    return Column(name, "VARCHAR", f"CASE WHEN {told} THEN {identity(sql)} END", doc)


def words_of(enum: EnumDescriptor) -> dict[int, str]:
    """The words of an enum without what they all begin with: ACTOR_BOT is bot."""
    first = enum.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return {one.number: one.name.removeprefix(first).lower() for one in enum.values if one.number}


def _chosen(sql: str, words: Sequence[str]) -> str:
    return f"nullif(({listed(words)})[({sql}) + 1], '')"


def listed(words: Sequence[str]) -> str:
    """Constants as an array of SQL."""
    return "ARRAY[" + ", ".join(f"'{one}'" for one in words) + "]"
