"""laelo queue: who waits for a championship, since when, and what starts when."""

import argparse
import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import grpc.aio
from laelo.matchmaking.v1 import matchmaking_pb2, matchmaking_pb2_grpc

from laelo_tools.championships.story import TIERS
from laelo_tools.services import SECONDS, ask


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="a matchmaking service (default: this checkout's platform)",
    )


def run(args: argparse.Namespace) -> int:
    """Print the queue."""
    shown = asyncio.run(ask("matchmaking", args.address, show))
    for line in lines(shown, time.time_ns() // 1_000_000):
        print(line)
    return 0


async def show(channel: grpc.aio.Channel) -> matchmaking_pb2.ShowResponse:
    """Ask for it."""
    stub = matchmaking_pb2_grpc.MatchmakingServiceStub(channel)
    return await stub.Show(matchmaking_pb2.ShowRequest(), timeout=SECONDS)


def lines(shown: matchmaking_pb2.ShowResponse, now_ms: int) -> Iterator[str]:
    """What is printed; players are their random ids."""
    queue = shown.queue
    yield f"{_people(len(queue.places))} in the queue"
    for number, place in enumerate(queue.places, start=1):
        since = datetime.fromtimestamp(place.joined_ms / 1000, UTC)
        waits = f"since {since:%H:%M:%S} UTC ({_seconds(now_ms - place.joined_ms)})"
        away = f", away for {_seconds(now_ms - place.away_ms)}" if place.away_ms else ""
        yield f"{number:4}  {place.player}  {waits}{away}"
    if queue.next_ms:
        when = f"in {_seconds(max(0, queue.next_ms - now_ms))}"
        yield f"{TIERS.get(queue.next_tier, '?')} starts {when} if nobody joins or leaves"
    for championship in shown.pending:
        yield f"championship {championship} is called and not begun yet"
    yield f"{_people(shown.busy)} in championships"


def _people(count: int) -> str:
    return "1 person" if count == 1 else f"{count} people"


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.0f} s"
