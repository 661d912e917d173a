"""The history of a table, checked: chain, deals, and every move once more by the rules."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from google.protobuf.message import DecodeError
from laelo.table.v1 import events_pb2
from laelo_common.log import Recorded, Snapshot
from laelo_common.log.commit import Fault, commit_hash, verify_chain

from laelo_tools.history.errors import WrongError
from laelo_tools.history.referee import Referee


class Report(NamedTuple):
    """What came out for one table."""

    table: str
    commits: int
    moves: int
    faults: list[Fault]
    """Which commits are wrong, and why; empty if all is well."""


def verify_table(
    table: str, records: Sequence[Recorded], snapshot: Snapshot | None = None
) -> Report:
    """Check all commits of a table.

    A commit's bytes are vouched for by the next one; the last one's by the snapshot, if that
    was made after it. What only the last commit says of itself (time, trace) can't be checked
    otherwise.
    """
    if not records:
        return Report(table, 0, 0, [Fault(0, 0, "the log holds no such table")])
    referee = Referee(table)
    faults = _of_the_chain(records, snapshot)
    played = _referee_says(referee, records)
    if played is not None:
        faults.append(played)
    return Report(table, len(records), referee.moves, faults)


def _of_the_chain(records: Sequence[Recorded], snapshot: Snapshot | None) -> list[Fault]:
    """Where the hashes do not fit. A link that is broken has two ends: one is at fault."""
    chain, kept = verify_chain(records), _against_snapshot(records, snapshot)
    if chain is None or kept is None:
        found = chain or kept
        if chain is not None and chain.version == len(records) - 1 and snapshot is None:
            found = replace(chain, reason=f"{chain.reason}; or that version, the last, is changed")
        return [] if found is None else [found]
    if chain.version in (kept.version, kept.version - 1):
        return [kept]
    return [chain, kept]


def _referee_says(referee: Referee, records: Sequence[Recorded]) -> Fault | None:
    for number, record in enumerate(records, start=1):
        try:
            referee.follow(events_pb2.Commit.FromString(record.data))
        except WrongError as wrong:
            return Fault(record.sequence, number, str(wrong))
        except DecodeError:
            return Fault(record.sequence, number, "its bytes are no commit of a table")
    return None


def _against_snapshot(records: Sequence[Recorded], snapshot: Snapshot | None) -> Fault | None:
    if snapshot is None:
        return None
    try:
        kept = events_pb2.Snapshot.FromString(snapshot.data)
    except DecodeError:
        return Fault(snapshot.sequence, len(records), "there is a snapshot that cannot be read")
    version = kept.head.version
    if not 0 < version <= len(records):
        return Fault(snapshot.sequence, version, "there is a snapshot of it, but no such commit")
    if kept.hash != commit_hash(records[version - 1].data):
        reason = "its hash is not the one that the snapshot has of it"
        return Fault(records[version - 1].sequence, version, reason)
    return None
