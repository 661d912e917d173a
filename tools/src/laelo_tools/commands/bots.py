"""laelo bots: bots with accounts of the development provider, to fill championships locally."""

import argparse
import asyncio
import signal
from contextlib import AsyncExitStack
from typing import Final

from laelo_tools.bots.mind import LEVELS
from laelo_tools.bots.player import Player, Style
from laelo_tools.bots.tickets import Person, enrol
from laelo_tools.state import find_running

THINK: Final = "400-1600"
STOPPED: Final = 130


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    join = commands.add_parser("join", help="join the queue, and play until all are out")
    join.add_argument("number", type=_positive, metavar="N", help="how many")
    join.add_argument("--level", choices=list(LEVELS), default="simple", help="how well they play")
    join.add_argument(
        "--first", type=_positive, default=1, metavar="NUMBER", help="number of the first one"
    )
    join.add_argument(
        "--think", type=_range, default=_range(THINK), metavar="MS", help="0, 500 or 400-1600"
    )
    join.add_argument("--url", help="a platform in local mode (default: this checkout's)")


def run(args: argparse.Namespace) -> int:
    """Send them in; 0 when all are out."""
    url = (args.url or find_running().url).rstrip("/")
    return asyncio.run(until_stopped(url, args))


async def until_stopped(url: str, args: argparse.Namespace) -> int:
    """Play; a signal ends it, and the bots leave as they are."""
    work = asyncio.create_task(play(url, args))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, work.cancel)
    try:
        await work
    except asyncio.CancelledError:
        return STOPPED
    return 0


async def play(url: str, args: argparse.Namespace) -> None:
    """Sign them in, join, and go on until each is out or champion."""
    numbers = range(args.first, args.first + args.number)
    people = [Person(f"bot-{number}", f"Autômato {number}") for number in numbers]
    tickets = await enrol(url, people)
    style = Style(LEVELS[args.level], args.think)
    async with AsyncExitStack() as stack:
        players = [
            await stack.enter_async_context(Player(ticket, style, seed))
            for ticket, seed in zip(tickets, numbers, strict=True)
        ]
        await asyncio.gather(*(player.join() for player in players))
        print(f"{len(players)} bots wait in the queue; Ctrl-C takes them away")
        await asyncio.gather(*(_see_through(player) for player in players))


async def _see_through(player: Player) -> None:
    await player.until(lambda: player.is_placed)
    if "place" not in player.team:
        print(f"{player.name}: the championship was cancelled: {player.bracket['reason']}")
        return
    best, worst = player.team["place"]
    place = f"{best}" if best == worst else f"{best}-{worst}"
    points = player.team["points"]
    print(f"{player.name}: place {place}, {points} point{'s' if points > 1 else ''}")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def _range(text: str) -> tuple[float, float]:
    """Seconds of `500` or `400-1600` milliseconds."""
    low, _, high = text.partition("-")
    if not low.isdecimal() or (high and not high.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text} is no number of milliseconds, nor a range")
    return int(low) / 1000, int(high or low) / 1000
