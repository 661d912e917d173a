"""laelo audit: what operators did, and whether that is what was written."""

import argparse

from laelo_tools.operators import on_database, pg_argument


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("--limit", type=int, default=50, help="how many of the newest (50)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one JSON object a line")
    how.add_argument("--verify", action="store_true", help="check the chain of all entries")
    pg_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Print them; 1 if the chain is broken."""
    asked = ["audit", f"--limit={args.limit}"]
    asked += ["--json"] if args.json else ["--verify"] if args.verify else []
    return on_database(args.pg, *asked)
