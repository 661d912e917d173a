"""laelo log: tell what was played, check that it is as it was stored, and the second copy."""

import argparse
import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

from google.protobuf.message import DecodeError
from laelo.table.v1 import events_pb2

from laelo_tools import audit
from laelo_tools.errors import LaeloError
from laelo_tools.history.say import FOUND_WRONG, say
from laelo_tools.history.source import Histories, histories
from laelo_tools.history.story import Story, table_talk
from laelo_tools.history.verify import Report, verify_table
from laelo_tools.second_copy import commands as second_copy


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    commands = parser.add_subparsers(dest="log_command", required=True, metavar="COMMAND")
    show = commands.add_parser("show", help="print the whole story of a table")
    show.add_argument("table", metavar="TABLE")
    show.add_argument("--lang", choices=table_talk().languages, default="pt", help="of the calls")
    show.add_argument(
        "--open",
        action="store_true",
        help="show hands that are not over, too; noted in .local/audit.log",
    )
    verify = commands.add_parser("verify", help="check chain, deals and every move")
    which = verify.add_mutually_exclusive_group(required=True)
    which.add_argument("tables", nargs="*", default=[], metavar="TABLE")
    which.add_argument("--all", action="store_true", help="all tables of the log")
    second_copy.configure(commands)
    for command in (show, verify):
        command.add_argument(
            "--nats", metavar="URL", help="the log's address (default: this checkout's platform)"
        )


def run(args: argparse.Namespace) -> int:
    """Do what is asked; 1 if something was found wrong."""
    return asyncio.run(_COMMANDS[args.log_command](args))


async def show(args: argparse.Namespace) -> int:
    """Print the story of a table."""
    async with histories(args.nats) as source:
        records, _ = await source.of(args.table)
    if not records:
        raise LaeloError(f"The log holds no table {args.table}.")
    if args.open:
        audit.note("log show --open", args.table)
    try:
        commits = [events_pb2.Commit.FromString(record.data) for record in records]
    except DecodeError as error:
        raise LaeloError(
            f"A commit of {args.table} can't be read: `laelo log verify {args.table}` names it."
        ) from error
    story = Story(language=args.lang, show_open=args.open)
    print(f"table {args.table}")
    for line in story.tell(commits):
        print(line)
    return 0


async def verify(args: argparse.Namespace) -> int:
    """Check tables; one line for each, and one for each commit that is wrong."""
    async with histories(args.nats) as source:
        found = [say(report) for report in await reports(source, args.tables, all_=args.all)]
    wrong = found.count(False)
    print(f"{len(found) - wrong} tables good, {wrong} wrong")
    return FOUND_WRONG if wrong else 0


async def reports(source: Histories, tables: list[str], *, all_: bool) -> list[Report]:
    """Check the named tables, or all."""
    if not all_:
        return [verify_table(table, *await source.of(table)) for table in tables]
    return [
        verify_table(table, records, await source.snapshot(table))
        for table, records in (await source.all()).items()
    ]


_COMMANDS: Final[dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]]] = {
    "show": show,
    "verify": verify,
    **second_copy.COMMANDS,
}
