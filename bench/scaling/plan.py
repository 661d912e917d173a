"""How many of each part so many tables need, and which limit is met first."""

import math
from typing import Final, NamedTuple

from bench.scaling.measured import SERVICES, Measured

MOVE_SECONDS: Final = 3.0
"""People take so long for a move, passes included."""
COMMITS_A_MOVE: Final = 1.1
"""Deals, seats and the like beside the moves."""
BUSY: Final = 0.6
"""Of its core, or of what it can do, a process is to use at most on average."""
SEATS: Final = 4
SOCKETS: Final = 20_000
"""That one gateway takes, as it is set."""
LEADER: Final = 9_000
"""Commits a second that one stream's leader stores, synced on three servers (architecture.md)."""
PEAK: Final = 3.0
"""A day has a third of the commits that it would have if the peak lasted all day."""
KEPT_DAYS: Final = 30
COPIES: Final = 3
LEAST: Final = 2
"""Of everything there are two, so that one may go."""


class Need(NamedTuple):
    """What so many tables need."""

    tables: int
    moves: float
    commits: float
    sockets: int
    processes: dict[str, int]
    """By service."""
    cores: dict[str, float]
    memory_gb: dict[str, float]
    """Beside what each process takes empty."""
    streams: int
    archives: int
    nats_cores: float
    archive_cores: float
    log_gb: float
    copy_gb_a_year: float
    back_s: float
    """CPU seconds of all gateways for the clients of one that is lost."""


class Limit(NamedTuple):
    """How many tables one of a part carries, and what ends it."""

    part: str
    tables: float
    by: str


def need(tables: int, measured: Measured) -> Need:
    """What so many tables need at once, at the peak."""
    moves = tables / MOVE_SECONDS
    commits = moves * COMMITS_A_MOVE
    sockets = tables * SEATS
    least = {"gateway": math.ceil(sockets / (SOCKETS * BUSY))}
    processes = {
        name: _processes(name, moves, max(LEAST, least.get(name, 0)), measured) for name in SERVICES
    }
    cores = {
        name: moves * measured.cost(name, moves / count) / 1e6 for name, count in processes.items()
    }
    a_day = commits * 86_400 / PEAK
    return Need(
        tables=tables,
        moves=moves,
        commits=commits,
        sockets=sockets,
        processes=processes,
        cores=cores,
        memory_gb={name: tables * kb / 1e6 for name, kb in measured.table_kb.items()},
        streams=max(1, math.ceil(commits / (LEADER * BUSY))),
        archives=max(1, math.ceil(commits / (measured.archive_rate * BUSY))),
        nats_cores=moves * measured.nats_us[0] / 1e6,
        archive_cores=commits * measured.archive_us / 1e6,
        log_gb=a_day * KEPT_DAYS * measured.log_bytes * COPIES / 1e9,
        copy_gb_a_year=a_day * 365 * measured.copy_bytes / 1e9,
        back_s=sockets / processes["gateway"] * measured.client_ms / 1000,
    )


def _processes(service: str, moves: float, least: int, measured: Measured) -> int:
    """The fewest from `least` on that are not too busy; the more, the emptier their frames."""
    count = least
    while moves * measured.cost(service, moves / count) / 1e6 / count > BUSY:
        count += 1
    return count


def limits(measured: Measured) -> list[Limit]:
    """What one of each part carries, the first limit first."""
    found = [
        Limit(name, _one_carries(name, measured), f"{BUSY:.0%} of a core") for name in SERVICES
    ]
    found += [
        Limit("gateway's sockets", SOCKETS * BUSY / SEATS, f"{SOCKETS:,} of one, {BUSY:.0%}"),
        Limit("stream", LEADER * BUSY / COMMITS_A_MOVE * MOVE_SECONDS, f"{LEADER:,} commits/s"),
        Limit(
            "archive",
            measured.archive_rate * BUSY / COMMITS_A_MOVE * MOVE_SECONDS,
            f"{measured.archive_rate:,.0f} commits/s",
        ),
    ]
    return sorted(found, key=lambda limit: limit.tables)


def _one_carries(service: str, measured: Measured) -> float:
    """Tables, by halving: what a move costs depends on their number."""
    low, high = 1.0, 10.0**6
    while high / low > 1.001:
        middle = math.sqrt(low * high)
        moves = middle / MOVE_SECONDS
        fits = moves * measured.cost(service, moves) / 1e6 <= BUSY
        low, high = (middle, high) if fits else (low, middle)
    return low
