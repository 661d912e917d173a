"""The laelo command: one module of `commands` for each subcommand.

Such a module has `configure(parser)`, which adds its arguments, and `run(args) -> int`, which
does the work and returns the exit status. Only the module that is asked for is imported.
"""

import argparse
import sys
from importlib import import_module

from laelo_tools.errors import LaeloError

COMMANDS = {
    "up": "start everything on this machine (what `make run` does)",
    "log": "show, verify, restore and replay what was played",
    "top": "watch tables, moves, lag and processes while they run",
    "doctor": "ask all parts how they are",
    "queue": "who waits for a championship, and what starts when",
    "championships": "list, show, verify and cancel championships",
    "bots": "send people who are bots into the queue for championships",
    "admin": "say who runs the house, and may use the operators' console",
    "audit": "what operators did there",
    "conformance": "check rules and championships against files of cases",
    "export": "write what was played as Parquet or CSV, for analysts",
    "report": "draw what was played: one page of pictures",
    "load": "play many tables at once and measure",
    "rolling": "restart every service in the middle of play, and see who notices",
}


def parser_for(argv: list[str]) -> argparse.ArgumentParser:
    """The parser, with the arguments of the subcommand that `argv` begins with."""
    parser = argparse.ArgumentParser(prog="laelo", description="Lá e Lô from the command line.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, help_text in COMMANDS.items():
        sub = commands.add_parser(name, help=help_text, description=help_text)
        if argv[:1] == [name]:
            module = import_module(f"laelo_tools.commands.{name}")
            module.configure(sub)
            sub.set_defaults(run=module.run)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run a subcommand; an error that a person can mend becomes one sentence and status 1."""
    chosen = sys.argv[1:] if argv is None else argv
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    args = parser_for(chosen).parse_args(chosen)
    try:
        return int(args.run(args))
    except LaeloError as error:
        print(f"laelo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


if __name__ == "__main__":
    sys.exit(main())
