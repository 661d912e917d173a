"""Those of `laelo log` that are about the second copy."""

import argparse
from collections.abc import Callable, Coroutine
from typing import Any, Final

from laelo_tools.second_copy.places import database_at, log_at, places
from laelo_tools.second_copy.restore import Restorer

LOST: Final = 3
"""The exit status when commits are lost."""


def configure(commands: Any) -> None:
    """Add the subcommands and their arguments."""
    restore_ = commands.add_parser(
        "restore",
        help="fill an empty log from the second copy, while the services stand still",
        description="Fill an empty log from the second copy in PostgreSQL: the same commits at the"
        f" same places. Stop the services first. The exit status is {LOST} if commits are lost.",
    )
    for command in (restore_,):
        command.add_argument(
            "--nats", metavar="URL", help="the log's address (default: this checkout's platform)"
        )
        command.add_argument(
            "--pg", metavar="DSN", help="the archive's database (default: this checkout's platform)"
        )


async def restore(args: argparse.Namespace) -> int:
    """Fill an empty log."""
    async with (
        places(args.nats, args.pg) as where,
        log_at(where.nats_url) as connection,
        database_at(where.pg_dsn) as database,
    ):
        restored = await Restorer(connection, database).restore()
    for one in restored:
        for line in one.lines():
            print(line)
    return LOST if any(one.lost > one.last for one in restored) else 0


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]]] = {
    "restore": restore,
}
