"""Shows that the tests of faults can fail: python tests/faults/prove.py [--jobs N] [NAME…].

Each `mutants/<name>.patch` takes one protection out. The test of that name passes in a copy of
the tree as it is, and has to fail in the copy with the patch. The copies use this environment:
their folders stand before it on PYTHONPATH, so nothing is installed. With `--passed` the
tests are taken to pass as they are, since they were run just before. With `--part K/N` every
Nth fault is proved, so that runs which each take another part prove all of them together.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("libs", "services", "tools", "tests", "web", "conftest.py", "pyproject.toml")
LINKED = ("proto", "web/dist", "web/node_modules")
LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", "*.pyc", "node_modules", "dist", "test-results", ".hypothesis"
)
FAILED = 1  # pytest's exit status for tests that ran and failed; 2 to 5 mean something else
LONGEST_SECONDS = 300.0
SHORTER = {"LAELO_IDLE_SECONDS": "75"}
"""What tests are told, so that proving that they can fail takes less time than running them."""


class ProofError(Exception):
    """What stands in the way of a proof."""


@contextmanager
def copy_of(root: Path) -> Iterator[Path]:
    """A throw-away copy of what the tests need."""
    with tempfile.TemporaryDirectory(prefix="laelo-mutant-") as name:
        copy = Path(name).resolve()
        for part in COPIED:
            source = root / part
            if source.is_dir():
                shutil.copytree(source, copy / part, ignore=LEFT_OUT)
            elif source.exists():
                shutil.copy2(source, copy / part)
        for part in LINKED:
            if (root / part).exists():
                (copy / part).symlink_to(root / part)
        yield copy


def apply(patch: Path, copy: Path, *only: str) -> None:
    """Apply a patch, or only `--check` it. Raises ProofError if it doesn't fit any more."""
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(copy.parent)}
    done = subprocess.run(
        ["git", "apply", *only, str(patch)],
        cwd=copy, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise ProofError(f"{patch.name} does not apply: {done.stderr.strip()}")


def find_test(root: Path, name: str) -> Path:
    """The test file of a fault, relative to the root; in tests/faults or a member's tests."""
    file = f"test_{name.replace('-', '_')}.py"
    places = ("tests/faults", "libs/*/tests", "services/*/tests", "tools/tests", "tests/*")
    for place in places:
        for found in sorted(root.glob(f"{place}/{file}")):
            return found.relative_to(root)
    raise ProofError(f"{name}.patch has no {file}")


def run_test(copy: Path, test: Path) -> int | None:
    """Pytest's exit status; None if it did not end in time."""
    sources = sorted(str(path) for pattern in ("libs/*/src", "services/*/src", "tools/src")
                     for path in copy.glob(pattern))  # fmt: skip
    environment = {**os.environ, **SHORTER, "PYTHONPATH": os.pathsep.join(sources)}
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(test)],
        cwd=copy, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return process.wait(LONGEST_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def prove(root: Path, patch: Path, passed: bool = False) -> str:
    """What was seen, in a few words. Raises ProofError if it proves nothing."""
    test = find_test(root, patch.stem)
    with copy_of(root) as copy:
        if not passed and (status := run_test(copy, test)) != 0:
            raise ProofError(f"{test} does not pass without the patch (status {status})")
        apply(patch, copy)
        status = run_test(copy, test)
    if status == 0:
        raise ProofError(f"{test} passes although the protection is out")
    if status not in (FAILED, None):
        raise ProofError(f"{test} did not run with the patch (pytest's status {status})")
    return "fails as it should" if status == FAILED else "never ends, so it fails"


def unproved(root: Path, patches: list[Path]) -> list[str]:
    """Tests of faults that have no patch."""
    known = {f"test_{patch.stem.replace('-', '_')}.py" for patch in patches}
    tests = sorted((root / "tests" / "faults").glob("test_*.py"))
    return [test.name for test in tests if test.name not in known]


def unfit(root: Path, patches: list[Path]) -> Iterator[str]:
    """What is wrong with patches that are not tried this time."""
    for patch in patches:
        try:
            apply(patch, root, "--check")
        except ProofError as error:
            yield str(error)


def told(root: Path, passed: bool, patch: Path) -> str | None:
    """Prove one and print a line; the problem, if there is one."""
    start = monotonic()
    problem = None
    try:
        seen = prove(root, patch, passed)
    except ProofError as error:
        problem = str(error)
        seen = f"NOT PROVED: {error}"
    print(f"{patch.stem}: {seen} ({monotonic() - start:.0f} s)", flush=True)
    return problem


def part(text: str) -> slice:
    """Every Nth of a list from the Kth on, counted from 0 and round again: "7/3" is "1/3"."""
    place, _, number = text.partition("/")
    if not (place.isdecimal() and number.isdecimal() and int(number)):
        raise argparse.ArgumentTypeError(f"{text!r} is not K/N, such as 0/3")
    return slice(int(place) % int(number), None, int(number))


def main(argv: list[str], root: Path = ROOT) -> int:
    """Prove the named faults, or all; one line each, 1 if anything is not proved."""
    parser = argparse.ArgumentParser(description="Show that the tests of faults can fail.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault, all by default")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at once")
    parser.add_argument("--passed", action="store_true", help="they pass as they are: not run")
    parser.add_argument("--part", type=part, default=slice(None), metavar="K/N", help="not all")
    options = parser.parse_args(argv)
    names = options.names
    patches = sorted((root / "tests" / "faults" / "mutants").glob("*.patch"))
    problems = [] if names else [f"{name} has no patch" for name in unproved(root, patches)]
    chosen = [patch for patch in patches if not names or patch.stem in names]
    others, chosen = chosen, chosen[options.part]
    problems += unfit(root, [patch for patch in others if patch not in chosen])
    problems += [f"{name}: no such patch" for name in set(names) - {p.stem for p in patches}]
    with ThreadPoolExecutor(options.jobs) as jobs:
        found = jobs.map(partial(told, root, options.passed), chosen)
        problems += [problem for problem in found if problem is not None]
    for problem in problems:
        print(f"problem: {problem}", file=sys.stderr)
    print(f"{len(chosen)} faults, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
