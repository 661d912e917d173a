"""The matchmaking service: settings, wiring, run."""

import random
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from laelo.matchmaking.v1 import matchmaking_pb2_grpc
from laelo.tournament.v1 import tournament_pb2
from laelo_common.ids import new_id
from laelo_common.log import Connection, JetStreamLog, NatsSettings, Unavailable, connect, show_log
from laelo_common.log.connection import wall_ms
from laelo_common.metrics import Read
from laelo_common.runtime import Service, SetupError, run_service
from laelo_common.settings import SettingsError, checked_scale

from laelo_matchmaking.adapters.tournament import Tournament
from laelo_matchmaking.app import WAITS, Matchmaking
from laelo_matchmaking.attendance import Attendance
from laelo_matchmaking.audience import Audience
from laelo_matchmaking.domain.state import Times
from laelo_matchmaking.domain.triggers import SIZES
from laelo_matchmaking.house import House
from laelo_matchmaking.ports import World
from laelo_matchmaking.releases import Releases
from laelo_matchmaking.server import MatchmakingServicer
from laelo_matchmaking.settings import MatchmakingSettings
from laelo_matchmaking.store import Store

LAG_MS: Final = (500, 1000)
"""How much later replicas act that are not first: each a time of its own, so that they do not
come together.
"""


@asynccontextmanager
async def wire(service: Service[MatchmakingSettings]) -> AsyncIterator[None]:
    """Connect all parts and serve; take them apart in the other order."""
    async with AsyncExitStack() as stack:
        world = await _world(service, stack)
        store = Store(world.log)
        stack.push_async_callback(store.close)
        service.task((await store.open()).wait(), "following the queue")
        app = Matchmaking(world, store)
        people = Attendance(store, world.times, world.now_ms)
        audience = Audience(store, app.shown)
        house = House(world, store, app, people)
        stack.push_async_callback(house.close)
        service.task(house.wait(), "house")
        releases = Releases(world.log, app)
        following = await releases.follow(store.state.sequence)
        stack.push_async_callback(following.close)
        service.task(following.wait(), "following the championships")
        service.task(releases.run(), "releases")
        servicer = MatchmakingServicer(store, app, people, audience)
        matchmaking_pb2_grpc.add_MatchmakingServiceServicer_to_server(servicer, service.grpc)
        service.serves("laelo.matchmaking.v1.MatchmakingService")

        async def drain() -> None:
            # First nothing is concluded any more from gateways that lose this replica.
            await house.close()
            audience.close()

        service.on_drain(drain)
        _measure(service, store, app, lambda: house.failed.value + releases.failed.value)
        _measure_people(service, store, people, audience)
        yield


async def _world(service: Service[MatchmakingSettings], stack: AsyncExitStack) -> World:
    settings = service.settings
    times, scale = _times(settings)
    try:
        tournament = Tournament(settings.tournament_addresses, service.dial("tournament"))
    except ValueError as error:
        raise SetupError(
            f"LAELO_MATCHMAKING_TOURNAMENT_ADDRESSES is {settings.tournament_addresses!r}: {error}"
        ) from error
    stack.push_async_callback(tournament.close)
    connection = await _connect(settings)
    stack.push_async_callback(connection.close)
    show_log(service.metrics, connection)
    return World(
        log=JetStreamLog(connection),
        start=tournament.start,
        now_ms=wall_ms,
        fresh_id=new_id,
        times=times,
        lag_ms=round(random.uniform(*LAG_MS) * scale),
        telemetry=service.telemetry,
    )


def _times(settings: MatchmakingSettings) -> tuple[Times, float]:
    """All durations, and the scale that is in them."""
    try:
        scale = checked_scale("matchmaking", settings.clock_scale, local=settings.local)
    except SettingsError as error:
        raise SetupError(str(error)) from error
    times = Times(
        wait_ms=settings.queue_wait_seconds * 1000, grace_ms=settings.queue_grace_seconds * 1000
    )
    return times.scaled(scale), scale


async def _connect(settings: MatchmakingSettings) -> Connection:
    servers = tuple(part.strip() for part in settings.nats_url.split(","))
    nats = NatsSettings(
        servers=servers,
        name="laelo-matchmaking",
        inbox_prefix="_INBOX.matchmaking",
        connect_s=settings.start_seconds / 2,
    )
    try:
        return await connect(nats)
    except Unavailable as error:
        way_out = "start nats-server, or set LAELO_MATCHMAKING_NATS_URL to where it is"
        raise SetupError(f"{error}: {way_out}") from error


def _measure(
    service: Service[MatchmakingSettings], store: Store, app: Matchmaking, failures: Read
) -> None:
    metrics, counts = service.metrics, app.counts
    metrics.count("laelo_matchmaking_commits_total", "Commands done.", lambda: counts.commits)
    metrics.count("laelo_matchmaking_refused_total", "Commands refused.", lambda: counts.refused)
    metrics.count(
        "laelo_matchmaking_anew_total",
        "Commands decided anew because another commit came first.",
        lambda: counts.anew,
    )
    metrics.count(
        "laelo_matchmaking_failures_total",
        "Tries of the house that came to nothing, such as to hand over.",
        failures,
    )
    counts.waits = metrics.histogram(
        "laelo_matchmaking_wait_seconds", "How long people waited who were called.", WAITS
    )
    for tier, size in SIZES.items():
        metrics.count(
            "laelo_matchmaking_called_total",
            "Championships called.",
            lambda tier=tier: counts.called[tier],  # type: ignore[misc]
            tier=tournament_pb2.Tier.Name(tier).removeprefix("TIER_").lower(),
            players=str(size),
        )
    metrics.gauge(
        "laelo_matchmaking_pending",
        "Championships called and not handed over.",
        lambda: len(store.state.pending),
    )


def _measure_people(
    service: Service[MatchmakingSettings], store: Store, people: Attendance, audience: Audience
) -> None:
    metrics = service.metrics
    metrics.gauge(
        "laelo_matchmaking_waiting", "People in the queue.", lambda: len(store.state.line)
    )
    metrics.gauge(
        "laelo_matchmaking_away",
        "Of these, disconnected.",
        lambda: sum(place.away_ms > 0 for place in store.state.line),
    )
    metrics.gauge(
        "laelo_matchmaking_busy", "People in a championship.", lambda: len(store.state.busy)
    )
    metrics.gauge("laelo_matchmaking_here", "People connected.", lambda: len(people))
    metrics.gauge("laelo_matchmaking_gateways", "Gateways that attend.", lambda: len(audience))


def main() -> None:
    """Run until told to stop."""
    sys.exit(run_service("matchmaking", MatchmakingSettings, wire))


if __name__ == "__main__":
    main()
