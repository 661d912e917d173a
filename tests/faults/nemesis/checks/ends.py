"""stuck and limbo: after everything was mended, all goes on or has come to an end."""

from collections.abc import Iterable, Mapping, Sequence

from laelo_common.log import Recorded
from laelo_tools.championships.verify import Report

from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.logs import Log


def check_stuck(mended: Mapping[str, int], wanted: int, log: Log) -> list[Finding]:
    """Every table that was open when all was mended has so many commits more, or is closed.

    A match that is over, with nobody who begins another, is no table that is stuck.
    """
    found: list[Finding] = []
    for table, version in mended.items():
        last = log.tables[table].last
        ended = last.closed or last.match_end is not None
        if not ended and last.version - version < wanted:
            words = f"it has {last.version - version} commits since all was mended"
            found.append(Finding("stuck", words, table, (version, last.version)))
    return found


def check_goes_on(mended: Mapping[str, int], now: Mapping[str, int]) -> list[Finding]:
    """Every championship that ran when all was mended has gone on."""
    return [
        Finding("limbo", f"nothing has happened in championship {name} since all was mended")
        for name, version in mended.items()
        if now.get(name, 0) <= version
    ]


def check_limbo(
    running: Iterable[str], waiting: Iterable[str], busy: Mapping[str, str]
) -> list[Finding]:
    """In the end no championship runs, and nobody waits for one that is over."""
    found = [Finding("limbo", f"championship {name} never ended") for name in running]
    found += [
        Finding("limbo", f"championship {name} was called and never handed over")
        for name in waiting
    ]
    found += [
        Finding("limbo", f"{player} is held by championship {name}, which is over")
        for player, name in busy.items()
    ]
    return found


def check_reports(reports: Sequence[Report]) -> list[Finding]:
    """What `laelo championships verify` finds: chain, draw, bracket, points, tables."""
    return [
        Finding("championship", f"{report.championship}: {fault}")
        for report in reports
        for fault in report.faults
    ]


def check_once_each(championships: Mapping[str, Sequence[Recorded]], log: Log) -> list[Finding]:
    """No match of a championship is played at two tables."""
    tables: dict[tuple[str, str], list[str]] = {}
    for table in log.tables.values():
        if table.last.championship in championships:
            tables.setdefault((table.last.championship, table.last.official), []).append(table.id)
    return [
        Finding("two-games", f"{match} of {name} has {len(ids)} tables", ids[0])
        for (name, match), ids in tables.items()
        if len(ids) > 1
    ]
