"""docs/reliability.md has every known fault, with a test and a patch, and nothing else."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.faults.nemesis.plan import Kind
from tests.faults.prove import find_test

ROOT: Final = Path(__file__).resolve().parents[4]
PAGE: Final = ROOT / "docs" / "reliability.md"
ROW: Final = re.compile(r"^\| ([a-z-]+) \| .+ \| \[.+\]\(\.\./(.+)\) \|$", re.MULTILINE)
KNOWN: Final = frozenset(
    (
        *("offline-move", "restart-waiting", "wrong-board", "short-drop", "at-most-once"),
        *("seat-expired", "half-open", "two-actors", "double-click", "late-answer"),
        *("join-mid-move", "restart-flag", "never-ends", "other-clock", "orphan-pairing"),
        *("two-games", "absent-round", "final-reset", "lost-slot", "standings-restart"),
        *("ticket-limbo", "index-leak", "hidden-leak", "seed-leak", "room-leak", "zombie-room"),
        *("two-processes", "idle-proxy", "herd", "dead-socket", "nats-restart", "dup-ack"),
        *("projection-gap", "pool-leak", "sticky-channel"),
    )
)
"""Faults that comparable systems really had."""


def test_every_known_fault_is_there_once() -> None:
    names = [name for name, _ in ROW.findall(PAGE.read_text())]
    assert sorted(names) == sorted(KNOWN)


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_its_link_leads_to_its_test_and_the_test_has_a_patch(name: str) -> None:
    links = dict(ROW.findall(PAGE.read_text()))
    assert ROOT / links[name] == ROOT / find_test(ROOT, name)
    assert (ROOT / "tests" / "faults" / "mutants" / f"{name}.patch").is_file()


def test_every_kind_of_fault_is_explained() -> None:
    text = PAGE.read_text()
    assert all(f"\n| {kind} | " in text for kind in Kind)
