"""laelo up: everything on this machine, until Ctrl-C."""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

from laelo_tools.embedded.nats_cluster import SIZES
from laelo_tools.errors import LaeloError
from laelo_tools.platform import SERVICES, Options, Platform
from laelo_tools.state import LOCAL, StateFolder
from laelo_tools.supervisor import OnExit

NOTE_SECONDS = 1.0
SAME_REQUEST_SECONDS = 1.0
LEAST_SCALE = 0.001


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("--port", type=int, help="port of the page (default: 8080 or a free one)")
    parser.add_argument("--sync", choices=["always", "default"], default="always")
    parser.add_argument(
        "--nats", type=int, choices=SIZES, default=1, help="NATS servers, and copies of the log"
    )
    parser.add_argument("--tables", type=int, default=2, help="replicas of the table service")
    parser.add_argument("--matchmaking", type=int, default=1, help="replicas of matchmaking")
    parser.add_argument("--tournaments", type=int, default=1, help="replicas of the tournament")
    parser.add_argument("--archives", type=int, default=1, help="replicas of the archive")
    parser.add_argument("--gateways", type=int, default=1, help="replicas of the gateway")
    parser.add_argument("--consoles", type=int, default=1, help="consoles for operators")
    parser.add_argument(
        "--clock-scale", type=_scale, help="all times of play times this, 0.001 to 1 (default: 1)"
    )
    parser.add_argument(
        "--tls", action="store_true", help="between services, with certificates of both sides"
    )
    parser.add_argument("--pause-ms", type=int, help="pause between two hands")
    parser.add_argument("--bot-delay-ms", help="how long bots think: 0, 500 or 800-1600")
    parser.add_argument("--local", type=Path, default=LOCAL, help="where state folders are made")
    parser.add_argument(
        "--no-restart", action="store_true", help="end when a part ends, instead of restarting it"
    )


def run(args: argparse.Namespace) -> int:
    """Start everything; 0 after Ctrl-C, the code of the part that gave up otherwise."""
    folder = StateFolder.first_free(args.local.absolute())
    options = Options(
        state=folder.path,
        sync=args.sync,
        nats=args.nats,
        port=asked_port(args.port),
        pause_ms=args.pause_ms,
        bot_delay_ms=args.bot_delay_ms,
        tables=args.tables,
        matchmaking=args.matchmaking,
        tournaments=args.tournaments,
        archives=args.archives,
        gateways=args.gateways,
        consoles=args.consoles,
        clock_scale=args.clock_scale,
        tls=args.tls,
        env=log_settings(),
        on_exit=OnExit.END if args.no_restart else OnExit.RESTART,
    )
    try:
        return asyncio.run(keep_up(options, folder))
    finally:
        folder.release()


def _scale(text: str) -> float:
    scale = float(text)
    if not LEAST_SCALE <= scale <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between {LEAST_SCALE} and 1")
    return scale


def asked_port(argument: int | None) -> int | None:
    """The port that somebody explicitly wants, by argument or by the gateway's own setting."""
    if argument is not None:
        return argument
    setting = os.environ.get("LAELO_GATEWAY_HTTP_PORT")
    if not setting:
        return None
    if not setting.isdecimal():
        raise LaeloError(f"LAELO_GATEWAY_HTTP_PORT={setting} is no port number: correct it.")
    return int(setting)


def log_settings() -> dict[str, dict[str, str]]:
    """Logs for people, if a person watches and asked for nothing else."""
    if not sys.stderr.isatty():
        return {}
    settings = {service: f"LAELO_{service.upper()}_LOG_FORMAT" for service in SERVICES}
    return {service: {name: os.environ.get(name, "human")} for service, name in settings.items()}


async def keep_up(options: Options, folder: StateFolder) -> int:
    """Run until a signal or the end of a part; a second signal cuts an orderly stop short."""
    platform = Platform(options, echo)
    asked = asyncio.create_task(stop_asked(platform.supervisor.kill))
    try:
        if not await first_of(platform.start(), asked):
            return 0
        folder.write(platform.describe())
        print(f"Lá e Lô is ready: {platform.url}", flush=True)
        if console := platform.addresses.get("console-1"):
            echo("operators", f"console at http://{console} (docs/operations/console.md)")
        notes = asyncio.create_task(keep_noted(platform, folder))
        failed = asyncio.create_task(platform.supervisor.failed())
        await asyncio.wait([asked, failed], return_when=asyncio.FIRST_COMPLETED)
        for task in (notes, failed):
            task.cancel()
        return failed.result() if failed.done() and not failed.cancelled() else 0
    finally:
        asked.cancel()
        await platform.stop()


async def stop_asked(insist: Callable[[], None]) -> None:
    """Wait for a signal that asks to stop; a further one calls `insist`.

    One and the same request may arrive twice: from the terminal or `timeout`, which signal all
    of a group, and from make, which hands it on. So what follows at once is not a further one.
    """
    loop = asyncio.get_running_loop()
    ask = asyncio.Event()
    first = 0.0

    def on_signal() -> None:
        nonlocal first
        if not ask.is_set():
            first = loop.time()
            ask.set()
        elif loop.time() - first > SAME_REQUEST_SECONDS:
            insist()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)
    await ask.wait()


async def first_of(work: Coroutine[None, None, None], stop: asyncio.Task[None]) -> bool:
    """Do the work unless asked to stop meanwhile: whether it was done."""
    task = asyncio.create_task(work)
    await asyncio.wait([task, stop], return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        return False
    await task
    return True


async def keep_noted(platform: Platform, folder: StateFolder) -> None:
    """Keep the process ids in the state folder right over restarts."""
    noted = platform.describe()
    while True:
        await asyncio.sleep(NOTE_SECONDS)
        if (now := platform.describe()) != noted:
            folder.write(now)
            noted = now


def echo(name: str, line: str) -> None:
    """A line of a part, under its name."""
    print(f"{name:<13} | {line}", file=sys.stderr, flush=True)
