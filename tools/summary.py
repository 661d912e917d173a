"""One closing line over several runs of pytest: python3 tools/summary.py FOLDER SECONDS.

Reads the JUnit reports that the targets of the Makefile leave behind, and writes the line as
pytest itself would close one run over all of it.
"""

import sys
from pathlib import Path
from xml.etree import ElementTree

COUNTED = ("failures", "errors", "skipped", "tests")


def totals(folder: Path) -> dict[str, int]:
    """The sums over all reports of a folder."""
    total = dict.fromkeys(COUNTED, 0)
    for report in sorted(folder.glob("*.xml")):
        for suite in ElementTree.parse(report).iter("testsuite"):  # noqa: S314  (our own files)
            for kind in COUNTED:
                total[kind] += int(suite.get(kind, "0"))
    return total


def closing_line(total: dict[str, int], seconds: float) -> str:
    """`==== 2 failed, 5 passed, 1 skipped in 3.00s ====`."""
    passed = total["tests"] - total["failures"] - total["errors"] - total["skipped"]
    counts = [
        (total["failures"], "failed"),
        (passed, "passed"),
        (total["skipped"], "skipped"),
        (total["errors"], "errors"),
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
