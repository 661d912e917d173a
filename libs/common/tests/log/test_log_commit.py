"""The chain of hashes: any change of any commit is found and named."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from laelo.log.v1.log_pb2 import ACTOR_PERSON, AnyCommit, Head
from laelo_common.log import Recorded
from laelo_common.log.commit import commit_hash, head_of, verify_chain


def history(length, aggregate="T1"):
    commits, previous = [], b""
    for version in range(1, length + 1):
        head = Head(
            aggregate=aggregate,
            version=version,
            turn=version,
            command=f"c{version}",
            actor=ACTOR_PERSON,
            actor_id="p",
            time_ms=1_700_000_000_000 + version,
            previous=previous,
        )
        data = AnyCommit(head=head).SerializeToString() + b"\x12\x03evt"  # field 2: events
        commits.append(Recorded(version * 3, "tbl.1.T1.ev", data, 0))
        previous = commit_hash(data)
    return commits


def with_data(commit, data):
    return Recorded(commit.sequence, commit.subject, data, commit.time_ms)


def last_hash(commits):
    return commit_hash(commits[-1].data) if commits else b""


@given(st.integers(0, 12))
def test_a_whole_history_has_no_fault(length):
    commits = history(length)
    assert verify_chain(commits) is None
    assert verify_chain(iter(commits), last_hash(commits)) is None


@given(st.integers(1, 8), st.data())
def test_any_changed_byte_is_found_and_its_commit_named(length, data):
    commits = history(length)
    kept = last_hash(commits)
    at = data.draw(st.integers(0, length - 1))
    place = data.draw(st.integers(0, len(commits[at].data) - 1))
    flip = data.draw(st.integers(1, 255))
    changed = bytearray(commits[at].data)
    changed[place] ^= flip
    commits[at] = with_data(commits[at], bytes(changed))
    fault = verify_chain(commits, kept)
    assert fault is not None
    # The first commit also says to whom the history belongs; only its follower tells.
    allowed = {at + 1, 2} if at == 0 else {at + 1}
    if at == length - 1 and at > 0:
        allowed.add(at)  # of a broken last link nothing says which end was changed
    assert fault.version in allowed
    assert fault.sequence == commits[fault.version - 1].sequence


@given(st.integers(3, 8), st.data())
def test_a_missing_or_moved_commit_is_found(length, data):
    commits = history(length)
    at = data.draw(st.integers(0, length - 2))
    missing = commits[:at] + commits[at + 1 :]
    assert verify_chain(missing).version == at + 1
    assume(at + 1 < length)
    commits[at], commits[at + 1] = commits[at + 1], commits[at]
    assert verify_chain(commits).version == at + 1


def test_a_lost_end_shows_against_the_hash_that_was_kept():
    commits = history(4)
    assert verify_chain(commits[:3]) is None
    assert verify_chain(commits[:3], last_hash(commits)).version == 3
    assert verify_chain([], last_hash(commits)).version == 0


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xff\xff", "its bytes are no commit"),
        (b"", "it says that it is version 0"),
        (history(2, "T2")[1].data, "it belongs to T2"),
    ],
)
def test_the_fault_says_why(data, reason):
    commits = history(3)
    commits[1] = with_data(commits[1], data)
    assert verify_chain(commits).reason == reason


def test_the_head_of_any_commit_can_be_read():
    head = head_of(history(2)[1].data)
    assert (head.version, head.command, head.aggregate) == (2, "c2", "T1")
    assert len(head.previous) == 32
