"""laelo load: many tables at once, random legal moves, and what a move costs."""

import argparse
import asyncio
import json
import signal
from typing import get_args

from laelo_common.wire.table import Level

from laelo_tools.load.result import Result, lines
from laelo_tools.load.run import SEATS, Config, measure

STOPPED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add = parser.add_argument
    add("--tables", type=_positive, default=100, metavar="N")
    add("--seconds", type=float, default=20.0, metavar="S", help="how long is measured")
    add("--warmup", type=float, default=5.0, metavar="S", help="played before that")
    add("--sync", choices=["default", "always"], default="default", help="of JetStream")
    add("--unary", action="store_true", help="one gRPC call a move instead of streams")
    add("--tls", action="store_true", help="between services, with certificates of both sides")
    add("--clock", type=int, default=0, metavar="SECONDS", help="move clock of the tables")
    add("--bots", type=int, choices=range(SEATS), default=0, help="bots at each table")
    add("--level", choices=get_args(Level), default="simple", help="of the bots")
    add("--think", type=int, default=0, metavar="MS", help="mean time before a move")
    add("--processes", type=_positive, default=1, metavar="N", help="processes full of clients")
    add("--url", help="a platform that runs (default: start one for this run)")
    add("--verify", action="store_true", help="check the log of all tables afterwards")
    add("--json", action="store_true", help="print JSON instead of a table")


def run(args: argparse.Namespace) -> int:
    """Run; 1 if anything went wrong."""
    config = Config(
        tables=args.tables,
        seconds=args.seconds,
        warmup=args.warmup,
        sync=args.sync,
        unary=args.unary,
        tls=args.tls,
        clock_seconds=args.clock,
        bots=args.bots,
        level=args.level,
        think_ms=args.think,
        processes=args.processes,
        url=args.url,
        verify=args.verify,
    )
    result = asyncio.run(until_stopped(config))
    if result is None:
        return STOPPED
    print(json.dumps(result.as_json(), indent=2) if args.json else "\n".join(lines(result)))
    return 0 if result.is_good else 1


async def until_stopped(config: Config) -> Result | None:
    """Measure; None if a signal asked to stop, after everything was stopped."""
    work = asyncio.create_task(measure(config))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, work.cancel)
    try:
        return await work
    except asyncio.CancelledError:
        return None


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number
