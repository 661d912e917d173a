"""The newest commands of a table, as one text, against a list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_table.domain.remembered import (
    MOST,
    NOTHING,
    age_of,
    ids_of,
    remember,
    with_newest,
)

IDS = st.lists(st.text("ab-.1", min_size=1, max_size=3), unique=True, max_size=3 * MOST)


@given(IDS, st.text("ab-.1", min_size=1, max_size=3))
def test_it_is_a_list_of_the_newest(commands: list[str], another: str) -> None:
    remembered = NOTHING
    for command in commands:
        remembered = with_newest(remembered, command)
    newest = commands[-MOST:]
    assert ids_of(remembered) == newest
    assert remember(newest) == remembered
    for command in {*commands, another}:
        expected = len(newest) - 1 - newest.index(command) if command in newest else None
        assert age_of(remembered, command) == expected


def test_nothing_is_remembered_of_a_table_that_nobody_has_opened() -> None:
    assert remember([]) == NOTHING
    assert ids_of(NOTHING) == []
    assert age_of(NOTHING, "") is None
    assert age_of(NOTHING, "a") is None


def test_what_is_no_id_is_not_taken_for_two() -> None:
    with pytest.raises(ValueError, match="one line"):
        remember(["a\nb"])
