"""laelo log verify: a history as it was played is good, any change names the commit."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.log import Snapshot
from laelo_common.log.commit import commit_hash
from laelo_table.domain.commands import StartByItself
from laelo_tools.history.verify import verify_table

from .played import kit, match, recorded, snapshot_of

OLD_MATCH = Path(__file__).parents[2] / "services" / "table" / "tests" / "golden" / "match.hex"


def check(game: Any, stored: list[bytes], snapshot: Any = None) -> Any:
    return verify_table(kit().TABLE, recorded(stored), snapshot)


@pytest.mark.parametrize("people", [1, 2, 3, 4])
@pytest.mark.parametrize("move_seconds", [0, 2, 15])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_was_played_is_good(seed: int, people: int, move_seconds: int) -> None:
    game = match(seed, people, move_seconds)
    last = len(game.stored)
    report = check(game, game.stored, snapshot_of(game, last))
    assert not report.faults
    assert report.commits == last
    assert report.moves > 50


@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from([0, 2, 15]))
@settings(max_examples=30, deadline=None)
def test_what_people_did_who_came_and_went_is_good(seed: int, people: int, clock: int) -> None:
    game = kit().lively_match(seed, people, clock)
    assert not check(game, game.stored).faults


def test_a_match_of_before_clients_added_bytes_is_good() -> None:
    stored = [bytes.fromhex(line) for line in OLD_MATCH.read_text().split()]
    table = events_pb2.Commit.FromString(stored[0]).head.aggregate
    assert not verify_table(table, recorded(stored, table)).faults


def test_two_matches_at_one_table_and_a_seat_that_is_left() -> None:
    game = kit().Game(Random(5)).open(4, move_seconds=15).start()
    game.play_on(20)
    game.must(game.ask(kit().table_pb2.KIND_LEAVE, "davi"))
    game.play_on()
    game.must(game.ask(kit().table_pb2.KIND_START, "ana"))
    game.play_on()
    report = check(game, game.stored)
    assert not report.faults


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_changed_byte_names_the_commit(data: st.DataObject) -> None:
    game = match(2, 2, 15)
    stored = list(game.stored)
    version = data.draw(st.integers(1, len(stored)), label="version")
    change = bytearray(stored[version - 1])
    at = data.draw(st.integers(0, len(change) - 1), label="byte")
    change[at] ^= data.draw(st.integers(1, 255), label="change")
    stored[version - 1] = bytes(change)
    report = check(game, stored, snapshot_of(game, len(stored)))
    assert version in {fault.version for fault in report.faults}


def rehashed(commits: list[events_pb2.Commit]) -> list[bytes]:
    """The commits with a chain that fits: what somebody would write who rewrites the log."""
    stored: list[bytes] = []
    for commit in commits:
        commit.head.previous = commit_hash(stored[-1]) if stored else b""
        stored.append(commit.SerializeToString())
    return stored


def copies(game: Any) -> list[events_pb2.Commit]:
    return [events_pb2.Commit.FromString(data) for data in game.stored]


def index_of(commits: list[events_pb2.Commit], kind: str, nth: int = 0) -> tuple[int, Any]:
    """The place of a commit that holds an event of a kind, and that event."""
    found = [
        (place, getattr(event, kind))
        for place, commit in enumerate(commits)
        for event in commit.events
        if event.WhichOneof("event") == kind
    ]
    return found[nth]


def _other_tile(event: Any) -> None:
    event.tile = (event.tile + 1) % 28


def _more(name: str) -> Any:
    def change(event: Any) -> None:
        setattr(event, name, getattr(event, name) + 1)

    return change


def _swap(event: Any) -> None:
    order = bytearray(event.order)
    order[0], order[27] = order[27], order[0]
    event.order = bytes(order)


def _other_seed(event: Any) -> None:
    event.seed = bytes(32)


LIES = {
    "a tile": ("played", 3, _other_tile, "rules"),
    "a seat": ("played", 3, _more("seat"), "seat|rules"),
    "the points": ("hand_ended", 0, lambda e: _more("points")(e.end), "end of the hand"),
    "the winner": ("hand_ended", 0, lambda e: _more("winner")(e.end), "end of the hand"),
    "the multiplier": ("hand_ended", 0, _more("multiplier"), "multiplier"),
    "the seed told": ("hand_ended", 0, _other_seed, "seed"),
    "the seed bound to": ("deal_committed", 0, _other_seed, "commitment"),
    "the order": ("dealt", 0, _swap, "order of the tiles"),
    "the opening": ("dealt", 1, lambda e: setattr(e, "opening", 1), "opening"),
    "the hand": ("dealt", 0, _more("hand"), "hand"),
    "the calls": ("played", 3, lambda e: e.calls.pop(), "calls"),
    "what follows": ("played", 3, lambda e: _more("score_0")(e.after), "score_0 is 1, not 0"),
    "a pass": ("passed", 0, lambda e: e.calls.pop(), "calls"),
    "the turn": ("turn_began", 3, lambda e: setattr(e, "short_clock", not e.short_clock), "turn"),
    "what may be laid": ("turn_began", 3, lambda e: setattr(e, "plays", b""), "plays"),
    "the match": ("match_started", 0, _more("match"), "match"),
    "the end": ("match_ended", 0, lambda e: _more("score_1")(e.end), "end of the match"),
    "a fence": ("seat_taken_2", 1, lambda e: setattr(e, "fence", 0), "fencing"),
    "an opener": ("opener_chosen", 0, lambda e: setattr(e, "opener", e.seat ^ 1), "OPENER"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_a_chain_that_fits_names_the_commit(lie: str) -> None:
    kind, nth, change, words = LIES[lie]
    commits = copies(match(2, 4, 15))
    place, event = index_of(commits, kind, nth)
    change(event)
    report = check(None, rehashed(commits))
    (fault,) = report.faults
    assert fault.version == place + 1
    assert any(word in fault.reason for word in words.split("|")), fault


def _set(name: str, value: Any) -> Any:
    return lambda event: setattr(event, name, value)


VISITORS = {
    "an empty seat gone": ("person_gone", 0, _set("seat", 9), "no seat 9"),
    "a person there back": ("person_back", 0, _set("seat", 0), "not gone"),
    "a fence of a stand-in": ("bot_stands_in", 0, _set("fence", 0), "fencing"),
    "a stand-in without level": ("bot_stands_in", 0, _set("level", 0), "stand in"),
    "a window as before": ("seat_held", 0, _set("window", ""), "by this window already"),
    "a seat held by a bot": ("seat_held", 0, _set("seat", 1), "no person"),
    "a swap with itself": ("seats_swapped", 0, _set("other", 1), "with itself"),
    "a fence of a swap": ("seats_swapped", 0, _set("other_fence", 0), "fencing"),
    "bytes that are short": ("bytes_added", 0, _set("bytes", b"x"), "length"),
    "bytes for another hand": ("bytes_added", 0, _set("hand", 2), "hand"),
    "somebody else's bytes": ("bytes_added", 0, _set("seat", 3), "person who adds"),
    "the method": ("dealt", 0, _set("method", 1), "order of the tiles"),
    "a method of the future": ("dealt", 0, _set("method", 3), "method 3"),
    "the time given back": ("deadline_moved", 0, _more("by_ms"), "deadline"),
    "when an outage began": ("deadline_moved", 0, _more("since_ms"), "command"),
    "no reason to close": ("table_closed", 0, _set("closing", 0), "without a reason"),
}


def _eventful() -> list[events_pb2.Commit]:
    return [events_pb2.Commit.FromString(data) for data in kit().eventful().stored]


@pytest.mark.parametrize("lie", VISITORS)
def test_a_lie_about_people_names_the_commit(lie: str) -> None:
    kind, nth, change, words = VISITORS[lie]
    commits = _eventful()
    place, event = index_of(commits, kind, nth)
    change(event)
    (fault,) = check(None, rehashed(commits)).faults
    assert fault.version == place + 1
    assert words in fault.reason, fault


def _fault_of(commits: list[events_pb2.Commit]) -> str:
    (fault,) = check(None, rehashed(commits)).faults
    return str(fault.reason)


def test_nothing_happens_after_the_end() -> None:
    commits = _eventful()
    assert not check(None, rehashed(commits)).faults
    last = commits[-1]
    more = commits[5]
    more.head.version, more.head.command = last.head.version + 1, "more"
    assert "after the table was closed" in _fault_of([*_eventful(), more])


def test_what_people_did_at_the_wrong_time_is_named() -> None:
    place, _ = index_of(_eventful(), "deadline_moved")
    commits = _eventful()
    commits[place].head.time_ms -= 60_000
    assert "time is given back before" in _fault_of(commits)
    commits = _eventful()
    commits[place].head.time_ms = commits[place].head.deadline_ms
    assert "less time is given back" in _fault_of(commits)
    commits = _eventful()
    place, _ = index_of(commits, "person_gone")
    commits[place].head.deadline_ms += 1
    assert "touches no clock" in _fault_of(commits)
    commits = _eventful()
    swap = commits[index_of(commits, "seats_swapped")[0]].events[0]
    place, _ = index_of(commits, "person_gone")
    commits[place].events[0].CopyFrom(swap)
    assert "in the middle of a match" in _fault_of(commits)
    commits = _eventful()
    added = commits[index_of(commits, "bytes_added")[0]].events[0]
    commits[place].events[0].CopyFrom(added)
    assert "nobody had committed to" in _fault_of(commits)
    commits = _eventful()
    first, second = index_of(commits, "bytes_added"), index_of(commits, "bytes_added", 1)
    commits[second[0]].head.actor_id = commits[first[0]].head.actor_id
    second[1].seat = first[1].seat
    assert "twice" in _fault_of(commits)
    place, gone = index_of(commits, "person_gone")
    commits = _eventful()
    commits[place].events.add(person_gone=gone)
    assert "gone already" in _fault_of(commits)


def test_a_match_that_starts_by_itself_is_never_early() -> None:
    game = kit().Game(Random(3)).open(2, start_seconds=8)
    game.now_ms += 8_000
    game.must(StartByItself(game.state.turn))
    game.play_on()
    commits = copies(game)
    assert not check(None, rehashed(commits)).faults
    place, _ = index_of(commits, "match_started")
    commits[place].head.time_ms -= 1
    assert "starts by itself before" in _fault_of(commits)


@pytest.mark.parametrize("scale", [float("inf"), float("nan"), -1.0, 2.0])
def test_times_are_scaled_as_a_table_may_have_them(scale: float) -> None:
    commits = copies(match(2, 4, 15))
    commits[0].events[0].opened.clock_scale = scale
    (fault,) = check(None, rehashed(commits)).faults
    assert (fault.version, fault.reason) == (1, f"nobody scales times by {scale:g}")


def _head(change: Any) -> list[bytes]:
    commits = copies(match(2, 4, 15))
    place, _ = index_of(commits, "played", 3)
    change(commits[place].head)
    return rehashed(commits)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda head: setattr(head, "actor_id", "somebody else"), "person in seat"),
        (lambda head: setattr(head, "command", "c1"), "was done before"),
        (lambda head: setattr(head, "command", ""), "missing"),
        (lambda head: setattr(head, "actor", log_pb2.ACTOR_CLOCK), "clock-"),
        (lambda head: setattr(head, "actor", log_pb2.ACTOR_BOT), "bot-"),
        (lambda head: setattr(head, "actor", 9), "actor 9"),
        (lambda head: setattr(head, "deadline_ms", 5), "deadline"),
        (lambda head: setattr(head, "turn", 1), "its turn is 1"),
        (lambda head: setattr(head, "version", 1), "version"),
        (lambda head: setattr(head, "aggregate", "another"), "another"),
    ],
)
def test_a_lie_in_a_head_names_the_commit(change: Any, words: str) -> None:
    place, _ = index_of(copies(match(2, 4, 15)), "played", 3)
    report = check(None, _head(change))
    assert {fault.version for fault in report.faults} == {place + 1}
    assert any(words in fault.reason for fault in report.faults)


def test_an_event_too_many_or_too_few_is_named() -> None:
    commits = copies(match(2))
    place, event = index_of(commits, "passed")
    commits[place].events.add(passed=event)
    assert check(None, rehashed(commits)).faults[0].version == place + 1
    commits = copies(match(2))
    del commits[place].events[-1]
    (fault,) = check(None, rehashed(commits)).faults
    assert (fault.version, fault.reason) == (place + 1, "turn_began is missing at its end")
    commits = copies(match(2))
    del commits[place].events[:]
    assert "nothing happens" in check(None, rehashed(commits)).faults[0].reason


def test_a_missing_commit_is_named() -> None:
    game = match(2)
    report = check(None, game.stored[:50] + game.stored[51:])
    assert report.faults[0].version == 51


def test_the_clock_is_never_early() -> None:
    commits = copies(match(2, 4, 15))
    place = next(
        place
        for place, commit in enumerate(commits)
        if commit.head.actor == log_pb2.ACTOR_CLOCK and not commit.head.command.startswith("deal-")
    )
    commits[place].head.time_ms -= 20_000
    (fault,) = check(None, rehashed(commits)).faults
    assert fault.version == place + 1
    assert "before the time is up" in fault.reason


def test_a_snapshot_vouches_for_the_last_commit() -> None:
    game = match(2)
    last = len(game.stored)
    commits = copies(game)
    commits[-1].head.trace = "changed"
    stored = rehashed(commits)
    assert not check(None, stored).faults  # nothing else tells
    (fault,) = check(None, stored, snapshot_of(game, last)).faults
    assert (fault.version, fault.sequence) == (last, 1000 + last)


def test_a_snapshot_that_cannot_be_read_is_named() -> None:
    game = match(2)
    (fault,) = check(game, game.stored, Snapshot(b"\xff", 1007)).faults
    assert (fault.sequence, fault.reason) == (1007, "there is a snapshot that cannot be read")


def test_without_a_snapshot_both_ends_of_the_last_link_are_named() -> None:
    game = match(2)
    last = copies(game)[-1]
    last.head.previous = bytes(32)
    (fault,) = check(game, [*game.stored[:-1], last.SerializeToString()]).faults
    assert fault.version == len(game.stored) - 1
    assert "or that version, the last, is changed" in fault.reason


def test_no_commits_are_no_table() -> None:
    (fault,) = check(None, []).faults
    assert "no such table" in fault.reason
