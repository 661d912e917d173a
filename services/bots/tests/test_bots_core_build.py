"""The core is built where it can be; where it can't, nothing stops because of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from laelo_bots import core

BUILD = Path(__file__).parents[3] / "tools" / "cores.py"


def built(into: Path, *options: str, **environment: str) -> str:
    """What a build says; it must never fail."""
    done = subprocess.run(
        [sys.executable, BUILD, "--only", "bots", "--into", into, *options],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


@pytest.mark.parametrize("named", ["no-such-compiler", "no 'closed quote"])
def test_without_a_compiler_there_is_no_library(tmp_path: Path, named: str) -> None:
    assert "no C compiler" in built(tmp_path, CC=named)
    assert core.load(tmp_path / "libcore.so") is None


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_a_compiler_may_be_named_with_options(tmp_path: Path) -> None:
    assert not built(tmp_path, CC="cc -g0 '-DA_NAME=of two words'")
    assert core.load(tmp_path / "libcore.so") is not None


def test_a_compiler_that_fails_is_told_of_once(tmp_path: Path) -> None:
    old = tmp_path / "libcore.so"
    old.write_bytes(b"of other sources")
    failing = shutil.which("false")
    assert failing is not None
    assert "cannot build" in built(tmp_path, CC=failing)
    assert not old.exists()
    assert not built(tmp_path, CC=failing)
    assert "cannot build" in built(tmp_path, "--force", CC=failing)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_what_is_built_is_used_and_not_built_again(tmp_path: Path) -> None:
    library = tmp_path / "libcore.so"
    assert not built(tmp_path)
    assert core.load(library) is not None
    first = library.stat()
    built(tmp_path)
    assert library.stat() == first
    library.unlink()
    built(tmp_path)
    assert library.exists()
