"""laelo report: one page of pictures of what was played."""

import argparse
import asyncio
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from laelo_tools.commands.export import add_source, chosen
from laelo_tools.errors import LaeloError
from laelo_tools.export.run import Asked, export
from laelo_tools.export.span import ALWAYS
from laelo_tools.report.ask import ask
from laelo_tools.report.page import page


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_source(parser)
    add = parser.add_argument
    add("--from", dest="source", type=Path, metavar="DIR", help="an export to Parquet to draw")
    add("--out", type=Path, default=Path("report.html"), metavar="FILE", help="the page")


def run(args: argparse.Namespace) -> int:
    """Draw the page; 0 if it is written."""
    span = chosen(args)
    if args.source is not None:
        if span != ALWAYS or args.pg is not None:
            raise LaeloError("--from draws an export as it is: leave out --since, --until, --pg.")
        written = draw(args.source, args.out)
    else:
        with tempfile.TemporaryDirectory(prefix="laelo-report-") as scratch:
            folder = Path(scratch) / "export"
            asyncio.run(export(Asked(span=span, dsn=args.pg), folder))
            written = draw(folder, args.out)
    print(f"{written} has it: open it in a browser")
    return 0


def draw(source: Path, file: Path) -> Path:
    """Write the page of an export. Raises LaeloError."""
    totals, answers = ask(source)
    try:
        file.write_text(page(totals, answers, datetime.now(UTC)), encoding="utf-8")
    except OSError as error:
        raise LaeloError(f"{file} can't be written: {error}.") from error
    return file
