"""From a decision to the commit that is stored: one message for all that follows."""

from typing import NamedTuple

from laelo.log.v1 import log_pb2
from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain.commands import AnyCommand, actor_of
from laelo_table.domain.outcome import Decision
from laelo_table.domain.state import Table


class Stamp(NamedTuple):
    """Where a commit stands: its table, what it follows and when."""

    table: str
    previous: bytes
    """SHA-256 of the stored bytes of the commit before; empty for the first."""
    now_ms: int


def compose(
    state: Table, command: AnyCommand, decision: Decision, stamp: Stamp
) -> events_pb2.Commit:
    """The commit that a decision on `state` makes."""
    level = 0 if state.begun is None else state.seats[state.begun.seat].level
    actor, actor_id = actor_of(command, level)
    version = state.version + 1
    head = log_pb2.Head(
        aggregate=stamp.table,
        version=version,
        turn=version if decision.opens_turn else state.turn,
        deadline_ms=decision.deadline_ms,
        command=command.command,
        actor=actor,
        actor_id=actor_id,
        time_ms=stamp.now_ms,
        trace=command.trace if isinstance(command, table_pb2.Command) else "",
        previous=stamp.previous,
    )
    return events_pb2.Commit(head=head, events=decision.events)
