"""A state as a message and back, so that a load need not read all of a championship's log.

The service writes none so far: it reads all that the log keeps when it starts.
"""

from laelo.log.v1 import log_pb2
from laelo.tournament.v1 import events_pb2

from laelo_tournament.domain.evolve import apply
from laelo_tournament.domain.state import NO_CHAMPIONSHIP, Championship


def save(state: Championship, digest: bytes) -> events_pb2.Snapshot:
    """The message of a state; `digest` is the SHA-256 of its newest commit's stored bytes."""
    return events_pb2.Snapshot(
        head=log_pb2.Head(aggregate=state.id, version=state.version),
        hash=digest,
        events=[event for _, event in state.history],
        times_ms=[time_ms for time_ms, _ in state.history],
    )


def restore(kept: events_pb2.Snapshot) -> Championship:
    """The state of a message. Raises UnknownEventError."""
    state = NO_CHAMPIONSHIP._replace(id=kept.head.aggregate, version=kept.head.version)
    for event, time_ms in zip(kept.events, kept.times_ms, strict=True):
        state = apply(state, event, time_ms)
    return state
