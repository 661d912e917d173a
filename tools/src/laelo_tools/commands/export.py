"""laelo export: what was played as Parquet or CSV, for DuckDB, pandas, polars and the like."""

import argparse
import asyncio
from datetime import datetime
from pathlib import Path

from laelo_tools.errors import LaeloError
from laelo_tools.export import span
from laelo_tools.export.run import Asked, export
from laelo_tools.export.write import FORMATS


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_source(parser)
    add = parser.add_argument
    add("--format", choices=FORMATS, default="parquet", help="of the files (default: parquet)")
    add("--out", type=Path, metavar="DIR", help="a new folder (default: export-TODAY here)")
    add(
        "--with-player-ids",
        action="store_true",
        help="ids of players, tables and championships in place of pseudonyms of this export",
    )


def add_source(parser: argparse.ArgumentParser) -> None:
    """What is exported: from when to when, and of which database."""
    span.add_arguments(parser)
    parser.add_argument(
        "--pg", metavar="DSN", help="the archive's database (default: this checkout's platform)"
    )


def run(args: argparse.Namespace) -> int:
    """Export; 0 if it is written."""
    asked = Asked(format=args.format, span=chosen(args), real_ids=args.with_player_ids, dsn=args.pg)
    folder = args.out or Path(f"export-{datetime.now().astimezone():%Y-%m-%d}")
    asyncio.run(export(asked, folder, lambda name, rows: print(f"{name:<14}{rows:>12,} rows")))
    print(f"{folder} has them; docs/analysts.md tells what the columns say")
    return 0


def chosen(args: argparse.Namespace) -> span.Span:
    """From when to when. Raises LaeloError if that is no time at all."""
    if args.since >= args.until:
        raise LaeloError("--since has to be before --until.")
    return span.Span(args.since, args.until)
