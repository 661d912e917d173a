"""Verdicts in PostgreSQL."""

from typing import Final

from laelo_common.postgres import Database

from laelo_archive.domain.judged import JudgementRow
from laelo_archive.judging import Key

HOLD_SECONDS: Final = 30
"""A match in which so long no verdict was found is held by nobody any more."""

_COLUMNS: Final = JudgementRow._fields
_UNTIL: Final = f"now() + interval '{HOLD_SECONDS} seconds'"

_ROWS: Final = f"""
SELECT {", ".join(_COLUMNS)} FROM archive_judgements
WHERE table_id = $1 AND match = $2 ORDER BY hand, turn
"""  # noqa: S608 - constants, as below

_HOLD: Final = f"""
INSERT INTO archive_judged AS j (table_id, match, holder, held_until) VALUES ($1, $2, $3, {_UNTIL})
ON CONFLICT (table_id, match) DO UPDATE SET holder = $3, held_until = {_UNTIL}
WHERE j.judged_at IS NULL AND j.held_until < now()
"""  # noqa: S608

_KEEP: Final = f"""
INSERT INTO archive_judgements ({", ".join(_COLUMNS)})
VALUES ({", ".join(f"${place}" for place, _ in enumerate(_COLUMNS, 1))}) ON CONFLICT DO NOTHING
"""  # noqa: S608

_GO_ON: Final = f"""
UPDATE archive_judged SET held_until = {_UNTIL} WHERE table_id = $1 AND match = $2 AND holder = $3
"""  # noqa: S608

_LET_GO: Final = """
UPDATE archive_judged
SET held_until = now(), judged_at = CASE WHEN $4 THEN now() ELSE judged_at END
WHERE table_id = $1 AND match = $2 AND holder = $3
"""


class PostgresVerdicts:
    """`Verdicts` of one replica, the `holder`, in a database that may come late or go away."""

    def __init__(self, database: Database, holder: str) -> None:
        self._database = database
        self._holder = holder

    async def rows(self, key: Key) -> list[JudgementRow]:
        """What was found in a match, in order."""
        async with self._database.connection() as connection:
            return [JudgementRow(*row) for row in await connection.fetch(_ROWS, *key)]

    async def hold(self, key: Key) -> bool:
        """Judge this match from now on; see `Verdicts.hold`."""
        async with self._database.connection() as connection:
            held: str = await connection.execute(_HOLD, *key, self._holder)
        return held.endswith(" 1")

    async def keep(self, row: JudgementRow) -> None:
        """Keep a verdict, and hold on to the match."""
        async with self._database.connection() as connection, connection.transaction():
            await connection.execute(_KEEP, *row)
            await connection.execute(_GO_ON, row.table_id, row.match, self._holder)

    async def let_go(self, key: Key, *, done: bool) -> None:
        """Hold the match no more; `done`: all of it is judged."""
        async with self._database.connection() as connection:
            await connection.execute(_LET_GO, *key, self._holder, done)
