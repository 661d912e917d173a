"""laelo conformance: do rules and championships go as files of cases say?"""

import argparse
import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from laelo_tools.conformance.compare import differences
from laelo_tools.conformance.files import BadFileError, Ready, read_file
from laelo_tools.conformance.operations import OPERATIONS, Judge
from laelo_tools.conformance.rules_service import when_asked

FAILED = 1
BAD_FILE = 2


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument(
        "--rules", metavar="HOST:PORT", help="a rules service that runs (default: start one)"
    )


def run(args: argparse.Namespace) -> int:
    """Run all cases; 0 if all passed, 1 if any failed, 2 for a file that can't be run."""
    try:
        cases = [ready for path in args.files for ready in read_file(path)]
    except BadFileError as error:
        print(f"laelo: {error}", file=sys.stderr)
        return BAD_FILE
    failed = asyncio.run(run_all(cases, args.rules))
    print(f"{len(cases) - failed} passed, {failed} failed")
    return FAILED if failed else 0


async def run_all(
    cases: list[Ready], address: str | None, say: Callable[[str], None] = print
) -> int:
    """Run the cases one after another, say which fail; how many did."""
    async with AsyncExitStack() as stack:
        judge = when_asked(stack, address)
        return sum([await fails(judge, ready, say) for ready in cases])


async def fails(judge: Judge, ready: Ready, say: Callable[[str], None]) -> bool:
    """Run one case; say it if something else came than expected."""
    case = ready.case
    came = await OPERATIONS[case.op].run(judge, ready.given)
    found = differences(case.expect, came)
    if found:
        say(f"{case.id}: {case.title}: {'; '.join(found)}")
    return bool(found)
