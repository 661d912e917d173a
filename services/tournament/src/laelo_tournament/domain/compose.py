"""From a decision to the commit that is stored: one message for all that follows."""

from collections.abc import Iterable
from typing import NamedTuple

from laelo.tournament.v1 import events_pb2

from laelo_tournament.domain.commands import AnyCommand, actor_of
from laelo_tournament.domain.state import Championship


class Stamp(NamedTuple):
    """Where a commit stands: its championship, what it follows and when."""

    championship: str
    previous: bytes
    """SHA-256 of the stored bytes of the commit before; empty for the first."""
    now_ms: int
    trace: str = ""


def compose(
    state: Championship, command: AnyCommand, events: Iterable[events_pb2.Event], stamp: Stamp
) -> events_pb2.Commit:
    """The commit that the events decided on `state` make. Nobody has a turn in it."""
    commit = events_pb2.Commit(events=events)
    head = commit.head
    head.aggregate = stamp.championship
    head.version = state.version + 1
    head.command = command.command
    head.actor, head.actor_id = actor_of(command)
    head.time_ms = stamp.now_ms
    head.previous = stamp.previous
    head.trace = stamp.trace
    return commit
