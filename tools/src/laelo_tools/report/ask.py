"""Questions to the files of an export."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from laelo_tools.errors import LaeloError
from laelo_tools.export.sets import SETS
from laelo_tools.report.figures import FIGURES, Rows

MEMORY: Final = "256MB"
"""What DuckDB may take of it; for more it goes to the disk."""

TOTALS: Final = """
SELECT
    (SELECT count(*) FROM matches) AS matches,
    (SELECT count(*) FROM hands) AS hands,
    (SELECT count(*) FROM moves) AS moves,
    (SELECT count(DISTINCT player) FROM people) AS people,
    (SELECT count(*) FROM championships) AS championships,
    (SELECT min(started_at) FROM matches) AS first,
    (SELECT max(started_at) FROM matches) AS last
"""


def ask(folder: Path) -> tuple[dict[str, Any], dict[str, Rows]]:
    """The totals, and the rows of each figure. Raises LaeloError for what is no export."""
    try:
        import duckdb  # noqa: PLC0415 - only those who need it have it installed
    except ImportError as error:
        raise LaeloError(
            "A report needs the analysts' packages: `make analysts` installs them."
        ) from error
    try:
        with duckdb.connect(config={"memory_limit": MEMORY}) as database:
            for one in SETS:
                file = folder / f"{one.name}.parquet"
                if not file.is_file():
                    raise LaeloError(f"{folder} is no export to Parquet: {file.name} is missing.")
                source = str(file).replace("'", "''")
                database.execute(f"CREATE VIEW {one.name} AS FROM read_parquet('{source}')")
            (totals,) = _rows(database.execute(TOTALS))
            return totals, {one.name: _rows(database.execute(one.query)) for one in FIGURES}
    except duckdb.Error as error:
        raise LaeloError(f"{folder} can't be read: {error}.") from error


def _rows(answer: Any) -> Sequence[dict[str, Any]]:
    names = [column[0] for column in answer.description]
    return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
