"""What happens to a connection to the log, as metrics."""

from functools import partial
from typing import Final

from laelo_common.log.connection import Connection, Counters
from laelo_common.metrics import Metrics

_TEXTS: Final = {
    "errors": "Errors that the log's server or its client told.",
    "slow_consumers": "Messages thrown away because they were not taken in fast enough.",
    "disconnects": "Connections to the log that were lost.",
    "reconnects": "Connections to the log that were made anew.",
    "snapshots_failed": "Snapshots that were not kept; a load takes longer then.",
    "dues_failed": "Durable clocks that have to call again, since nothing could be done.",
    "resumed": "Consumers set up again after something was lost.",
}
_FAILURES: Final = ("conflicts", "duplicates", "unavailable", "refused")


def show_log(metrics: Metrics, connection: Connection) -> None:
    """Show all that is counted on a connection."""
    counters = connection.counters
    for name, text in _TEXTS.items():
        metrics.count(f"laelo_log_{name}_total", text, partial(_read, counters, name))
    for name in _FAILURES:
        metrics.count(
            "laelo_log_append_failures_total",
            "Appends that were not simply stored; most are read again and tried anew.",
            partial(_read, counters, name),
            why=name,
        )
    metrics.gauge(
        "laelo_log_out_of_reach",
        "1 = nothing can be stored just now.",
        lambda: connection.reach.out,
    )
    metrics.gauge(
        "laelo_log_subscriptions",
        "Subjects that are listened to.",
        lambda: connection.wire.subscriptions,
    )
    counters.append_seconds = metrics.histogram(
        "laelo_log_append_seconds",
        "From sending a commit, or those of one frame, to the answer that all are stored.",
    )


def _read(counters: Counters, name: str) -> int:
    count: int = getattr(counters, name)
    return count
