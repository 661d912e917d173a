"""Settings that need more than a type."""

import dataclasses
from typing import Any

import pytest
from laelo_common.log.clocks import LONGEST_MS
from laelo_table.domain.backstops import AFTER_MS, GRACE_MS, NOBODYS_SLACK_MS
from laelo_table.settings import TableSettings, delay_range


@pytest.mark.parametrize(
    ("text", "wanted"), [("0", (0, 0)), ("800-1600", (800, 1600)), ("7-7", (7, 7))]
)
def test_a_delay_is_a_number_or_a_range(text: str, wanted: tuple[int, int]) -> None:
    assert delay_range(text) == wanted


@pytest.mark.parametrize("text", ["", "-", "soon", "9-3", "5-", "-5", "1-2-3", "1.5"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="milliseconds"):
        delay_range(text)


def test_a_durable_clock_can_call_for_the_longest_times_that_may_be_set() -> None:
    """Of a table that all have left: they are gone after a while, and later it is closed."""
    fields = dataclasses.fields(TableSettings)
    most: dict[str, Any] = {field.name: field.metadata.get("high") for field in fields}
    seconds = most["bot_after_seconds"] + most["empty_seconds"]
    assert seconds * 1000 + AFTER_MS <= LONGEST_MS
    assert most["pause_ms"] + GRACE_MS + NOBODYS_SLACK_MS <= LONGEST_MS
