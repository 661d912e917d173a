"""Every recorded match, put to the rules again: the same verdicts, the same hashes."""

from functools import cache

import pytest
from laelo.table.v1 import events_pb2
from laelo_tools.history.errors import WrongError
from laelo_tools.history.verify import verify_table

from .corpus import MATCHES, described, manifest, recorded
from .corpus_make import WANTED
from .played import recorded as as_recorded

MOST_BYTES = 200_000


@cache
def matches() -> list[list[bytes]]:
    return recorded()


@pytest.mark.parametrize("number", range(len(manifest())))
def test_a_recorded_match_is_judged_as_it_was(number: int) -> None:
    stored, told = matches()[number], manifest()[number]
    try:
        found = described(stored)
    except WrongError as wrong:
        pytest.fail(f"the rules of today say: {wrong}")
    assert found == told


def test_a_recorded_match_verifies() -> None:
    for stored in matches():
        table = events_pb2.Commit.FromString(stored[0]).head.aggregate
        assert not verify_table(table, as_recorded(stored, table)).faults


def test_all_that_can_happen_is_recorded() -> None:
    assert set(WANTED) <= {kind for match in manifest() for kind in match["has"]}
    assert MATCHES.stat().st_size < MOST_BYTES
