"""Time that is given back after an outage, in which nobody could have moved."""

from laelo.table.v1 import events_pb2

from laelo_table.domain.commands import GiveBack
from laelo_table.domain.outcome import STALE_TURN, UNKNOWN_TABLE, Decision, Facts, Refusal
from laelo_table.domain.state import Table
from laelo_table.domain.turns import clock_ms

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
    """The turn goes on for as long as was left of it when the outage began."""
    short = state.begun is not None and state.begun.short_clock
    left_ms = min(state.deadline_ms - command.since_ms, clock_ms(state.move_seconds, short=short))
    deadline_ms = facts.now_ms + max(LEAST_MS, left_ms)
    moved = events_pb2.DeadlineMoved(
        since_ms=command.since_ms, by_ms=deadline_ms - state.deadline_ms
    )
    return Decision([events_pb2.Event(deadline_moved=moved)], deadline_ms, opens_turn=False)
