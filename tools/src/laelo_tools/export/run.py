"""A whole export: every set of rows as of one moment, and a note of what it is."""

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from laelo_tools.errors import LaeloError
from laelo_tools.export.columns import DataSet
from laelo_tools.export.sets import SCHEMA, SETS
from laelo_tools.export.source import Connection, archive
from laelo_tools.export.span import ALWAYS, Span
from laelo_tools.export.write import Format, write

MANIFEST: Final = "export.json"
_KEY_BYTES: Final = 32

OnSet = Callable[[str, int], None]
"""Is told the name of a set that was written, and how many rows it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is exported, and how."""

    format: Format = "parquet"
    span: Span = ALWAYS
    real_ids: bool = False
    """The ids of players, tables and championships themselves, in place of pseudonyms."""
    dsn: str | None = None


def _ignore(_name: str, _rows: int) -> None:
    """Nobody wants to be told."""


async def export(asked: Asked, folder: Path, on_set: OnSet = _ignore) -> dict[str, int]:
    """Write all sets into a new folder; how many rows each has. All or nothing.

    Raises LaeloError.
    """
    with _made_whole(folder) as making:
        async with archive(asked.dsn) as connection:
            return await _write_all(connection, asked, making, on_set)


@contextmanager
def _made_whole(folder: Path) -> Iterator[Path]:
    """A folder to write in that becomes the one that is wanted if nothing goes wrong."""
    if folder.exists():
        raise LaeloError(f"{folder} is there already: name a new folder with --out.")
    making = folder.parent / f".{folder.name}.{os.getpid()}"
    try:
        making.mkdir(parents=True)
        yield making
        making.rename(folder)
    except OSError as error:
        raise LaeloError(f"{folder} can't be written: {error}.") from error
    finally:
        shutil.rmtree(making, ignore_errors=True)


async def _write_all(
    connection: Connection, asked: Asked, folder: Path, on_set: OnSet
) -> dict[str, int]:
    key = None if asked.real_ids else secrets.token_bytes(_KEY_BYTES)
    rows: dict[str, int] = {}
    for one in SETS:
        file = folder / file_name(one, asked.format)
        rows[one.name] = await write(connection, one, (*asked.span, key), file)
        on_set(one.name, rows[one.name])
    since, until = asked.span.described()
    note = {
        "schema": SCHEMA,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "since": since,
        "until": until,
        "ids": "real" if asked.real_ids else "pseudonyms",
        "rows": rows,
    }
    (folder / MANIFEST).write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")
    return rows


def file_name(rows: DataSet, format_: Format) -> str:
    """How the file of a set is called."""
    return f"{rows.name}.{format_}"
