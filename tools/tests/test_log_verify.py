"""laelo log verify: a history as it was played is good, any change names the commit."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2
from laelo_common.log.commit import commit_hash
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
    "a fence": ("seat_taken", 1, lambda e: setattr(e, "fence", 0), "fencing"),
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
