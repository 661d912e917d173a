"""laelo admin: who runs the house. Its own work is to find the gateway's database."""

import argparse

from laelo_tools.operators import on_database, pg_argument
from laelo_tools.state import find_running


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    commands = parser.add_subparsers(dest="what", metavar="COMMAND")
    parser.set_defaults(what="list", pg=None)
    for name, help_text in (
        ("grant", "make somebody an operator, who may use the console"),
        ("revoke", "let somebody be one no more, at once"),
    ):
        command = commands.add_parser(name, help=help_text)
        command.add_argument("account", metavar="ACCOUNT", help="its id, or its nickname")
        command.add_argument("--reason", default="", help="for the audit log")
        pg_argument(command)
    pg_argument(commands.add_parser("list", help="who is one, and where the console is"))


def run(args: argparse.Namespace) -> int:
    """Do what is asked."""
    if args.what == "list":
        if args.pg is None and (console := find_running().addresses.get("console-1")):
            print(f"The console is at http://{console}", flush=True)
        return on_database(args.pg, "list")
    return on_database(args.pg, args.what, args.account, f"--reason={args.reason}")
