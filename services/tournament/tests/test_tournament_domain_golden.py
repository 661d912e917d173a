"""Samples of every event as it was once stored: they load for ever, and say the same.

A new event, or a new version of one (`decided.2`), gets a new sample: the tests fail until it
has one. The samples that are there are never changed.
"""

import json
from pathlib import Path

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from laelo.tournament.v1 import events_pb2, tournament_pb2
from laelo_tournament.domain.evolve import _CHANGES, evolve
from laelo_tournament.domain.public import public
from laelo_tournament.domain.ranking import awards
from laelo_tournament.domain.snapshot import restore, save
from laelo_tournament.domain.state import NO_CHAMPIONSHIP

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = json.loads((GOLDEN / "events.json").read_text())
COMMITS = [bytes.fromhex(line) for line in (GOLDEN / "championship.hex").read_text().split()]


def test_every_event_has_a_sample() -> None:
    names = [field.name for field in events_pb2.Event.DESCRIPTOR.oneofs[0].fields]
    assert {name.partition(".")[0] for name in SAMPLES} == {*names, "snapshot"}
    assert sorted(_CHANGES) == sorted(names)


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"snapshot"}))
def test_a_stored_event_says_what_it_said(name: str) -> None:
    event = events_pb2.Event.FromString(bytes.fromhex(SAMPLES[name]["bytes"]))
    assert event.WhichOneof("event") == name.partition(".")[0]
    assert said(event) == SAMPLES[name]["says"]


def test_a_stored_snapshot_is_the_state_of_its_championship() -> None:
    kept = events_pb2.Snapshot.FromString(bytes.fromhex(SAMPLES["snapshot"]["bytes"]))
    assert said(kept) == SAMPLES["snapshot"]["says"]
    state = NO_CHAMPIONSHIP
    for data in COMMITS[: kept.head.version]:
        state = evolve(state, events_pb2.Commit.FromString(data))
    assert restore(kept) == state
    assert save(state, kept.hash) == kept


def test_a_stored_championship_folds_to_its_end() -> None:
    state = NO_CHAMPIONSHIP
    for data in COMMITS:
        state = evolve(state, events_pb2.Commit.FromString(data))
    assert (state.version, state.stage) == (len(COMMITS), tournament_pb2.STAGE_OVER)
    assert list(state.bracket.matches) == ["W1-1", "W1-2", "W2-1", "L1-1", "L2-1", "F1", "F2"]
    assert sum(award.points for award in awards(state)) == 30
    assert public(state).champion == state.bracket.champion


def said(message: Message) -> object:
    return json_format.MessageToDict(message)
