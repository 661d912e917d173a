"""Rows become files while they are read: neither all of them nor a copy of them is ever held.

PostgreSQL makes the rows and hands them over as CSV. For Parquet DuckDB reads these from a pipe,
in a thread, and writes row group by row group.
"""

import asyncio
import os
import re
from pathlib import Path
from typing import Any, Final, Literal

from laelo_tools.errors import LaeloError
from laelo_tools.export.columns import DataSet
from laelo_tools.export.source import Connection

Format = Literal["parquet", "csv"]
FORMATS: Final[tuple[Format, ...]] = ("parquet", "csv")
MEMORY: Final = "256MB"
"""What DuckDB may take; more than a row group needs."""

_COPIED: Final = re.compile(r"COPY (\d+)")


async def write(
    connection: Connection, rows: DataSet, arguments: tuple[object, ...], file: Path
) -> int:
    """Write all rows of a set into a new file; its name says which format. How many there were."""
    if file.suffix == ".csv":
        return await _copy(connection, rows, arguments, file)
    reads, writes = os.pipe()
    # Reads at once, for writing fills the pipe and then waits, and the loop with it.
    reading = asyncio.get_running_loop().run_in_executor(None, _convert, rows, reads, file)
    copied: int | None = None
    try:
        with os.fdopen(writes, "wb", buffering=0) as pipe:
            copied = await _copy(connection, rows, arguments, _Whole(pipe.fileno()))
    except BrokenPipeError:
        pass  # DuckDB has given up, and says why
    finally:
        converted = await reading
    if converted != copied:
        raise LaeloError(f"Of {copied} rows {converted} came into {file.name}: try again.")
    return converted


class _Whole:
    """Writes all that it is given into a pipe, which a raw file need not do."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def write(self, data: bytes) -> None:
        """Write, waiting for who reads: DuckDB, which is never far behind."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._pipe, rest) :]


async def _copy(
    connection: Connection, rows: DataSet, arguments: tuple[object, ...], output: Any
) -> int:
    status: str = await connection.copy_from_query(
        rows.query, *arguments, output=output, format="csv", header=True
    )
    found = _COPIED.fullmatch(status)
    return int(found[1]) if found else 0


def _convert(rows: DataSet, reads: int, file: Path) -> int:
    """CSV that comes through a pipe becomes Parquet; how many rows. Raises LaeloError."""
    try:
        import duckdb  # noqa: PLC0415 - only those who need it have it installed
    except ImportError as error:
        os.close(reads)
        raise LaeloError(
            "Parquet needs the analysts' packages: `make analysts` installs them;"
            " `--format csv` works without."
        ) from error
    columns = ", ".join(f"'{one.name}': '{one.type}'" for one in rows.columns)
    source = (
        f"read_csv('/dev/fd/{reads}', header=true, auto_detect=false, parallel=false, delim=',',"
        f" quote='\"', escape='\"', nullstr='', allow_quoted_nulls=false, columns={{{columns}}})"
    )
    try:
        with duckdb.connect(config={"threads": 1, "memory_limit": MEMORY}) as database:
            found = database.execute(
                f"COPY (SELECT * FROM {source}) TO ? (FORMAT parquet, COMPRESSION zstd)",  # noqa: S608
                [str(file)],
            ).fetchone()
    except duckdb.Error as error:
        raise LaeloError(f"{file.name} can't be written: {error}.") from error
    finally:
        os.close(reads)
    return int(found[0]) if found else 0
