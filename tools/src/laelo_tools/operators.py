"""The gateway's own program for operators and their audit log, run on the right database."""

import argparse
import os
import subprocess
import sys
from typing import Final

from laelo_tools.state import find_running

PROGRAM: Final = "laelo_gateway.console.shell"


def pg_argument(parser: argparse.ArgumentParser) -> None:
    """Let another database be named."""
    parser.add_argument(
        "--pg",
        metavar="DSN",
        help="the gateway's database, as its owner (default: this checkout's platform)",
    )


def on_database(dsn: str | None, *args: str) -> int:
    """Run it; its exit status. Raises LaeloError if nothing runs and none is named."""
    environment = {**os.environ, "LAELO_GATEWAY_PG_DSN": dsn or find_running().pg_dsn}
    return subprocess.run([sys.executable, "-m", PROGRAM, *args], env=environment).returncode  # noqa: PLW1510
