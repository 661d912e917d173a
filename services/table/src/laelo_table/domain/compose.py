"""From a decision to the commit that is stored: one message for all that follows."""

from typing import NamedTuple

from laelo.table.v1 import events_pb2

from laelo_table.domain.commands import AnyCommand, actor_of
from laelo_table.domain.outcome import Decision
from laelo_table.domain.state import Table


class Stamp(NamedTuple):
    """Where a commit stands: its table, what it follows and when."""

    table: str
    previous: bytes
    """SHA-256 of the stored bytes of the commit before; empty for the first."""
    now_ms: int
    trace: str = ""
    """W3C trace context of what is done; empty when it is not traced."""


def compose(
    state: Table, command: AnyCommand, decision: Decision, stamp: Stamp
) -> events_pb2.Commit:
    """The commit that a decision on `state` makes; the decision is used up."""
    level = 0 if state.begun is None else state.seats[state.begun.seat].bot
    events = decision.events
    commit = events if isinstance(events, events_pb2.Commit) else events_pb2.Commit(events=events)
    head = commit.head
    head.aggregate = stamp.table
    head.version = state.version + 1
    head.turn = head.version if decision.opens_turn else state.turn
    head.deadline_ms = decision.deadline_ms
    head.command = command.command
    head.actor, head.actor_id = actor_of(command, level)
    head.time_ms = stamp.now_ms
    head.previous = stamp.previous
    if stamp.trace:
        head.trace = stamp.trace
    return commit
