"""What came out of one or more runs, for people and for programs."""

import os
import platform as machine
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.plan import WIRE, Fault, Kind


class Summary(NamedTuple):
    """What is kept of a run."""

    command: str
    """What repeats it."""
    done: Sequence[Fault]
    findings: Sequence[Finding]
    counts: Mapping[str, int]


def lines(summary: Summary) -> list[str]:
    """A run in a few words."""
    counts = ", ".join(f"{count} {what}" for what, count in summary.counts.items())
    found = Counter(finding.check for finding in summary.findings)
    told = ", ".join(f"{count} {check}" for check, count in found.items()) or "nothing"
    return [f"{len(summary.done)} faults; {counts}", f"found: {told}"]


def as_json(summaries: Sequence[Summary]) -> dict[str, Any]:
    """All runs, as it is kept in bench/results."""
    counts: Counter[str] = Counter()
    for one in summaries:
        counts.update(one.counts)
    return {
        "machine": {"cores": os.cpu_count(), "system": machine.platform()},
        "faults": sum(len(one.done) for one in summaries),
        "found": dict(Counter(f.check for one in summaries for f in one.findings)),
        "counts": dict(counts),
        "by": by_process(fault for one in summaries for fault in one.done),
        "runs": [
            {
                "command": one.command,
                "faults": len(one.done),
                "found": [f"{finding.check}: {finding.words}" for finding in one.findings],
            }
            for one in summaries
        ],
    }


def by_process(faults: Iterable[Fault]) -> dict[str, dict[str, int]]:
    """How often what was done to which service: a wire counts for both of its ends."""
    found: dict[str, dict[str, int]] = {}
    for fault in faults:
        for end in {service(fault.target), service(fault.other)} - {""}:
            row = found.setdefault(end, dict.fromkeys(map(str, Kind), 0))
            row[fault.kind] += 1
    return dict(sorted(found.items()))


def service(part: str) -> str:
    """The service of a part; servers of the log one by one."""
    return part if part.startswith("nats-") else part.partition("-")[0]


def table(summaries: Sequence[Summary]) -> list[str]:
    """Counts by fault and process, as a table of Markdown."""
    rows = by_process(fault for one in summaries for fault in one.done)
    total = Counter(fault.kind for one in summaries for fault in one.done)
    head = ["process", *map(str, Kind)]
    body = [[name, *(str(row[kind] or "") for kind in Kind)] for name, row in rows.items()]
    ends = ["all", *(str(total[kind]) for kind in Kind)]
    shown = [head, ["---"] * len(head), *body, ends]
    note = ", ".join(map(str, WIRE))
    return [*("| " + " | ".join(row) + " |" for row in shown), f"({note} count at both ends)"]
