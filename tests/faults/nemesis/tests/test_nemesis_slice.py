"""A slice of `make nemesis`: a dozen faults while people play; nothing may be found.

The seed is that of the commit, so that a run of it finds the same again, and others look
elsewhere. LAELO_NEMESIS_SEED and LAELO_NEMESIS_FAULTS choose others.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.integration, pytest.mark.faults]

ROOT = Path(__file__).resolve().parents[4]
FAULTS = "12"
PACE = "3"


def seed() -> str:
    """Of this commit; without version control always the same."""
    asked = ["git", "rev-parse", "--short", "HEAD"]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return os.environ.get("LAELO_NEMESIS_SEED") or told.stdout.strip() or "slice"


def test_a_dozen_faults() -> None:
    faults = os.environ.get("LAELO_NEMESIS_FAULTS", FAULTS)
    words = ["--seed", seed(), "--faults", faults, "--pace", PACE]
    environment = {key: value for key, value in os.environ.items() if key != "LAELO_PG_DSN"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.nemesis", *words],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]
    assert f"{faults} faults; " in done.stdout
