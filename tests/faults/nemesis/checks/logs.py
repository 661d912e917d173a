"""hashes and clocks: the log by itself."""

from collections.abc import Mapping
from typing import Final

from laelo.log.v1 import log_pb2
from laelo_common.log import Recorded, Snapshot
from laelo_common.log.commit import verify_chain
from laelo_tools.history.verify import verify_table

from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.logs import Log

SKEW_MS: Final = 50
"""By so much may a clock be early: two processes on one machine read the time apart."""


def check_tables(log: Log, snapshots: Mapping[str, Snapshot | None]) -> list[Finding]:
    """What `laelo log verify` finds: hashes, deals, and every move by the rules."""
    found: list[Finding] = []
    for table in log.tables.values():
        for fault in verify_table(table.id, table.records, snapshots.get(table.id)).faults:
            at = (fault.version, fault.version)
            found.append(Finding("hashes", fault.reason, table.id, at))
    return found


def check_chains(others: Mapping[str, list[Recorded]]) -> list[Finding]:
    """The chains of championships and queues."""
    faults = ((name, verify_chain(records)) for name, records in others.items())
    return [
        Finding("hashes", f"{name}, version {fault.version}: {fault.reason}")
        for name, fault in faults
        if fault is not None
    ]


def check_clocks(log: Log) -> list[Finding]:
    """No clock plays before its time, nor in the name of somebody."""
    found: list[Finding] = []
    for table in log.tables.values():
        for commit, before in zip(table.commits, table.states, strict=False):
            head = commit.head
            if not head.command.startswith("clock-") or not before.deadline_ms:
                continue
            early = before.deadline_ms - head.time_ms
            if early > SKEW_MS or head.actor != log_pb2.ACTOR_CLOCK:
                words = f"{head.command} came {early} ms early"
                at = (head.version, head.version)
                found.append(Finding("clocks", words, table.id, at))
    return found
