"""`make arena ARGS="strong simple --pairs 2000"`: who wins how often, on duplicate deals."""

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from .match import Pair
from .named import names
from .players import PlayerError
from .progress import Progress
from .report import report, told
from .run import Duel, play
from .score import score

FEWEST = 2
"""Pairs, for an interval."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play a duel; the exit status. Who stops it is told of what was played until then."""
    asked = _parser().parse_args(arguments)
    duel = Duel(asked.first, asked.second, asked.pairs, asked.seed, asked.processes)
    began, status = time.monotonic(), 0
    pairs: list[Pair] = []
    try:
        _play(duel, pairs, quiet=asked.quiet)
    except PlayerError as error:
        print(f"the duel ends here: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        status = 130
        if len(pairs) < FEWEST:
            print("stopped; nothing is written", file=sys.stderr)
            return status
    # In the order of the deals, so that the same run is written the same, however many played.
    figures = report(duel, sorted(pairs), time.monotonic() - began)
    if asked.out is not None:
        asked.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(figures) if asked.json else told(duel, score(pairs)))
    return status


def _play(duel: Duel, pairs: list[Pair], *, quiet: bool) -> None:
    """Play all pairs; meanwhile it is told what is known."""
    progress = Progress(duel.pairs)
    for pair in play(duel):
        pairs.append(pair)
        if not quiet and len(pairs) >= FEWEST:
            progress.tell(len(pairs), told(duel, score(pairs)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make arena", description=__doc__, epilog=f"Players: {', '.join(names())}."
    )
    parser.add_argument("first", help="a player by name, such as strong:worlds=250")
    parser.add_argument("second", help="its opponent")
    parser.add_argument("--pairs", type=_number(FEWEST), default=200, help="pairs of matches (200)")
    parser.add_argument("--seed", type=int, default=1, help="of deals and bots (1)")
    parser.add_argument("--processes", type=_number(1), default=1, help="that play at once (1)")
    parser.add_argument("--out", type=Path, help="file for the results, as JSON")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--quiet", action="store_true", help="tell nothing meanwhile")
    return parser


def _number(least: int) -> Callable[[str], int]:
    """A number that is at least this."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"at least {least} is wanted, not {text}")
        return int(text)

    return number


if __name__ == "__main__":
    # Ended by another program it tells what was played, too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
