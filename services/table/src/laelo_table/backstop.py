"""Durable clocks behind the homes' timers, so that no turn is ever without one.

A clock costs a synced write, and most turns are over long before it calls. So one clock
covers every turn whose deadline lies a little before it: when it calls, whichever turn
is open and overdue by then is ended, not only the one that it was set for.
"""

from typing import Final

from laelo_common.log import Clocks

from laelo_table.domain.state import Table
from laelo_table.warm import Warm

GRACE_MS: Final = 500
"""How long after a deadline the home's own timer is left alone."""

SLACK_MS: Final = 200
"""How much later than that a clock is set, to cover the turns that follow quickly."""

SKEW_MS: Final = 100
"""How far the time of the clocks' server may be ahead."""


class NotYetError(Exception):
    """A clock called before its turn's deadline: it has to call again."""


async def ensure_clock(clocks: Clocks, warm: Warm, turn: int, deadline_ms: int) -> None:
    """Have a clock behind a turn before it is opened. Raises Unavailable."""
    first_ms = deadline_ms + GRACE_MS
    last_ms = first_ms + SLACK_MS
    for at_ms in warm.clocks_ms:
        if first_ms <= at_ms <= last_ms:
            return
    await clocks.set(warm.id, turn, last_ms)
    warm.clocks_ms.append(last_ms)


def is_overdue(state: Table, called_for: int, now_ms: int) -> bool:
    """Whether the clock that was set for a turn has to act. Raises NotYetError."""
    if not state.deadline_ms:
        return False
    late_ms = now_ms - state.deadline_ms
    if state.turn == called_for and late_ms < 0:
        raise NotYetError(f"turn {called_for} has {-late_ms} ms left")
    return state.turn == called_for or late_ms >= GRACE_MS - SKEW_MS
