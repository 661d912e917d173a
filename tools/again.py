"""Tests that failed in the crowd, once more and alone: python3 tools/again.py REPORT.

Reads the JUnit report of a run, and runs what failed in it in one process with nothing beside, its
report as `again-<name>.xml` next to the first. Exits with 0 only if all of it passes now; each is
named as unsteady then, which is a fault of the test or of the product and wants mending. Where
more than a handful failed, it isn't the crowd's doing and nothing is run again.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

MOST = 5
"""So many may have been overtaken by others; more of them have something in common."""


def failed(report: Path) -> Iterator[str]:
    """The node ids of what failed, as pytest takes them."""
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314  (our own file)
        if case.find("failure") is None and case.find("error") is None:
            continue
        file = case.get("file", "")
        module = file.removesuffix(".py").replace("/", ".")
        classes = case.get("classname", "").removeprefix(module).strip(".")
        yield "::".join(part for part in (file, classes, case.get("name", "")) if part)


def main(argv: list[str]) -> int:
    """Run again what failed and say what came of it; the exit status."""
    report = Path(argv[0])
    if not report.exists():
        print(f"{report}: there is no such report, so nothing can be run again", file=sys.stderr)
        return 1
    names = list(failed(report))
    if not 0 < len(names) <= MOST:
        print(f"{len(names)} tests failed: nothing is run again", file=sys.stderr)
        return 1
    print(f"again, alone: {' '.join(names)}", flush=True)
    second = report.with_name(f"again-{report.name}")
    command = [sys.executable, "-m", "pytest", f"--junitxml={second}", *names]
    if subprocess.run(command, check=False).returncode:
        return 1
    for name in names:
        print(f"UNSTEADY: {name} failed in the crowd and passed alone")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
