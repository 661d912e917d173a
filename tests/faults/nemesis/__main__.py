"""Breaks everything while people play, then holds what they saw against the log.

python -m tests.faults.nemesis --seed 7 --faults 16
"""

import argparse
import asyncio
import json
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults.nemesis.disks import enter_namespace
from tests.faults.nemesis.episode import Outcome, Setup, run
from tests.faults.nemesis.report import Summary, as_json, lines, table
from tests.faults.nemesis.story import story

MOST_STORIES = 12
PROGRAM = "python -m tests.faults.nemesis"


def arguments(argv: list[str]) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    parser.add_argument("--seed", default="", help="of the plan; a new one if none is given")
    parser.add_argument("--faults", type=int, default=16, help="in one run (default: 16)")
    parser.add_argument("--pace", type=float, default=3.0, help="seconds from one to the next")
    parser.add_argument("--large", action="store_true", help="more replicas of everything")
    parser.add_argument("--to-the-end", action="store_true", help="of all championships")
    parser.add_argument("--total", type=int, default=0, help="runs follow until there were so many")
    parser.add_argument("--minutes", type=float, default=0, help="runs follow for so long")
    parser.add_argument("--json", type=Path, help="where the results are written")
    return parser.parse_args(argv)


def command_line(setup: Setup) -> str:
    """What repeats a run."""
    words = [PROGRAM, f"--seed {setup.seed} --faults {setup.faults} --pace {setup.pace:g}"]
    words += ["--large"] * setup.large + ["--to-the-end"] * setup.to_the_end
    return " ".join(words)


def setups(args: argparse.Namespace, first: str) -> Iterator[Setup]:
    """One run after another, each with a seed of its own."""
    began, number, faults = time.monotonic(), 0, 0
    while not number or faults < args.total or time.monotonic() - began < args.minutes * 60:
        seed = f"{first}.{number}" if number else first
        yield Setup(seed, args.faults, args.pace, args.large, args.to_the_end)
        number, faults = number + 1, faults + args.faults


def one_run(setup: Setup) -> Summary:
    """Run, and tell what was found."""
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s {setup.seed}: {text}", flush=True)

    say(command_line(setup))
    outcome = asyncio.run(run(setup, say))
    summary = Summary(command_line(setup), outcome.done, outcome.findings, outcome.counts)
    for line in [*lines(summary), *_stories(outcome)]:
        say(line)
    return summary


def _stories(outcome: Outcome) -> Iterator[str]:
    for finding in outcome.findings[:MOST_STORIES]:
        yield ""
        yield from story(finding, outcome.history, outcome.log)
    if outcome.findings:
        yield f"again: {command_line(outcome.setup)}"


def main(argv: list[str]) -> int:
    """1 if anything was found."""
    args = arguments(argv)
    enter_namespace(["-m", "tests.faults.nemesis", *argv])
    summaries: list[Summary] = []
    for setup in setups(args, args.seed or secrets.token_hex(4)):
        summaries.append(one_run(setup))
        if args.json:
            args.json.write_text(json.dumps(as_json(summaries), indent=1) + "\n")
    print("\n".join(table(summaries)), flush=True)
    return 1 if any(one.findings for one in summaries) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
