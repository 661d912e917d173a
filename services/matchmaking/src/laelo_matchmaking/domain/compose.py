"""From what was decided to the commit that is stored: one message for all that follows."""

from collections.abc import Sequence
from typing import NamedTuple

from laelo.matchmaking.v1 import events_pb2

from laelo_matchmaking.domain.commands import AnyCommand, actor_of
from laelo_matchmaking.domain.state import Queue


class Stamp(NamedTuple):
    """Where a commit stands: its queue, what it follows and when."""

    queue: str
    previous: bytes
    """SHA-256 of the stored bytes of the commit before; empty for the first."""
    now_ms: int
    trace: str = ""
    """W3C trace context of the command; empty when it is not traced."""


def compose(
    state: Queue, command: AnyCommand, events: Sequence[events_pb2.Event], stamp: Stamp
) -> events_pb2.Commit:
    """The commit that a decision on `state` makes."""
    commit = events_pb2.Commit(events=events)
    head = commit.head
    head.aggregate = stamp.queue
    head.version = state.version + 1
    head.command = command.command
    head.actor, head.actor_id = actor_of(command)
    head.time_ms = stamp.now_ms
    head.previous = stamp.previous
    head.trace = stamp.trace
    return commit
