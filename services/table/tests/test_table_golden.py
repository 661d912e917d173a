"""Samples of every event as it was once stored: they load for ever, and say the same.

A new event, or a new version of one (`opened.2`), gets a new sample: `python -m pytest` fails
until it has one. The samples that are there are never changed.
"""

import json
from pathlib import Path

import pytest
from google.protobuf import json_format
from laelo.table.v1 import events_pb2
from laelo_common.upcast import newest
from laelo_table.domain.evolve import _CHANGES, evolve
from laelo_table.domain.snapshot import restore, save
from laelo_table.domain.state import NO_TABLE

from . import kit

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = json.loads((GOLDEN / "events.json").read_text())
MATCH = [bytes.fromhex(line) for line in (GOLDEN / "match.hex").read_text().split()]


def kind_of(sample: str) -> str:
    return sample.partition(".")[0]


def test_every_event_has_a_sample() -> None:
    names = [field.name for field in events_pb2.Event.DESCRIPTOR.oneofs[0].fields]
    assert {kind_of(sample) for sample in SAMPLES} == {*names, "snapshot"}
    assert sorted(_CHANGES) == sorted(name for name in names if not name[-1].isdigit())


@pytest.mark.parametrize(
    "name", sorted(name for name in SAMPLES if not name.startswith("snapshot"))
)
def test_a_stored_event_says_what_it_said(name: str) -> None:
    sample = SAMPLES[name]
    event = events_pb2.Event.FromString(bytes.fromhex(sample["bytes"]))
    assert event.WhichOneof("event") == kind_of(name)
    assert said(event) == sample["says"]


def test_a_stored_snapshot_is_the_state_of_its_match() -> None:
    kept = events_pb2.Snapshot.FromString(bytes.fromhex(SAMPLES["snapshot"]["bytes"]))
    assert said(kept) == SAMPLES["snapshot"]["says"]
    state = NO_TABLE
    for data in MATCH:
        state = evolve(state, events_pb2.Commit.FromString(data))
        if state.version == kept.head.version:
            # The time of opening was not kept then.
            state = state._replace(opened_ms=0)
            assert save(state, kept.hash) == without_names(kept)
            assert restore(kept) == state
    assert state.version >= kept.head.version


def test_a_stored_snapshot_with_people_who_come_and_go_is_restored() -> None:
    kept = events_pb2.Snapshot.FromString(bytes.fromhex(SAMPLES["snapshot.2"]["bytes"]))
    assert said(kept) == SAMPLES["snapshot.2"]["says"]
    state = restore(kept)
    assert save(state, kept.hash) == without_names(kept)
    assert [seat.gone for seat in state.seats] == [False, False, True, False]
    assert (state.seats[2].stand_in, len(state.added), state.code) == (2, 2, "ABC234")


def test_a_stored_snapshot_of_a_championships_table_is_restored() -> None:
    kept = events_pb2.Snapshot.FromString(bytes.fromhex(SAMPLES["snapshot.3"]["bytes"]))
    assert said(kept) == SAMPLES["snapshot.3"]["says"]
    state = restore(kept)
    assert save(state, kept.hash) == kept
    assert (state.championship, state.official, state.scale) == (kit.CHAMPIONSHIP, "W1-1", 0.5)
    assert [seat.animal for seat in state.seats] == list(kit.ANIMALS)


def test_a_stored_match_folds_to_its_end() -> None:
    state = NO_TABLE
    for data in MATCH:
        state = evolve(state, events_pb2.Commit.FromString(data))
    assert said(state.match_end) == SAMPLES["match_ended"]["says"]["matchEnded"]["end"]


def test_the_name_of_an_account_in_an_old_commit_is_read_by_nobody() -> None:
    event = sample("seat_taken.4")
    assert (event.seat_taken.name, event.seat_taken.guest) == ("Caio", False)
    seat = evolve(NO_TABLE, events_pb2.Commit(events=[event])).seats[event.seat_taken.seat]
    assert (seat.player, seat.name) == (event.seat_taken.player, "")


@pytest.mark.parametrize("name", [name for name in SAMPLES if kind_of(name) == "seat_taken"])
def test_an_old_seat_is_read_as_it_would_be_written_today(name: str) -> None:
    """The same seat, and after a change of version nothing of the old one is left."""
    kind, told = newest(sample(name))
    assert kind == "seat_taken"
    again = events_pb2.Event(seat_taken_2=told)
    assert newest(again) == ("seat_taken", told)
    old, new = (
        (evolve(NO_TABLE, events_pb2.Commit(events=[one]))) for one in (sample(name), again)
    )
    assert old == new
    assert any(not seat.is_empty for seat in new.seats)


def sample(name: str) -> events_pb2.Event:
    return events_pb2.Event.FromString(bytes.fromhex(SAMPLES[name]["bytes"]))


def without_names(kept: events_pb2.Snapshot) -> events_pb2.Snapshot:
    """A snapshot of old as it would be made today: accounts have no names."""
    for seat in kept.seats:
        seat.name = seat.name if seat.guest else ""
    return kept


def said(message: object) -> object:
    return json_format.MessageToDict(message)  # type: ignore[arg-type]
