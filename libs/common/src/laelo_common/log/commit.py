"""What all commits share: their head, and the chain of hashes that binds them."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from google.protobuf.message import DecodeError
from laelo.log.v1.log_pb2 import AnyCommit, Head

from laelo_common.log.port import Recorded


def commit_hash(data: bytes) -> bytes:
    """SHA-256 of a commit's stored bytes; the next commit's head carries it."""
    return sha256(data).digest()


def head_of(data: bytes) -> Head:
    """Head of any aggregate's commit. Raises DecodeError if the bytes are no commit."""
    return AnyCommit.FromString(data).head


@dataclass(frozen=True, slots=True)
class Fault:
    """The first commit of a history that is not as it was stored, and how that shows."""

    sequence: int
    version: int
    reason: str


def verify_chain(commits: Iterable[Recorded], last_hash: bytes = b"") -> Fault | None:
    """Check a whole history: versions dense from 1, each with the hash of the one before.

    A commit is vouched for by the one after it, and the last one by
    `last_hash`, where that is kept elsewhere; without it a change there may not show.
    """
    history = list(commits)
    hashes = [commit_hash(commit.data) for commit in history]
    previous = b""
    for at, commit in enumerate(history):
        fault = _fault_in(commit, at + 1, history[0])
        if fault is not None:
            return fault
        if head_of(commit.data).previous != previous:
            return _broken_link(history, hashes, at)
        previous = hashes[at]
    if last_hash and last_hash != previous:
        sequence = history[-1].sequence if history else 0
        return Fault(sequence, len(history), "its hash is not the one that was kept elsewhere")
    return None


def _fault_in(commit: Recorded, version: int, first: Recorded) -> Fault | None:
    """What is wrong with a commit by itself."""
    try:
        head = head_of(commit.data)
    except DecodeError:
        return Fault(commit.sequence, version, "its bytes are no commit")
    if head.version != version:
        return Fault(commit.sequence, version, f"it says that it is version {head.version}")
    if head.aggregate != head_of(first.data).aggregate:
        return Fault(commit.sequence, version, f"it belongs to {head.aggregate}")
    return None


def _broken_link(history: list[Recorded], hashes: list[bytes], at: int) -> Fault:
    """Tell which end of a broken link was changed, by the link after it."""
    commit, version = history[at], at + 1
    if at == 0:
        return Fault(commit.sequence, version, "it has a hash of a commit before it")
    if at + 1 < len(history) and _previous_of(history[at + 1]) != hashes[at]:
        return Fault(commit.sequence, version, "its hash of the commit before it was changed")
    before = history[at - 1]
    reason = f"its hash is not the one that version {version} has of it"
    return Fault(before.sequence, version - 1, reason)


def _previous_of(commit: Recorded) -> bytes:
    try:
        return head_of(commit.data).previous
    except DecodeError:
        return b""
