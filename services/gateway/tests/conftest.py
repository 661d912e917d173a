"""Fixtures of the gateway's tests."""

import pytest
from laelo_common.ids import new_id


@pytest.fixture
def table_id() -> str:
    """A table that nobody has opened."""
    return new_id()
