"""All tables of the second copy checked at once: right, and with little of each in mind."""

import pytest
from laelo.table.v1 import events_pb2
from laelo_common.log.commit import commit_hash
from laelo_tools.second_copy.check import Checked, Tables

from .played import kit, match

TABLE = kit().TABLE


@pytest.mark.parametrize("at_once", [1, 7, 1000])
def test_of_a_table_that_is_closed_nothing_is_kept_but_that(at_once: int) -> None:
    stored = list(kit().eventful().stored)
    tables = Tables()
    for begin in range(0, len(stored), at_once):
        tables.take(TABLE, stored[begin : begin + at_once])
        assert tables.open == (begin + at_once < len(stored))
    moves = tables.moves
    assert moves > 0
    assert tables.checked == Checked(len(stored), moves, 1, [])
    more = events_pb2.Commit.FromString(stored[-1])
    more.head.version, more.head.command = more.head.version + 1, "more"
    more.head.previous = commit_hash(stored[-1])
    tables.take(TABLE, [more.SerializeToString()])
    assert tables.checked == Checked(len(stored) + 1, moves, 1, [TABLE])


def test_a_table_that_is_wrong_is_named_once_and_has_no_referee() -> None:
    stored = list(match(2, 4, 15).stored)
    stored[30] = stored[31]
    tables = Tables()
    tables.take(TABLE, stored)
    tables.take(TABLE, stored[:3])
    assert (tables.open, tables.tables, tables.bad) == (0, 1, {TABLE})
    assert tables.commits == len(stored) + 3
