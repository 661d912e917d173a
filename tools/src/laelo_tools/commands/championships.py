"""laelo championships: which there are, one's whole story, whether all is right; cancel one."""

import argparse
import asyncio
import getpass
from collections.abc import Callable, Coroutine, Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import grpc.aio
from google.protobuf.message import DecodeError
from laelo.tournament.v1 import events_pb2, tournament_pb2, tournament_pb2_grpc
from laelo_common.log import Kind

from laelo_tools import audit
from laelo_tools.championships.story import TIERS, Story
from laelo_tools.championships.verify import Report, verify
from laelo_tools.errors import LaeloError
from laelo_tools.history.source import Histories, histories
from laelo_tools.services import SECONDS, ask

LISTED: Final = 30
FOUND_WRONG: Final = 1
_STAGES: Final = {
    tournament_pb2.STAGE_RUNNING: "runs",
    tournament_pb2.STAGE_OVER: "over",
    tournament_pb2.STAGE_CANCELLED: "cancelled",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    commands = parser.add_subparsers(dest="what", metavar="COMMAND")
    parser.set_defaults(what="list", address=None)
    listed = commands.add_parser("list", help="those that run, and the last that ended")
    show = commands.add_parser("show", help="print the whole story of one, from the log")
    show.add_argument("championship", metavar="ID")
    show.add_argument(
        "--open",
        action="store_true",
        help="show who is who and the seed while it runs, too; noted in .local/audit.log",
    )
    check = commands.add_parser("verify", help="check chain, draw, bracket and every table")
    which = check.add_mutually_exclusive_group(required=True)
    which.add_argument("championships", nargs="*", default=[], metavar="ID")
    which.add_argument("--all", action="store_true", help="all championships of the log")
    cancel = commands.add_parser("cancel", help="end one before its time; nobody gets points")
    cancel.add_argument("championship", metavar="ID")
    cancel.add_argument("--reason", required=True, help="told to its players; 1-200 characters")
    cancel.add_argument(
        "--operator", metavar="NAME", help="who cancels it, for the log (default: your user name)"
    )
    for command in (show, check):
        command.add_argument(
            "--nats", metavar="URL", help="the log's address (default: this checkout's platform)"
        )
    for command in (listed, cancel):
        command.add_argument(
            "--address",
            metavar="HOST:PORT",
            help="a tournament service (default: this checkout's platform)",
        )


def run(args: argparse.Namespace) -> int:
    """Do what is asked; 1 if something was found wrong."""
    return asyncio.run(_COMMANDS[args.what](args))


async def list_(args: argparse.Namespace) -> int:
    """Print the championships, the newest first."""
    found = await ask("tournament", args.address, _listed)
    for line in lines(found):
        print(line)
    return 0


def lines(championships: Iterable[tournament_pb2.Championship]) -> Iterator[str]:
    """One line for each championship."""
    some = False
    for one in championships:
        some = True
        began = datetime.fromtimestamp(one.started_ms / 1000, UTC)
        how = _STAGES.get(one.stage, "?")
        champion = f", champion is team {one.champion}" if one.champion else ""
        reason = f": {one.reason}" if one.reason else ""
        tier = TIERS.get(one.tier, "?")
        yield f"{one.id}  {tier:<6}  {began:%Y-%m-%d %H:%M:%S} UTC  {how}{champion}{reason}"
    if not some:
        yield "There was no championship yet."


async def show(args: argparse.Namespace) -> int:
    """Print one's story."""
    async with histories(args.nats) as source:
        records = await source.championship(args.championship)
    if not records:
        raise LaeloError(f"The log holds no championship {args.championship}.")
    if args.open:
        audit.note("championships show --open", args.championship)
    try:
        commits = [events_pb2.Commit.FromString(record.data) for record in records]
    except DecodeError as error:
        raise LaeloError(
            f"A commit of {args.championship} can't be read: `laelo championships verify` names it."
        ) from error
    print(f"championship {args.championship}")
    for line in Story(show_open=args.open).tell(commits):
        print(line)
    return 0


async def check(args: argparse.Namespace) -> int:
    """Check some, or all."""
    async with histories(args.nats) as source:
        found = [say(report) for report in await _reports(source, args)]
    wrong = found.count(False)
    print(f"{len(found) - wrong} championships good, {wrong} wrong")
    return FOUND_WRONG if wrong else 0


def say(report: Report) -> bool:
    """Print what came out for a championship: whether it is good."""
    for fault in report.faults:
        print(f"{report.championship}: WRONG: {fault}")
    if not report.faults:
        stage = _STAGES.get(report.state.stage, "?")
        decided = len(report.state.decided)
        print(f"{report.championship}: good: {stage}, {decided} results, {report.tables} tables")
    return not report.faults


async def cancel(args: argparse.Namespace) -> int:
    """End one before its time."""
    request = tournament_pb2.CancelRequest(
        championship=args.championship,
        reason=args.reason,
        operator=args.operator or getpass.getuser(),
    )

    async def question(channel: grpc.aio.Channel) -> None:
        stub = tournament_pb2_grpc.TournamentServiceStub(channel)
        await stub.Cancel(request, timeout=SECONDS)

    await ask("tournament", args.address, question)
    print(f"{args.championship} is cancelled; its players are told why")
    return 0


async def _listed(channel: grpc.aio.Channel) -> list[tournament_pb2.Championship]:
    stub = tournament_pb2_grpc.TournamentServiceStub(channel)
    answer = await stub.List(tournament_pb2.ListRequest(limit=LISTED), timeout=SECONDS)
    return list(answer.championships)


async def _reports(source: Histories, args: argparse.Namespace) -> list[Report]:
    if not args.all:
        names = args.championships
        return [await verify(name, await source.championship(name), source.of) for name in names]
    every = await source.all(Kind.CHAMPIONSHIP)
    return [await verify(name, records, source.of) for name, records in every.items()]


_COMMANDS: Final[dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]]] = {
    "list": list_,
    "show": show,
    "verify": check,
    "cancel": cancel,
}
