"""laelo top: tables, moves, queue, lag and processes, once a second."""

import argparse
import asyncio
import sys
from typing import Any, Final

import msgspec

from laelo_tools.errors import LaeloError
from laelo_tools.state import find_running
from laelo_tools.top.drawing import draw
from laelo_tools.top.look import House, Looker
from laelo_tools.top.picture import Look, Picture, picture
from laelo_tools.top.screen import SECOND, Screen

WIDTH: Final = 120
HEIGHT: Final = 200


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Without any address it is the platform of this checkout that is looked at."
    parser.add_argument("--once", action="store_true", help="print one picture and end")
    parser.add_argument("--json", action="store_true", help="print JSON, a line each second")
    parser.add_argument(
        "--metrics",
        action="append",
        default=[],
        metavar="NAME=HOST:PORT",
        help="a part of another house, where it has /metrics; again for each",
    )
    parser.add_argument("--pg", default="", metavar="DSN", help="the archive's database there")
    parser.add_argument("--nats", default="", metavar="URL", help="the log there, for its version")


def run(args: argparse.Namespace) -> int:
    """Show it until `q`, or print it; without a terminal it is printed once."""
    return asyncio.run(_watch(house_of(args), args))


def house_of(args: argparse.Namespace) -> House:
    """What was named, else this checkout's platform. Raises LaeloError."""
    if not args.metrics:
        running = find_running()
        pids = {"laelo up": running.pid, **running.pids}
        return House(running.metrics, pids, running.pg_dsn, running.nats_url)
    named = dict(entry.partition("=")[::2] for entry in args.metrics)
    for name, address in named.items():
        if not name or not address.rpartition(":")[2].isdecimal():
            raise LaeloError(f"--metrics {name}={address} names no part: NAME=HOST:PORT is wanted")
    return House(named, {}, args.pg, args.nats)


async def _watch(house: House, args: argparse.Namespace) -> int:
    looker = Looker(house)
    try:
        pictures = Pictures(looker, await looker.versions())
        if args.json or args.once or not sys.stdout.isatty():
            await _print(pictures, args)
        else:
            await Screen(pictures.following).run()
    finally:
        await looker.close()
    return 0


class Pictures:
    """One picture after another; the first needs two looks."""

    def __init__(self, looker: Looker, versions: dict[str, str]) -> None:
        self._looker = looker
        self._versions = versions
        self._before: Look | None = None

    async def following(self) -> Picture:
        """The next one."""
        if self._before is None:
            self._before = await self._looker.look()
            await asyncio.sleep(SECOND / 2)
        before, self._before = self._before, await self._looker.look()
        return picture(before, self._before, self._versions)


async def _print(pictures: Pictures, args: argparse.Namespace) -> None:
    """One picture, or JSON for ever."""
    while True:
        shown = await pictures.following()
        if args.json:
            print(msgspec.json.encode(_plain(shown)).decode(), flush=True)
        else:
            for line in draw(shown, WIDTH, HEIGHT)[:-1]:
                print(line.text)
        if args.once or not args.json:
            return
        await asyncio.sleep(SECOND)


def _plain(shown: Picture) -> dict[str, Any]:
    """With names for everything, as JSON has it."""
    parts = [part._asdict() for part in shown.parts]
    matches = None if shown.matches is None else [one._asdict() for one in shown.matches]
    return {**shown._asdict(), "parts": parts, "matches": matches}
