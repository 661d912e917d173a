"""The archive is read from PostgreSQL."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from laelo_common.postgres import Connection, Database

from laelo_archive.domain.project import Stream
from laelo_archive.domain.rows import HandRow, MatchRow, PersonRow
from laelo_archive.ports import Filter, Found, Whole


def _columns(row: Any, prefix: str = "") -> str:
    return ", ".join(prefix + name for name in row._fields)


_HISTORY: Final = f"""
SELECT {_columns(MatchRow, "m.")} FROM archive_people AS p
JOIN archive_matches AS m ON m.table_id = p.table_id AND m.match = p.match
WHERE p.player = $1
    AND ($2 = '' OR p.partner = $2 AND (p.championship = '' OR EXISTS (
        SELECT FROM archive_entries AS e
        WHERE e.championship = p.championship AND e.player = $2 AND e.open
    )))
    AND ($3::boolean IS NULL OR $3 = (p.championship <> ''))
    AND p.started_ms >= $4 AND p.started_ms < $5
    AND (p.started_ms, p.table_id, p.match) < ($6, $7, $8)
ORDER BY p.started_ms DESC, p.table_id DESC, p.match DESC
LIMIT $9
"""  # noqa: S608 - constants

_MATCH: Final = f"""
SELECT {_columns(MatchRow)} FROM archive_matches WHERE table_id = $1 AND match = $2
"""  # noqa: S608

_PEOPLE: Final = f"""
SELECT {_columns(PersonRow)} FROM archive_people
WHERE (table_id, match) IN (SELECT * FROM unnest($1::text[], $2::integer[]))
ORDER BY player
"""  # noqa: S608

_OPEN: Final = """
SELECT championship, player FROM archive_entries WHERE open AND championship = ANY ($1::text[])
"""

_HANDS: Final = f"""
SELECT {_columns(HandRow)} FROM archive_hands WHERE table_id = $1 AND match = $2 ORDER BY hand
"""  # noqa: S608

_COMMITS: Final = """
SELECT data FROM archive_commits WHERE aggregate = $1 AND stream = $2 ORDER BY version
"""


class PostgresReading:
    """The `Library` in a database that may come late or go away."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def history(self, wanted: Filter) -> list[Found]:
        """Matches of a player, the newest first."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(
                _HISTORY,
                wanted.player,
                wanted.partner,
                wanted.is_official,
                wanted.since_ms,
                wanted.until_ms,
                *wanted.before,
                wanted.limit,
            )
            return await _found(connection, [MatchRow(*row) for row in rows])

    async def whole(self, table: str, match: int) -> Whole | None:
        """One match with its hands."""
        async with self._database.connection() as connection:
            row = await connection.fetchrow(_MATCH, table, match)
            if row is None:
                return None
            (found,) = await _found(connection, [MatchRow(*row)])
            hands = await connection.fetch(_HANDS, table, match)
            return Whole(found, [HandRow(*hand) for hand in hands])

    async def commits(self, table: str) -> list[bytes]:
        """Everything that is archived of a table, in order, as it was stored."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(_COMMITS, table, Stream.TABLES.value)
        return [row["data"] for row in rows]


async def _found(connection: Connection, matches: Sequence[MatchRow]) -> list[Found]:
    """The matches with all that is needed to tell of them."""
    people: defaultdict[Any, list[PersonRow]] = defaultdict(list)
    tables, numbers = [match.table_id for match in matches], [match.match for match in matches]
    for row in await connection.fetch(_PEOPLE, tables, numbers):
        person = PersonRow(*row)
        people[person.table_id, person.match].append(person)
    named: defaultdict[str, set[str]] = defaultdict(set)
    championships = sorted({match.championship for match in matches} - {""})
    if championships:
        for championship, player in await connection.fetch(_OPEN, championships):
            named[championship].add(player)
    return [
        Found(match, people[match.key], frozenset(named.get(match.championship, ())))
        for match in matches
    ]
