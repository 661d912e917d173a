"""Each small benchmark can be begun as `make bench` begins it."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.run import SMALL

HERE = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", SMALL)
def test_it_says_what_it_measures(name: str) -> None:
    command = [sys.executable, "-m", f"bench.{name}", "--help"]
    told = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert "--json" in told.stdout
