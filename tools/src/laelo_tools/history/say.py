"""What came out of checking tables, on the terminal."""

from typing import Final

from laelo_tools.history.verify import Report

FOUND_WRONG: Final = 1
"""The exit status when something is wrong."""


def say(report: Report) -> bool:
    """Print what came out for a table: whether it is good."""
    for fault in report.faults:
        where = f"commit {fault.version} (sequence {fault.sequence})"
        print(f"{report.table}: WRONG: {where}: {fault.reason}")
    if not report.faults:
        print(f"{report.table}: good: {report.commits} commits, {report.moves} moves")
    return not report.faults
