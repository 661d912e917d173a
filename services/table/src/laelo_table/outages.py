"""When nobody could have moved: the log was out of reach, or the service was not there."""

from typing import Final

from laelo_common.log import Reach

from laelo_table.domain.commands import GiveBack
from laelo_table.domain.state import Table, version_of

GRACE_MS: Final = 500
"""A deadline so soon after an outage fell into it as well: nobody was heard again by then."""

UNNOTICED_MS: Final = 1_000
"""An outage begins when something could not be stored; it may have begun unnoticed before."""


class Outages:
    """What this replica knows of them."""

    def __init__(self, reach: Reach, started_ms: int) -> None:
        self._reach = reach
        self._started_ms = started_ms

    def since(self, state: Table) -> int | None:
        """When the outage began into which the open turn's deadline fell; None if into none, or
        if its time was given back.
        """
        since_ms = self._since(state)
        if since_ms is None or version_of(state, GiveBack(state.turn, since_ms).command):
            return None
        return since_ms

    def _since(self, state: Table) -> int | None:
        """What was before this replica started it cannot know: a turn that should have been
        ended by then and was not has been without a service since some time after it began, or
        after its time was given back before.
        """
        deadline_ms = state.deadline_ms
        if deadline_ms <= self._started_ms + GRACE_MS:
            return state.turn_ms + state.given_back_ms
        for gap in self._reach.gaps:
            ended_ms = deadline_ms if gap.until_ms is None else gap.until_ms + GRACE_MS
            if gap.since_ms - UNNOTICED_MS <= deadline_ms <= ended_ms:
                return min(gap.since_ms, deadline_ms)
        return None
