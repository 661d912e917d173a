"""One closing line over several runs of pytest: python3 tools/summary.py FOLDER SECONDS.

Reads the JUnit reports that the targets of the Makefile leave behind, and writes the line as
pytest itself would close one run over all of it. What failed at first and passed when it was run
again (`again-*.xml`, see again.py) is counted as unsteady.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

COUNTED = ("failures", "errors", "skipped", "tests")
AGAIN = "again-"
UNSTEADY = "unsteady"


def sums(report: Path) -> dict[str, int]:
    """What is counted in one report."""
    suites = list(ElementTree.parse(report).iter("testsuite"))  # noqa: S314  (our own files)
    return {kind: sum(int(suite.get(kind, "0")) for suite in suites) for kind in COUNTED}


def totals(folder: Path) -> dict[str, int]:
    """The sums over all reports of a folder; a second run takes the place of what failed."""
    total = dict.fromkeys((*COUNTED, UNSTEADY), 0)
    for report in sorted(folder.glob("*.xml")):
        if report.name.startswith(AGAIN):
            continue
        first = sums(report)
        second = report.with_name(AGAIN + report.name)
        if second.exists():
            again = sums(second)
            total[UNSTEADY] += again["tests"] - again["failures"] - again["errors"]
            first |= {kind: again[kind] for kind in ("failures", "errors")}
        for kind in COUNTED:
            total[kind] += first[kind]
    return total


def closing_line(total: dict[str, int], seconds: float) -> str:
    """`==== 2 failed, 5 passed, 1 skipped in 3.00s ====`."""
    passed = total["tests"] - sum(
        total[kind] for kind in ("failures", "errors", "skipped", UNSTEADY)
    )
    counts = [
        (total["failures"], "failed"),
        (passed, "passed"),
        (total["skipped"], "skipped"),
        (total["errors"], "errors"),
        (total[UNSTEADY], UNSTEADY),
    ]
    said = ", ".join(f"{number} {word}" for number, word in counts if number)
    return f" {said or 'no tests ran'} in {seconds:.2f}s ".center(80, "=")


def main(argv: list[str]) -> int:
    """Print the line; 1 if there is nothing to count."""
    folder, seconds = argv
    total = totals(Path(folder))
    print(closing_line(total, float(seconds)))
    return 0 if total["tests"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
