"""What the handlers need of the world outside."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from laelo.tournament.v1 import tournament_pb2
from laelo_common.log import Log
from laelo_common.telemetry import OFF, Telemetry

from laelo_matchmaking.domain.state import Times

StartChampionship = Callable[[tournament_pb2.StartRequest], Awaitable[None]]
"""Has the tournament service begin a championship, once however often it is asked.

Raises LaeloError when nobody knows whether it has.
"""


@dataclass(frozen=True, slots=True)
class World:
    """Everything that the handlers do not do by themselves."""

    log: Log
    start: StartChampionship
    now_ms: Callable[[], int]
    fresh_id: Callable[[], str]
    """An id for a championship."""
    times: Times
    lag_ms: int
    """How much later this replica acts for the house when another one stored the newest
    commit: that one is alive and comes first.
    """
    telemetry: Telemetry = OFF
