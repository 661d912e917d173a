"""The plan follows from the seed, and nothing is spared."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.faults.nemesis.plan import LONGEST, PROCESS, WIRE, Kind, Targets, plan
from tests.faults.nemesis.report import Summary, as_json, by_process, table

NAMES = (
    *("postgres", "nats-1", "nats-2", "nats-3", "rules-1", "rules-2", "bots-1"),
    *("table-1", "table-2", "tournament-1", "matchmaking-1", "archive-1"),
    *("gateway-1", "gateway-2"),
)
TARGETS = Targets.of(NAMES)


@given(seed=st.text(), count=st.integers(1, 60), pace=st.floats(0.1, 10))
def test_a_seed_gives_one_plan(seed: str, count: int, pace: float) -> None:
    faults = plan(seed, count, TARGETS, pace)
    assert faults == plan(seed, count, TARGETS, pace)
    assert [fault.number for fault in faults] == list(range(1, count + 1))
    assert [fault.after for fault in faults] == sorted(fault.after for fault in faults)
    for fault in faults:
        assert 0 < fault.seconds <= LONGEST[fault.kind]
        assert fault.target in (*NAMES, "people")
        assert bool(fault.other) == (fault.kind in WIRE)
        if fault.kind is Kind.FILL:
            assert fault.target in TARGETS.disks


@given(st.integers())
def test_seeds_give_plans_of_their_own(seed: int) -> None:
    assert plan(str(seed), 20, TARGETS, 1) != plan(str(seed + 1), 20, TARGETS, 1)


@given(st.text())
def test_each_kind_and_each_process_has_its_turn(seed: str) -> None:
    faults = plan(seed, len(Kind) * len(NAMES), TARGETS, 1)
    assert set(Counter(fault.kind for fault in faults).values()) == {len(NAMES)}
    for kind in PROCESS:
        assert {fault.target for fault in faults if fault.kind is kind} == set(NAMES)


def test_wires_are_those_that_there_are() -> None:
    assert ("people", "gateway-2") in TARGETS.wires
    assert ("table-1", "nats") in TARGETS.wires
    assert ("nats-1", "nats-3") in TARGETS.wires
    assert ("gateway-1", "postgres") in TARGETS.wires
    assert not [one for one, other in TARGETS.wires if one == other]
    assert not [wire for wire in TARGETS.wires if wire[0].startswith("rules")]
    assert set(TARGETS.disks) == {"postgres", "nats-1", "nats-2", "nats-3"}


def test_what_was_done_is_counted_at_both_ends_of_a_wire() -> None:
    faults = plan("count", 70, TARGETS, 1)
    rows = by_process(faults)
    kills = sum(row[Kind.KILL] for row in rows.values())
    assert kills == sum(fault.kind is Kind.KILL for fault in faults)
    cuts = [fault for fault in faults if fault.kind is Kind.CUT]
    ends = {fault.target.partition("-")[0] for fault in cuts}
    assert all(rows[end][Kind.CUT] for end in ends - {"nats"})
    summary = Summary("again", faults, [], {"acknowledged": 7})
    assert as_json([summary, summary])["faults"] == 140
    assert as_json([summary, summary])["counts"] == {"acknowledged": 14}
    shown = table([summary])
    assert shown[0].startswith("| process | kill | stop |")
    assert any(line.startswith("| nats-1 |") for line in shown)
