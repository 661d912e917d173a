"""Rows become files while they are read: neither all of them nor a copy of them is ever held.

PostgreSQL makes the rows and hands them over as CSV. For Parquet they go through a pipe to a
thread in which pyarrow writes row group by row group.
"""

import asyncio
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

from laelo_tools.errors import LaeloError
from laelo_tools.export.columns import DataSet, Type
from laelo_tools.export.source import Connection

Format = Literal["parquet", "csv"]
FORMATS: Final[tuple[Format, ...]] = ("parquet", "csv")
GROUP: Final = 100_000
"""A row group has so many rows, and those of one block of CSV more."""

_BLOCK_BYTES: Final = 1 << 20

_TYPES: Final[dict[Type, str]] = {
    "VARCHAR": "string",
    "INTEGER": "int32",
    "BIGINT": "int64",
    "DOUBLE": "float64",
    "BOOLEAN": "bool",
    "TIMESTAMP_MS": "timestamp[ms]",
}
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
        pass  # who reads has given up, and says why
    except BaseException:
        # What is said of a file that ends too early is no news.
        await asyncio.wait([reading])
        reading.exception()
        raise
    converted = await reading
    if converted != copied:
        raise LaeloError(f"Of {copied} rows {converted} came into {file.name}: try again.")
    return converted


class _Whole:
    """Writes all that it is given into a pipe, which a raw file need not do."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def write(self, data: bytes) -> None:
        """Write, waiting for who reads, who is never far behind."""
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
    with os.fdopen(reads, "rb") as pipe:
        try:
            import pyarrow  # noqa: PLC0415 - only those who need it have it installed
            from pyarrow import csv, parquet  # noqa: PLC0415
        except ImportError as error:
            raise LaeloError(
                "Parquet needs the analysts' packages: `make analysts` installs them;"
                " `--format csv` works without."
            ) from error
        try:
            schema = pyarrow.schema(
                [(one.name, pyarrow.type_for_alias(_TYPES[one.type])) for one in rows.columns]
            )
            blocks = csv.open_csv(
                pipe,
                csv.ReadOptions(use_threads=False, block_size=_BLOCK_BYTES),
                convert_options=csv.ConvertOptions(
                    column_types=schema,
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                    true_values=["t"],
                    false_values=["f"],
                ),
            )
            with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
                return sum(_write(writer, group) for group in _groups(pyarrow, blocks))
        except (OSError, pyarrow.ArrowException) as error:
            raise LaeloError(f"{file.name} can't be written: {error}.") from error


def _groups(pyarrow: Any, blocks: Any) -> Iterator[Any]:
    """Blocks of CSV put together to row groups."""
    together: list[Any] = []
    for block in blocks:
        together.append(block)
        if sum(one.num_rows for one in together) >= GROUP:
            yield pyarrow.Table.from_batches(together)
            together = []
    if together:
        yield pyarrow.Table.from_batches(together)


def _write(writer: Any, group: Any) -> int:
    writer.write_table(group)
    return int(group.num_rows)
