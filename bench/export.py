"""What an export costs: `python bench/export.py [--json] [--moves N]`.

An invented town is told again and again until its archive has so many moves. Then the command is
run as analysts run it: rows a second, and the memory of the command for a tenth of the town, which
is exported first, and for all of it. What PostgreSQL takes is not counted. A calibration loop's
time stands beside the figures, for the machine is never the same twice.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import asyncpg
from laelo_tools.load.processes import calibrate

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from docs.notebooks.example import town  # noqa: E402

MOVES: Final = 1_000_000
MATCHES: Final = 240
"""Told by the example; the others are their copies."""

_COPY: Final = """
INSERT INTO archive_{name} SELECT (jsonb_populate_record(one, jsonb_build_object(
    'table_id', one.table_id || '-' || $2::text || '-' || copy, 'championship', ''
))).* FROM archive_{name} AS one, generate_series(1, $1::integer) AS copy
"""
_COPY_HANDS: Final = """
INSERT INTO archive_hands SELECT (jsonb_populate_record(one, jsonb_build_object(
    'table_id', one.table_id || '-' || $2::text || '-' || copy
))).* FROM archive_hands AS one, generate_series(1, $1::integer) AS copy
"""


async def grow(dsn: str, moves: int) -> None:
    """Copy the town's tables until there are so many moves."""
    connection = await asyncpg.connect(dsn)
    try:
        told = await connection.fetchval("SELECT sum(length(turns) / 14) FROM archive_hands")
        copies = max(0, -(-moves // int(told)) - 1)
        for query in (_COPY.format(name="matches"), _COPY.format(name="people"), _COPY_HANDS):
            await connection.execute(query, copies, str(moves))
        await connection.execute("ANALYZE")
    finally:
        await connection.close()


def export(dsn: str, folder: Path, *more: str) -> dict[str, Any]:
    """Run the command: seconds, rows, and the most memory that any run of it took so far."""
    began = time.perf_counter()
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [sys.executable, "-m", "laelo_tools.cli", "export", "--pg", dsn]
    subprocess.run([*command, "--out", folder, *more], check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows: dict[str, int] = json.loads((folder / "export.json").read_text())["rows"]
    return {
        "seconds": round(time.perf_counter() - began, 1),
        "cpu_seconds": round(used.ru_utime - cpu, 1),
        "rows": sum(rows.values()),
        "moves": rows["moves"],
        "memory_mb": round(used.ru_maxrss / 1024),
    }


async def measure(moves: int) -> dict[str, Any]:
    """All figures."""
    found: dict[str, Any] = {"calibration_ms": round(calibrate(), 2), "load": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory(prefix="laelo-bench-") as scratch:
        folder = Path(scratch)
        async with town(seed=1, matches=MATCHES) as dsn:
            for name, wanted, more in (
                ("a_tenth", moves // 10, ()),
                ("parquet", moves, ()),
                ("csv", moves, ("--format", "csv")),
            ):
                await grow(dsn, wanted)
                one = await asyncio.to_thread(export, dsn, folder / name, *more)
                one["rows_a_second"] = round(one["rows"] / one["seconds"])
                found |= {f"{name}_{key}": value for key, value in one.items()}
            began = time.perf_counter()
            command = [sys.executable, "-m", "laelo_tools.cli", "report"]
            what = ["--from", str(folder / "parquet"), "--out", str(folder / "report.html")]
            subprocess.run([*command, *what], check=True, stdout=subprocess.DEVNULL)  # noqa: ASYNC221
            found["report_seconds"] = round(time.perf_counter() - began, 1)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    found = asyncio.run(measure(options.moves))
    if options.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:28}{value:>14,}")


if __name__ == "__main__":
    main()
