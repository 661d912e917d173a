"""Learns the policy of the bots from hands that it plays with itself.

    python -m bench.training.train --seed 1 --rounds 5

Each round the policy of the round before plays hands; every other decision is looked at with
playouts, and new weights are fitted to what was found. The same options give the same weights.
It needs the C core (`make core`) and some minutes.
"""

import argparse
import sys
from itertools import islice
from pathlib import Path
from random import Random

import laelo_bots.domain.weights
from laelo_bots.core import load
from laelo_bots.domain.features import FEATURES, PHASES
from laelo_bots.domain.policy import UNIT, policy_of

from .deals import decisions
from .fit import TEMPERATURE, Rows, fitted, lesson_of, value

WEIGHTS = Path(laelo_bots.domain.weights.__file__)
_HELD_OUT = 10
"""One of so many decisions is not learned from, but only measured on."""


def main() -> int:
    """Train, and write the weights."""
    asked = _parser().parse_args()
    core = load()
    if core is None:
        print("training needs the C core: `make core` builds it", file=sys.stderr)
        return 1
    chance = Random(asked.seed)
    weights: Rows = [[0.0] * FEATURES for _ in range(PHASES)]
    for number in range(1, asked.rounds + 1):
        policy = policy_of(_whole(weights), TEMPERATURE)
        found = decisions(core, policy, asked.worlds, chance)
        lessons = [lesson_of(decision) for decision in islice(found, asked.decisions)]
        held_out = len(lessons) // _HELD_OUT
        weights = fitted(weights, lessons[held_out:], chance)
        before = value([list(map(float, row)) for row in policy.phases], lessons[:held_out])
        gained = value(weights, lessons[:held_out])
        print(
            f"round {number}: a decision brings {gained:.4f} points more than chance,"
            f" {before:.4f} with the weights before",
            flush=True,
        )
        _write(asked, weights)
    return 0


def _whole(weights: Rows) -> list[list[int]]:
    return [[round(one * UNIT) for one in row] for row in weights]


def _write(asked: argparse.Namespace, weights: Rows) -> None:
    options = " ".join(f"--{name} {value}" for name, value in vars(asked).items() if name != "out")
    lines = [
        '"""The learned weights of the policy, written by `python -m bench.training.train`',
        f"with {options}.",
        '"""',
        "",
        "from typing import Final",
        "",
        f"POINTS_PER_UNIT: Final = {TEMPERATURE}",
        "# fmt: off",
        "PHASES: Final = (",
    ]
    for row in _whole(weights):
        lines.append("    (")
        lines += [
            "        " + ", ".join(map(str, row[start : start + 12])) + ","
            for start in range(0, FEATURES, 12)
        ]
        lines.append("    ),")
    asked.out.write_text("\n".join([*lines, ")", ""]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.training.train", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--decisions", type=int, default=20_000, help="looked at in each round")
    parser.add_argument("--worlds", type=int, default=100, help="for each decision")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="file for the weights")
    return parser


if __name__ == "__main__":
    sys.exit(main())
