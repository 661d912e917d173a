"""Time that is given back after an outage, in which nobody could have moved."""

from typing import NamedTuple

from laelo.table.v1 import events_pb2

from laelo_table.domain.commands import GiveBack
from laelo_table.domain.outcome import STALE_TURN, UNKNOWN_TABLE, Decision, Facts, Refusal
from laelo_table.domain.state import Table
from laelo_table.domain.turns import clock_ms, scaled

LEAST_MS = 3_000
"""What everybody has left at least after an outage."""


def runs_for_person(state: Table) -> bool:
    """Whether the open turn is a person's, on a move clock."""
    begun = state.begun
    return begun is not None and state.move_seconds > 0 and not state.seats[begun.seat].bot


def refuse_give_back(state: Table, command: GiveBack, now_ms: int) -> Refusal | None:
    """Why there is nothing to be given back."""
    if not state.version:
        return UNKNOWN_TABLE
    if command.turn != state.turn or not runs_for_person(state):
        return STALE_TURN
    if now_ms < state.deadline_ms:
        return Refusal("NOT_YOUR_TURN", "the time of this turn is not up")
    return None


def give_back(state: Table, command: GiveBack, facts: Facts) -> Decision:
    """The turn goes on for as long as was left of it when the outage began.

    The long clock, which the others see, moves as it would by itself: how far it moves must
    not tell them which of the two runs (R24).
    """
    short = state.begun is not None and state.begun.short_clock
    own_ms = clock_ms(state.move_seconds, state.scale, short=short)
    long_ms = clock_ms(state.move_seconds, state.scale, short=False)
    long_deadline_ms = state.turn_ms + long_ms + state.given_back_ms
    outage = _Outage(command.since_ms, facts.now_ms, scaled(LEAST_MS, state.scale))
    by_ms = _moves_by(state.deadline_ms, own_ms, outage)
    moved = events_pb2.DeadlineMoved(
        since_ms=command.since_ms,
        by_ms=by_ms,
        long_by_ms=_moves_by(long_deadline_ms, long_ms, outage),
    )
    event = events_pb2.Event(deadline_moved=moved)
    return Decision([event], state.deadline_ms + by_ms, opens_turn=False)


class _Outage(NamedTuple):
    """Since when nobody could move, until when, and what everybody has left after it."""

    since_ms: int
    now_ms: int
    least_ms: int


def _moves_by(deadline_ms: int, clock: int, outage: _Outage) -> int:
    """How far a deadline moves; not at all while it is still to come."""
    if outage.now_ms < deadline_ms:
        return 0
    left_ms = min(deadline_ms - outage.since_ms, clock)
    return outage.now_ms + max(outage.least_ms, left_ms) - deadline_ms
