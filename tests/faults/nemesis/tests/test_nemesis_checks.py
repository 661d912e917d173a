"""The checker finds nothing in a run that went well, and whatever is damaged in one."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laelo.table.v1 import events_pb2

from tests.faults.nemesis.checks.boards import check_boards, check_ends, check_gaps
from tests.faults.nemesis.checks.commands import check_commands, check_order
from tests.faults.nemesis.checks.finding import Finding
from tests.faults.nemesis.checks.hidden import check_hidden
from tests.faults.nemesis.checks.logs import check_clocks, check_tables
from tests.faults.nemesis.history import Did, Entry, Heard, History, Sent, asked
from tests.faults.nemesis.story import story
from tests.faults.nemesis.tests.made_up import PEOPLE, TABLE, Told, a_run, player_of, recorded

seeds = st.integers(0, 2**32)


def found_in(told: Told) -> list[Finding]:
    """All that is found by the checks that look at tables."""
    history, log = told.history, told.log
    commands = asked(history)
    last = {TABLE: len(told.records)}
    seen = {who: {TABLE: max(h.frame.get("seq", 0) for h in history.frames(who))} for who in PEOPLE}
    return [
        *check_commands(commands, log),
        *check_order(commands, log),
        *check_boards(history, log),
        *check_gaps(history),
        *check_ends(seen, last),
        *check_hidden(history, log),
        *check_tables(log, {}),
        *check_clocks(log),
    ]


def kinds(findings: list[Finding]) -> set[str]:
    return {finding.check for finding in findings}


def with_entries(told: Told, entries: list[Entry]) -> Told:
    """The same run with another history."""
    history = History()
    history.entries, history.people = entries, told.history.people
    return Told(history, told.records)


def moves(told: Told) -> list[int]:
    """Places in the log of what people did once the match had begun."""
    return [
        place
        for place, commit in enumerate(told.log.tables[TABLE].commits)
        if place > 5 and commit.head.actor_id in map(player_of, PEOPLE)
    ]


@given(seeds)
@settings(max_examples=20)
def test_nothing_is_found_in_a_run_that_went_well(seed: int) -> None:
    assert found_in(a_run(seed)) == []


# Damage to the log.


@given(seeds)
@settings(max_examples=15)
def test_an_acknowledged_command_that_was_lost_is_found(seed: int) -> None:
    """As if the answer went out before the append: the end of the log is not there."""
    told = a_run(seed)
    lost = Random(seed).choice(moves(told))
    assert {"acknowledged", "boards"} <= kinds(found_in(told._replace(records=told.records[:lost])))


@given(seeds)
@settings(max_examples=15)
def test_a_command_that_was_done_twice_is_found(seed: int) -> None:
    """As if a retry was appended without an expected sequence."""
    told = a_run(seed)
    twice = Random(seed).choice(moves(told))
    commit = events_pb2.Commit.FromString(told.records[twice].data)
    commit.head.version = len(told.records) + 1
    found = found_in(told._replace(records=[*told.records, recorded(commit)]))
    assert {"twice", "hashes"} <= kinds(found)


@given(seeds)
@settings(max_examples=15)
def test_another_tile_than_the_one_that_was_played_is_found(seed: int) -> None:
    told = a_run(seed)
    place, commit = next(
        (place, commit)
        for place, commit in enumerate(told.log.tables[TABLE].commits)
        if place in moves(told) and commit.events[0].HasField("played")
    )
    commit.events[0].played.tile = (commit.events[0].played.tile + 1) % 28
    records = [*told.records[:place], recorded(commit), *told.records[place + 1 :]]
    assert {"changed", "boards", "hashes"} <= kinds(found_in(told._replace(records=records)))


@given(seeds)
@settings(max_examples=10)
def test_a_clock_that_plays_too_early_is_found(seed: int) -> None:
    told = a_run(seed, commits=120)
    commits = told.log.tables[TABLE].commits
    clocks = [n for n, commit in enumerate(commits) if commit.head.command.startswith("clock-")]
    if not clocks:
        return
    place = Random(seed).choice(clocks)
    commits[place].head.time_ms -= 5_000
    records = [*told.records[:place], recorded(commits[place]), *told.records[place + 1 :]]
    assert "clocks" in kinds(found_in(told._replace(records=records)))


# Damage to what people were told.

Change = Callable[[Told, Random], list[Entry]]


def refused(told: Told, chance: Random) -> list[Entry]:
    """A command that was done is refused."""
    return _answers(told, chance, lambda e: {**e.frame, "t": "nack", "d": {"code": "STALE_TURN"}})


def other_version(told: Told, chance: Random) -> list[Entry]:
    """The answer names another commit."""
    return _answers(told, chance, lambda e: {**e.frame, "seq": e.frame["seq"] + 1})


def lost_frame(told: Told, chance: Random) -> list[Entry]:
    """A frame never comes, and nobody notices."""
    entries = told.history.entries
    places = [
        n for n, e in enumerate(entries) if isinstance(e, Heard) and 10 < e.frame.get("seq", 0) < 50
    ]
    place = chance.choice(places)
    return [*entries[:place], *entries[place + 1 :]]


def wrong_board(told: Told, chance: Random) -> list[Entry]:
    """A frame tells of other ends than there are."""
    return _events(told, chance, "played", lambda event: {**event, "ends": [9, 9]})


def other_hand(told: Told, _: Random) -> list[Entry]:
    """A frame shows somebody the tiles of the next seat."""
    entries = told.history.entries
    dealt = [
        n
        for n, e in enumerate(entries)
        if isinstance(e, Heard) and e.who == "Ana" and _kind(e, "dealt")
    ]
    others = [
        n
        for n, e in enumerate(entries)
        if isinstance(e, Heard) and e.who == "Bia" and _kind(e, "dealt")
    ]
    return _put(entries, dealt[0], _frame(entries, others[0]))


def next_seed(told: Told, _: Random) -> list[Entry]:
    """The seed of the hand that is played comes with a move."""
    commits = told.log.tables[TABLE].commits
    seed = next(
        event.deal_committed.seed.hex()
        for commit in commits
        for event in commit.events
        if event.HasField("deal_committed")
    )
    return _events(told, Random(1), "played", lambda event: {**event, "seed": seed}, first=True)


def nobodys_command(told: Told, chance: Random) -> list[Entry]:
    """A command stands in the log that nobody has sent."""
    entries = told.history.entries
    sent = [n for n, e in enumerate(entries) if isinstance(e, Sent) and e.frame["t"] == "play"]
    name = _frame(entries, chance.choice(sent))["id"]
    return [e for e in entries if not (isinstance(e, Sent) and e.frame["id"] == name)]


def out_of_order(told: Told, chance: Random) -> list[Entry]:
    """Somebody asks only after those were answered who come later in the log."""
    entries = list(told.history.entries)
    sent = [n for n, e in enumerate(entries) if isinstance(e, Sent) and e.frame["t"] == "play"]
    place = chance.choice(sent[: len(sent) // 2])
    name = _frame(entries, place)["id"]
    moved = [e for e in entries if _is_about(e, name)]
    return [e for e in entries if not _is_about(e, name)] + moved


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (refused, "refused"),
        (other_version, "acknowledged"),
        (lost_frame, "gaps"),
        (wrong_board, "boards"),
        (other_hand, "hidden"),
        (next_seed, "hidden"),
        (nobodys_command, "strangers"),
        (out_of_order, "order"),
    ],
    ids=lambda part: getattr(part, "__name__", part),
)
@given(seed=seeds)
@settings(max_examples=10)
def test_what_people_were_told_wrongly_is_found(change: Change, check: str, seed: int) -> None:
    told = a_run(seed)
    found = found_in(with_entries(told, change(told, Random(seed))))
    assert check in kinds(found)
    (first, *_) = [finding for finding in found if finding.check == check]
    shown = story(first, told.history, told.log)
    assert len(shown) > 1
    assert any(" log " in line for line in shown)


def _frame(entries: list[Entry], place: int) -> dict[str, Any]:
    entry = entries[place]
    assert not isinstance(entry, Did)
    return entry.frame


def _put(entries: list[Entry], place: int, frame: dict[str, Any]) -> list[Entry]:
    entry = entries[place]
    assert isinstance(entry, Heard)
    return [*entries[:place], entry._replace(frame=frame), *entries[place + 1 :]]


def _kind(entry: Heard, kind: str) -> bool:
    return any(event["k"] == kind for event in entry.frame.get("d", {}).get("events", ()))


def _is_about(entry: Entry, name: str) -> bool:
    if isinstance(entry, Sent):
        return bool(entry.frame["id"] == name)
    return isinstance(entry, Heard) and entry.frame.get("re") == name


def _answers(told: Told, chance: Random, change: Callable[[Heard], dict[str, Any]]) -> list[Entry]:
    entries = told.history.entries
    places = [
        n for n, e in enumerate(entries) if isinstance(e, Heard) and "re" in e.frame and n > 40
    ]
    place = chance.choice(places)
    entry = entries[place]
    assert isinstance(entry, Heard)
    return _put(entries, place, change(entry))


def _events(
    told: Told,
    chance: Random,
    kind: str,
    change: Callable[[dict[str, Any]], dict[str, Any]],
    *,
    first: bool = False,
) -> list[Entry]:
    entries = told.history.entries
    places = [n for n, e in enumerate(entries) if isinstance(e, Heard) and _kind(e, kind)]
    place = places[0] if first else chance.choice(places)
    frame = _frame(entries, place)
    events = [change(event) if event["k"] == kind else event for event in frame["d"]["events"]]
    return _put(entries, place, {**frame, "d": {**frame["d"], "events": events}})


def test_who_stops_hearing_is_found() -> None:
    told = a_run(1)
    last = {TABLE: len(told.records)}
    assert check_ends({"Ana": {TABLE: len(told.records)}}, last) == []
    (finding,) = check_ends({"Ana": {TABLE: len(told.records) - 1}}, last)
    assert finding.check == "ends"


def test_a_record_that_was_changed_is_found() -> None:
    told = a_run(2)
    records = list(told.records)
    commit = events_pb2.Commit.FromString(records[20].data)
    commit.head.time_ms += 1
    records[20] = replace(records[20], data=commit.SerializeToString())
    assert "hashes" in kinds(check_tables(told._replace(records=records).log, {}))
