"""A minimal history: of all that happened, what matters to one finding, in order."""

import json
import time
from collections.abc import Iterator
from typing import Final

from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.history import Did, Heard, History, Sent
from tests.faults.nemesis.logs import Log

AROUND: Final = 1
"""Commits before and after those that matter."""
MOST_LINES: Final = 100
LONGEST: Final = 400

Line = tuple[int, int, str]
"""When, in which order among those of one moment, and what."""


def story(finding: Finding, history: History, log: Log) -> list[str]:
    """Its lines: commands, frames and commits that matter, and what was broken meanwhile."""
    lines = sorted([*_commits(finding, log), *_entries(finding, history)])
    acts = [(e.at_ms, 0, f"    *** {e.what}") for e in history.entries if isinstance(e, Did)]
    if lines:
        first, last = lines[0][0], lines[-1][0]
        acts = [act for act in acts if first - 10_000 <= act[0] <= last]
    lines = sorted([*lines, *acts])
    shown = [f"{_clock(at)} {text[:LONGEST]}" for at, _, text in lines]
    if len(shown) > MOST_LINES:
        half = MOST_LINES // 2
        shown = [*shown[:half], f"    … {len(shown) - MOST_LINES} lines …", *shown[-half:]]
    return [f"{finding.check}: {finding.table} {finding.words}", *shown]


def _commits(finding: Finding, log: Log) -> Iterator[Line]:
    table = log.tables.get(finding.table)
    if table is None:
        return
    first, last = finding.versions
    for commit in table.commits[max(0, first - 1 - AROUND) : last + AROUND]:
        head = commit.head
        kinds = ", ".join(event.WhichOneof("event") or "" for event in commit.events)
        who = f"{head.actor_id or head.actor}"
        yield head.time_ms, 1, f"log      {head.version:4} {head.command} by {who}: {kinds}"


def _entries(finding: Finding, history: History) -> Iterator[Line]:
    first, last = finding.versions
    numbers = range(first - AROUND, last + AROUND + 1)
    for place, entry in enumerate(history.entries):
        if isinstance(entry, Did) or entry.who not in finding.who:
            continue
        frame = entry.frame
        name = frame.get("re") if isinstance(entry, Heard) else frame["id"]
        numbered = frame.get("table") == finding.table and frame.get("seq", -1) in numbers
        if name not in finding.commands and not (numbered and isinstance(entry, Heard)):
            continue
        kind = "sends" if isinstance(entry, Sent) else "hears"
        yield entry.at_ms, 2 + place, f"{entry.who:10} {kind} {json.dumps(frame)}"


def _clock(at_ms: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at_ms / 1000)) + f".{at_ms % 1000:03}"
