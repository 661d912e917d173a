"""Those of `laelo log` that are about the second copy."""

import argparse
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

from laelo_common.runtime.progress import Progress

from laelo_tools.errors import LaeloError
from laelo_tools.history.say import FOUND_WRONG, say
from laelo_tools.second_copy.check import check_all
from laelo_tools.second_copy.places import Places, database_at, log_at, places
from laelo_tools.second_copy.programs import run
from laelo_tools.second_copy.restore import Restorer

LOST: Final = 3
"""The exit status when commits are lost."""
RANKING: Final = "ranking"
MODELS: Final = ("matches", "hands", "people", "championships", "entries", "aggregates", RANKING)
"""Read models: those of the archive, and that of the tournament service."""


def configure(commands: Any) -> None:
    """Add the subcommands and their arguments."""
    restore_ = commands.add_parser(
        "restore",
        help="fill an empty log from the second copy, while the services stand still",
        description="Fill an empty log from the second copy in PostgreSQL: the same commits at the"
        f" same places. Stop the services first. The exit status is {LOST} if commits are lost.",
    )
    replay_ = commands.add_parser(
        "replay",
        help="make read models anew, or check every move again, from the second copy",
        description="Make read models anew from all commits, beside those that are read, or check"
        " every move again by the rules. The exit status is 1 if something is wrong.",
    )
    replay_.add_argument(
        "models", nargs="*", metavar="MODEL", help=f"{', '.join(MODELS)} (default: all)"
    )
    replay_.add_argument(
        "--from", dest="source", choices=("copy", "log"), default="copy", help="default: copy"
    )
    replay_.add_argument(
        "--check", action="store_true", help="make nothing; check chains, deals and every move"
    )
    audit_ = commands.add_parser("audit", help="compare the log with its second copy")
    for command in (restore_, replay_):
        command.add_argument(
            "--ranking",
            metavar="DSN",
            help="the tournament service's database (default: the archive's)",
        )
    for command in (restore_, replay_, audit_):
        command.add_argument(
            "--nats", metavar="URL", help="the log's address (default: this checkout's platform)"
        )
        command.add_argument(
            "--pg", metavar="DSN", help="the archive's database (default: this checkout's platform)"
        )


async def replay(args: argparse.Namespace) -> int:
    """Make read models anew, or check every move."""
    if unknown := sorted(set(args.models) - set(MODELS)):
        raise LaeloError(f"There is no read model {unknown[0]!r}: there are {', '.join(MODELS)}.")
    async with places(args.nats, args.pg, args.ranking) as where:
        if args.check:
            return await _check(where)
        wanted = args.models or MODELS
        archived = [model for model in wanted if model != RANKING]
        status = 0
        if archived:
            status = await run("archive", "rebuild", where, "--source", args.source, *archived)
        if RANKING in wanted:
            status = await run("tournament", "rebuild", where, "--source", args.source) or status
        return status


async def _check(where: Places) -> int:
    async with database_at(where.pg_dsn) as database:
        total = await database.fetchval("SELECT count(*) FROM archive_commits WHERE stream = 'TBL'")
    progress = Progress("commits", total)
    began = time.monotonic()
    checked, reports = await check_all(where.pg_dsn, progress.add)
    progress.end()
    for report in reports:
        say(report)
    rate = checked.moves / max(time.monotonic() - began, 1e-9)
    print(
        f"{checked.tables} tables, {checked.commits} commits, {checked.moves} moves checked"
        f" ({rate:,.0f} moves a second), {len(checked.bad)} tables wrong"
    )
    return FOUND_WRONG if checked.bad else 0


async def audit(args: argparse.Namespace) -> int:
    """Compare the log with its second copy."""
    async with places(args.nats, args.pg) as where:
        return await run("archive", "audit", where)


async def restore(args: argparse.Namespace) -> int:
    """Fill an empty log."""
    async with (
        places(args.nats, args.pg, args.ranking) as where,
        log_at(where.nats_url) as connection,
        database_at(where.pg_dsn) as database,
        database_at(where.ranking_dsn) as ranking,
    ):
        restored = await Restorer(connection, database, ranking).restore()
        if any(one.recorded > one.last for one in restored):
            print("The ranking knows more than is left: it is made anew.")
            if status := await run("tournament", "rebuild", where, "--source", "copy", "--back"):
                return status
    for one in restored:
        for line in one.lines():
            print(line)
    return LOST if any(one.lost > one.last for one in restored) else 0


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]]] = {
    "restore": restore,
    "replay": replay,
    "audit": audit,
}
