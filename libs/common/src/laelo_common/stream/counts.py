"""What happened on streams, and how it is shown."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from laelo_common.metrics import Metrics


@dataclass(slots=True)
class ClientCounts:
    """What happened on a client's streams; those to the replicas of one service share it."""

    reconnects: int = 0
    timeouts: int = 0
    late: int = 0
    """Answers that came after their time."""
    overloaded: int = 0
    """Requests that were not sent, since too many were pending."""

    def show(
        self, metrics: Metrics, to: str, pending: Callable[[], int], up: Callable[[], int]
    ) -> None:
        """Show it, and how many requests are pending and how many replicas can be asked."""
        for name, text, read in (
            ("reconnects", "Streams opened anew.", lambda: self.reconnects),
            ("timeouts", "Requests without an answer in time.", lambda: self.timeouts),
            ("late", "Answers that came too late.", lambda: self.late),
            ("overloaded", "Requests not sent: too many were pending.", lambda: self.overloaded),
        ):
            metrics.count(f"laelo_stream_{name}_total", text, read, to=to)
        metrics.gauge("laelo_stream_pending", "Requests without an answer yet.", pending, to=to)
        metrics.gauge("laelo_stream_replicas", "Replicas that can be asked.", up, to=to)


@dataclass(slots=True)
class ServerCounts:
    """What happened on a server's streams."""

    dropped: int = 0
    """Streams that were ended because their client did not read."""
    held_back: int = 0
    """How often no more was read for a while, because too much was at work."""


class Streams(Protocol):
    """A `StreamServer`, as it is measured."""

    counts: ServerCounts
    sessions: Any


def show_server(metrics: Metrics, streams: Streams) -> None:
    """Show what happens on a server's streams."""
    counts = streams.counts
    metrics.count(
        "laelo_stream_dropped_total",
        "Streams ended because their client did not read.",
        lambda: counts.dropped,
    )
    metrics.count(
        "laelo_stream_held_back_total",
        "How often no more was read from a stream for a while: too much was at work.",
        lambda: counts.held_back,
    )
    metrics.gauge(
        "laelo_stream_unsent",
        "Items that wait to be written.",
        lambda: sum(session.waiting for session in streams.sessions),
    )
