"""Settings that need more than a type."""

import pytest
from laelo_table.settings import delay_range


@pytest.mark.parametrize(
    ("text", "wanted"), [("0", (0, 0)), ("800-1600", (800, 1600)), ("7-7", (7, 7))]
)
def test_a_delay_is_a_number_or_a_range(text: str, wanted: tuple[int, int]) -> None:
    assert delay_range(text) == wanted


@pytest.mark.parametrize("text", ["", "-", "soon", "9-3", "5-", "-5", "1-2-3", "1.5"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="milliseconds"):
        delay_range(text)
