"""laelo rolling: restart every service in the middle of play, and see who notices."""

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path

from laelo_tools.rolling.result import Result, lines
from laelo_tools.rolling.run import Config, measure
from laelo_tools.rolling.steps import ORDER, PRODUCTION_SECONDS

STOPPED = 130


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add = parser.add_argument
    add("--tables", type=int, default=200, metavar="N", help="each with two people and two bots")
    add("--rounds", type=int, default=3, metavar="N", help="how often every replica is restarted")
    add("--replicas", type=int, default=2, metavar="N", help="of each service")
    add("--beat", type=int, default=1000, metavar="MS", help="time that everybody thinks")
    add("--clock", type=int, default=15, metavar="SECONDS", help="move clock of the tables")
    add("--settle", type=float, default=PRODUCTION_SECONDS, metavar="S", help="after each restart")
    add("--service", action="append", choices=ORDER, help="only this one (may be repeated)")
    add("--no-servers", action="store_true", help="leave NATS and PostgreSQL alone")
    add("--no-championships", action="store_true", help="nobody plays in championships")
    add("--out", type=Path, metavar="FILE", help="write the figures there as JSON, too")


def run(args: argparse.Namespace) -> int:
    """Run; 1 if anything was lost."""
    config = Config(
        tables=args.tables,
        rounds=args.rounds,
        replicas=args.replicas,
        beat=args.beat / 1000,
        clock=args.clock,
        settle=args.settle,
        services=tuple(args.service) if args.service else ORDER,
        servers=not args.no_servers,
        championships=not args.no_championships,
    )
    result = asyncio.run(until_stopped(config))
    if result is None:
        return STOPPED
    print("\n".join(lines(result)))
    if args.out is not None:
        args.out.write_text(json.dumps(result.as_json(), indent=2) + "\n", encoding="utf-8")
    return 0 if result.is_good else 1


async def until_stopped(config: Config) -> Result | None:
    """Run; None if a signal asked to stop, after everything was stopped."""
    work = asyncio.create_task(measure(config, lambda line: print(line, file=sys.stderr)))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, work.cancel)
    try:
        return await work
    except asyncio.CancelledError:
        return None
