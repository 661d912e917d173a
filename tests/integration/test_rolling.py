"""Every service is restarted in the middle of play, and nobody loses a move or a match by it.

This is a slice of `make rolling`, which does it to every replica three times during 200 matches.
"""

import pytest
from laelo_tools.rolling.run import Config, measure
from laelo_tools.rolling.steps import ORDER

pytestmark = [pytest.mark.integration, pytest.mark.faults]

TABLES = 8


async def test_nothing_is_lost_when_each_service_is_restarted() -> None:
    result = await measure(
        Config(
            tables=TABLES,
            rounds=1,
            several=("rules", "table", "gateway"),
            beat=0.02,
            clock=0,
            settle=0.0,
            each=False,
            championships=False,
        )
    )
    assert result.faults == []
    assert result.restarts == len(ORDER) + 2
    assert result.matches >= TABLES
    assert result.connections_lost > 0, "somebody was at the gateway that ended"
    assert result.acknowledged > 0
