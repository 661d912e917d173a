"""models: what is read in PostgreSQL is what the log says, and stays so when it is made anew."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import asyncpg

from tests.faults.nemesis.checks.finding import Finding

Rows = Mapping[str, Sequence[tuple[Any, ...]]]
NO_MODELS: Final = ("archive_audits", "archive_migrations", "tournament_migrations")
SHOWN: Final = 4
"""So many rows of each table are told of."""
_TABLES: Final = """
SELECT table_name FROM information_schema.tables
WHERE table_schema = 'public' AND (table_name LIKE 'archive_%' OR table_name LIKE 'tournament_%')
"""


async def rows_in(dsn: str) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every read model, and of the second copy."""
    connection = await asyncpg.connect(dsn, timeout=10)
    try:
        names = [row[0] for row in await connection.fetch(_TABLES)]
        return {
            name: sorted(
                (tuple(row) for row in await connection.fetch(f"SELECT * FROM {name}")), key=repr
            )
            for name in sorted(names)
            if name not in NO_MODELS
        }
    finally:
        await connection.close()


def check_rebuilt(before: Rows, after: Rows) -> list[Finding]:
    """Read models that were made anew have the same rows."""
    found: list[Finding] = []
    for name in sorted(before.keys() | after.keys()):
        one, other = set(map(repr, before.get(name, ()))), set(map(repr, after.get(name, ())))
        words = [f"{name} had {row}, made anew it has not" for row in sorted(one - other)]
        words += [f"{name} lacked {row}, made anew it has it" for row in sorted(other - one)]
        found += [Finding("models", line) for line in words[:SHOWN]]
    return found


def check_copied(stored: Mapping[str, Sequence[bytes]], rows: Rows) -> list[Finding]:
    """The second copy has the commits of each stream, in their order: all, each once.

    `stored` has their bytes as the log has them, by the stream's name.
    """
    copied = rows.get("archive_commits", ())
    found: list[Finding] = []
    for stream, commits in stored.items():
        mine = sorted((row[2], row[6]) for row in copied if row[0] == stream)
        if [data for _, data in mine] != list(commits):
            words = f"{stream} has {len(commits)} commits, the second copy {len(mine)}, or others"
            found.append(Finding("models", words))
    return found
