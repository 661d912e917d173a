"""Durable clocks behind the homes' timers, so that no turn is ever without one.

A clock costs a synced write, and most turns are over long before it calls. So one clock
covers every turn whose deadline lies a little before it: when it calls, whichever turn
is open and overdue by then is ended, not only the one that it was set for.
"""

from typing import Final, Protocol

from laelo_common.log import Clocks
from laelo_common.log.port import TooSoon

from laelo_table.domain.backstops import (
    GRACE_MS,
    NOBODYS_SLACK_MS,
    SLACK_MS,
    another,
    look_for,
)
from laelo_table.domain.outcome import Decision
from laelo_table.domain.state import Table
from laelo_table.warm import Warm

SKEW_MS: Final = 100
"""How far the time of the clocks' server may be ahead."""


_EARLIEST_MS: Final = 2_000
"""How early a clock may call and is to call again; earlier, it was meant for another deadline, and
the present one has another clock.
"""


class NotYetError(TooSoon):
    """A clock called before its turn's deadline: it has to call again."""


def wants_clock(state: Table, decision: Decision) -> bool:
    """Whether a decision opens a turn with a deadline, or moves that of the open one; before any
    other deadline a clock was set already.
    """
    deadline_ms = decision.deadline_ms
    return bool(deadline_ms) and (decision.opens_turn or deadline_ms != state.deadline_ms)


async def ensure_clock(clocks: Clocks, warm: Warm, version: int, decision: Decision) -> None:
    """Have a clock behind a turn before it is opened, or its deadline moved, by this version.

    Raises Unavailable.
    """
    first_ms = decision.deadline_ms + GRACE_MS
    last_ms = first_ms + (NOBODYS_SLACK_MS if decision.nobodys else SLACK_MS)
    for at_ms in warm.clocks_ms:
        if first_ms <= at_ms <= last_ms:
            return
    await _set(clocks, warm.id, version, last_ms)
    warm.clocks_ms.append(last_ms)


async def ensure_look(clocks: Clocks, table: str, version: int, at_ms: int) -> None:
    """Have somebody look at a table which everybody may have left by this version."""
    await _set(clocks, table, look_for(version), at_ms + GRACE_MS)


async def _set(clocks: Clocks, table: str, number: int, at_ms: int) -> None:
    if not await clocks.set(table, number, at_ms):
        # Who tried to make this version before, here or elsewhere, may have meant another moment.
        await clocks.set(table, another(number, at_ms), at_ms)


class Timed(Protocol):
    """What has an open turn: a table's state, or the head of its newest commit."""

    @property
    def turn(self) -> int:
        """Version that began it."""

    @property
    def deadline_ms(self) -> int:
        """When its time is up; 0 = never."""


def is_overdue(open_turn: Timed, called_for: int, now_ms: int) -> bool:
    """Whether the clock that was set for a turn has to act. Raises NotYetError."""
    if not open_turn.deadline_ms:
        return False
    late_ms = now_ms - open_turn.deadline_ms
    if open_turn.turn == called_for and -_EARLIEST_MS <= late_ms < 0:
        raise NotYetError(f"turn {called_for} has {-late_ms} ms left")
    return late_ms >= (0 if open_turn.turn == called_for else GRACE_MS - SKEW_MS)
