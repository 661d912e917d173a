"""Records in PostgreSQL."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, Protocol

from laelo.tournament.v1 import tournament_pb2
from laelo_common.postgres import Connection

from laelo_tournament.domain.public import entries, public
from laelo_tournament.domain.ranking import Row, awards
from laelo_tournament.domain.state import Championship
from laelo_tournament.domain.weeks import week_of
from laelo_tournament.ports import (
    AgainError,
    Batch,
    Ending,
    GapError,
    Record,
    Standing,
    over_before,
)

WEEKS_LISTED: Final = 52

_STANDING: Final = """
WITH totals AS (
    SELECT player, sum(points)::int AS points, count(*)::int AS championships,
        max(at_ms) AS reached_ms
    FROM tournament_awards WHERE week = $1 GROUP BY player
), ranked AS (
    SELECT rank() OVER (ORDER BY points DESC)::int AS rank,
        row_number() OVER (ORDER BY points DESC, reached_ms, player) AS line,
        player, points, championships
    FROM totals
)
SELECT * FROM ranked WHERE line <= $2 OR player = $3 ORDER BY line
"""

_EVER: Final = 1 << 62

_ENDED: Final = """
SELECT shown FROM tournament_championships
WHERE started_ms < $2 ORDER BY started_ms DESC, id DESC LIMIT $1
"""

_ENDED_OF_PLAYER: Final = """
SELECT shown FROM tournament_championships c
JOIN tournament_entries e ON e.championship = c.id
WHERE started_ms < $2 AND e.player = $3 ORDER BY started_ms DESC, id DESC LIMIT $1
"""


class Connections(Protocol):
    """Who lends connections: a database, or who has just one."""

    def connection(self) -> AbstractAsyncContextManager[Connection]:
        """A connection. Raises LaeloError with TRY_LATER."""


class PostgresRecords:
    """`Records` of a database that may come late or go away."""

    def __init__(self, database: Connections) -> None:
        self._database = database

    async def write(self, batch: Batch) -> int:
        """Record what is not recorded yet, all or nothing; see `Records.write`."""
        async with self._database.connection() as connection, connection.transaction():
            # Two replicas may be at it: the row's lock lets one after the other.
            cursor: int = await connection.fetchval(
                "SELECT sequence FROM tournament_cursor FOR UPDATE"
            )
            if batch.last <= cursor:
                return cursor
            if batch.first > cursor + 1 and not (batch.begins and cursor == 0):
                raise GapError(cursor, batch.first)
            endings = [ending for ending in batch.endings if ending.sequence > cursor]
            if again := await _again(connection, endings):
                raise AgainError(again)
            await _add(connection, [ending.state for ending in endings])
            await connection.execute("UPDATE tournament_cursor SET sequence = $1", batch.last)
            return batch.last

    async def clear(self) -> None:
        """Forget everything; see `Records.clear`."""
        async with self._database.connection() as connection, connection.transaction():
            await connection.execute("UPDATE tournament_cursor SET sequence = 0")
            for table in ("weeks", "championships"):
                await connection.execute(f"DELETE FROM tournament_{table}")  # noqa: S608 - constants

    async def championship(self, championship: str) -> Record | None:
        """One championship; None if it is not recorded."""
        async with self._database.connection() as connection:
            shown = await connection.fetchval(
                "SELECT shown FROM tournament_championships WHERE id = $1", championship
            )
            if shown is None:
                return None
            rows = await connection.fetch(
                "SELECT player, team, place, animal FROM tournament_entries"
                " WHERE championship = $1 ORDER BY team, place",
                championship,
            )
        who = [tournament_pb2.Entry(**row) for row in rows]
        return Record(tournament_pb2.Championship.FromString(shown), who)

    async def ended(
        self, limit: int, player: str, before_ms: int = 0
    ) -> list[tournament_pb2.Championship]:
        """Those that began last, without matches; see `Records.ended`."""
        before = before_ms or _EVER
        async with self._database.connection() as connection:
            if player:
                rows = await connection.fetch(_ENDED_OF_PLAYER, limit, before, player)
            else:
                rows = await connection.fetch(_ENDED, limit, before)
        found = [tournament_pb2.Championship.FromString(row["shown"]) for row in rows]
        for championship in found:
            championship.ClearField("matches")
        return found

    async def standing(self, week: str, limit: int, player: str) -> Standing:
        """The first rows of a week's ranking, and the player's own."""
        async with self._database.connection() as connection:
            found = await connection.fetch(_STANDING, week, limit, player)
            weeks = await connection.fetch(
                "SELECT week FROM tournament_weeks ORDER BY week DESC LIMIT $1", WEEKS_LISTED
            )
        rows = [_row(record) for record in found if record["line"] <= limit]
        own = next((_row(record) for record in found if record["player"] == player), None)
        return Standing(rows, own, [record["week"] for record in weeks])


async def _again(connection: Connection, endings: Sequence[Ending]) -> list[Ending]:
    """Those of championships that were over before."""
    found = await connection.fetch(
        "SELECT id FROM tournament_championships WHERE id = ANY ($1::text[])",
        [ending.state.id for ending in endings],
    )
    return over_before({row["id"] for row in found}, endings)


async def _add(connection: Connection, states: Iterable[Championship]) -> None:
    championships: list[Sequence[Any]] = []
    who: list[Sequence[Any]] = []
    booked: list[Sequence[Any]] = []
    for state in states:
        shown = public(state).SerializeToString(deterministic=True)
        championships.append((state.id, state.started_ms, shown))
        who += [(state.id, one.team, one.place, one.player, one.animal) for one in entries(state)]
        booked += [
            (state.id, award.player, award.points, award.at_ms, week_of(award.at_ms))
            for award in awards(state)
        ]
    await connection.executemany(
        "INSERT INTO tournament_championships VALUES ($1, $2, $3)", championships
    )
    await connection.executemany("INSERT INTO tournament_entries VALUES ($1, $2, $3, $4, $5)", who)
    await connection.executemany(
        "INSERT INTO tournament_awards VALUES ($1, $2, $3, $4, $5)", booked
    )
    await connection.executemany(
        "INSERT INTO tournament_weeks VALUES ($1) ON CONFLICT DO NOTHING",
        sorted({(week,) for *_, week in booked}),
    )


def _row(record: Any) -> Row:
    return Row(record["rank"], record["player"], record["points"], record["championships"])
