"""Samples of every event as it was once stored: they load for ever, and say the same.

A new event, or a new version of one (`joined.2`), gets a new sample: the tests fail until it
has one. The samples that are there are never changed.
"""

import json
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from laelo.matchmaking.v1 import events_pb2
from laelo_matchmaking.domain.evolve import _CHANGES, evolve
from laelo_matchmaking.domain.snapshot import restore, save
from laelo_matchmaking.domain.state import EMPTY, Kept

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = json.loads((GOLDEN / "events.json").read_text())
COMMITS = [bytes.fromhex(line) for line in (GOLDEN / "queue.hex").read_text().split()]


def test_every_event_has_a_sample() -> None:
    names = [field.name for field in events_pb2.Event.DESCRIPTOR.oneofs[0].fields]
    assert {name.partition(".")[0] for name in SAMPLES} == {*names, "snapshot"}
    assert sorted(_CHANGES) == sorted(names)


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"snapshot"}))
def test_a_stored_event_says_what_it_said(name: str) -> None:
    event = events_pb2.Event.FromString(bytes.fromhex(SAMPLES[name]["bytes"]))
    assert event.WhichOneof("event") == name.partition(".")[0]
    assert said(event) == SAMPLES[name]["says"]


def test_a_stored_snapshot_is_the_state_of_its_queue() -> None:
    kept = events_pb2.Snapshot.FromString(bytes.fromhex(SAMPLES["snapshot"]["bytes"]))
    assert said(kept) == SAMPLES["snapshot"]["says"]
    state = EMPTY
    for data in COMMITS[: kept.head.version]:
        state = evolve(state, events_pb2.Commit.FromString(data))
    assert restore(kept) == state
    assert save(state, "main", kept.hash) == kept


def test_a_stored_queue_folds_to_its_end() -> None:
    state = EMPTY
    for data in COMMITS:
        state = evolve(state, events_pb2.Commit.FromString(data))
    assert (state.version, state.sequence, state.next_ordinal) == (28, 40, 19)
    assert {busy.championship for busy in state.busy.values()} == {"c0002"}
    assert sorted(state.busy)[-1] == "p105"
    assert [place.player for place in state.line] == ["p106", "p107"]
    assert state.kept["p003"] == Kept(3, 1700000781000)


def said(message: Message) -> object:
    return json_format.MessageToDict(message)
