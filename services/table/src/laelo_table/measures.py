"""What the table service shows of itself; docs/operations/metrics.md tells what it is good for."""

from collections import Counter
from functools import partial
from typing import Final

from laelo.table.v1 import table_pb2
from laelo_common.metrics import Metrics
from laelo_common.stream import StreamServer, show_server

from laelo_table.app import MOVERS, Tables
from laelo_table.domain.state import Phase, phase_of
from laelo_table.store import TableStore
from laelo_table.timers import Timers

_PHASES: Final = {
    Phase.LOBBY: "lobby",
    Phase.CHOOSE: "play",
    Phase.PLAY: "play",
    Phase.PAUSE: "pause",
    Phase.MATCH_OVER: "over",
}
"""What a table waits for, in the words of the metrics."""


def show_commands(metrics: Metrics, tables: Tables) -> None:
    """Show what was done."""
    counts = tables.counts
    metrics.count("laelo_table_commits_total", "Commands done.", lambda: counts.commits)
    metrics.count("laelo_table_refused_total", "Commands refused.", lambda: counts.refused)
    metrics.count(
        "laelo_table_anew_total",
        "Commands decided anew because another commit came first.",
        lambda: counts.anew,
    )
    for mover in MOVERS:
        metrics.count(
            "laelo_table_moves_total",
            "Tiles, passes and choices of who opens, by who made them.",
            partial(counts.moves.__getitem__, mover),
            mover=mover,
        )


def show_timers(metrics: Metrics, timers: Timers) -> None:
    """Show how turns end by themselves."""
    metrics.count(
        "laelo_table_act_failures_total",
        "Turns that could not be ended at the first try.",
        lambda: timers.failed,
    )
    metrics.count(
        "laelo_table_given_back_total",
        "Turns whose time was given back after an outage.",
        lambda: timers.given_back,
    )
    timers.lateness = metrics.histogram(
        "laelo_table_clock_lateness_seconds",
        "How long after its deadline a person's turn was ended by the clock.",
    )


def show_tables(metrics: Metrics, store: TableStore) -> None:
    """Show what is in memory here."""
    metrics.count("laelo_table_loads_total", "Tables read from the log.", lambda: store.loads)
    metrics.gauge("laelo_table_warm", "Tables in memory.", lambda: len(store.tables))
    for phase in dict.fromkeys(_PHASES.values()):
        metrics.gauge(
            "laelo_table_watched",
            "Tables that somebody watches through this replica, their home, by what they wait for.",
            lambda phase=phase: _watched(store)[phase],  # type: ignore[misc]
            phase=phase,
        )


def show_streams(
    metrics: Metrics, streams: StreamServer[table_pb2.Command, table_pb2.Update]
) -> None:
    """Show the gateways' streams."""
    show_server(metrics, streams)
    metrics.gauge("laelo_table_streams", "Streams open now.", lambda: len(streams.sessions))


def _watched(store: TableStore) -> Counter[str]:
    return Counter(_PHASES[phase_of(warm.state)] for warm in store.tables.all() if warm.watchers)
