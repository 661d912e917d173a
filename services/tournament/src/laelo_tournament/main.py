"""The tournament service: settings, wiring, run."""

import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from laelo.tournament.v1 import tournament_pb2_grpc
from laelo_common.log import Connection, JetStreamLog, NatsSettings, Unavailable, connect, show_log
from laelo_common.log.connection import wall_ms
from laelo_common.postgres import Database
from laelo_common.runtime import Service, SetupError, run_service
from laelo_common.stream import Dial

from laelo_tournament.adapters.postgres import PostgresRecords
from laelo_tournament.adapters.tables import GrpcTables
from laelo_tournament.app import Championships
from laelo_tournament.domain.draw import SEED_BYTES
from laelo_tournament.feed import Feed
from laelo_tournament.migrate import MIGRATIONS
from laelo_tournament.mirror import Mirror
from laelo_tournament.ports import World
from laelo_tournament.records import Recorder
from laelo_tournament.server import TournamentServicer
from laelo_tournament.settings import TournamentSettings
from laelo_tournament.steward import Stewards


@asynccontextmanager
async def wire(service: Service[TournamentSettings]) -> AsyncIterator[None]:
    """Connect all parts and serve; take them apart in the other order."""
    async with AsyncExitStack() as stack:
        world = await _world(service, stack)
        mirror = Mirror(world.log)
        stack.push_async_callback(mirror.close)
        await mirror.start()
        championships = Championships(world, mirror)
        feed = Feed(mirror)
        stewards = Stewards(world, mirror, championships)
        stack.push_async_callback(stewards.close)
        recorder = Recorder(world.log, world.records)
        tournament_pb2_grpc.add_TournamentServiceServicer_to_server(
            TournamentServicer(championships, feed, service.telemetry), service.grpc
        )
        service.serves("laelo.tournament.v1.TournamentService")
        service.on_drain(feed.close)
        service.task(mirror.wait(), "championships")
        service.task(recorder.run(), "records")
        stewards.start()
        _measure(service, mirror, championships, stewards)
        service.metrics.gauge("laelo_tournament_followers", "Gateways that follow.", feed.__len__)
        _measure_records(service, mirror, recorder)
        yield


async def _world(service: Service[TournamentSettings], stack: AsyncExitStack) -> World:
    settings = service.settings
    connection = await _connect(settings)
    stack.push_async_callback(connection.close)
    show_log(service.metrics, connection)
    tables = _tables(settings, service.dial("table"))
    stack.push_async_callback(tables.close)
    database = Database(settings.pg_dsn.reveal(), MIGRATIONS)
    stack.push_async_callback(database.close)
    service.task(database.reach(), "database")
    return World(
        log=JetStreamLog(connection),
        tables=tables,
        records=PostgresRecords(database),
        now_ms=wall_ms,
        seed=partial(secrets.token_bytes, SEED_BYTES),
        pause_ms=settings.pause_ms,
        telemetry=service.telemetry,
    )


def _tables(settings: TournamentSettings, dial: Dial) -> GrpcTables:
    try:
        return GrpcTables(settings.table_addresses, dial)
    except ValueError as error:
        value = settings.table_addresses
        raise SetupError(f"LAELO_TOURNAMENT_TABLE_ADDRESSES is {value!r}: {error}") from error


async def _connect(settings: TournamentSettings) -> Connection:
    servers = tuple(part.strip() for part in settings.nats_url.split(","))
    nats = NatsSettings(
        servers=servers,
        name="laelo-tournament",
        inbox_prefix="_INBOX.tournament",
        connect_s=settings.start_seconds / 2,
    )
    try:
        return await connect(nats)
    except Unavailable as error:
        way_out = "start nats-server, or set LAELO_TOURNAMENT_NATS_URL to where it is"
        raise SetupError(f"{error}: {way_out}") from error


def _measure(
    service: Service[TournamentSettings],
    mirror: Mirror,
    championships: Championships,
    stewards: Stewards,
) -> None:
    metrics, counts = service.metrics, championships.counts
    metrics.count("laelo_tournament_commits_total", "Commands done.", lambda: counts.commits)
    metrics.count("laelo_tournament_refused_total", "Commands refused.", lambda: counts.refused)
    metrics.count(
        "laelo_tournament_anew_total",
        "Commands decided anew because another commit came first.",
        lambda: counts.anew,
    )
    metrics.count(
        "laelo_tournament_tables_total", "Tables opened from here.", lambda: stewards.opened
    )
    metrics.count(
        "laelo_tournament_unreadable_total",
        "Championships given up, since their log makes no sense.",
        lambda: mirror.unreadable,
    )
    metrics.gauge(
        "laelo_tournament_running", "Championships that run.", lambda: len(mirror.running)
    )
    metrics.gauge(
        "laelo_tournament_matches", "Matches seen through from here.", lambda: len(stewards)
    )
    stewards.delays = metrics.histogram(
        "laelo_tournament_result_seconds",
        "From the end of a match to its result in the log.",
    )


def _measure_records(
    service: Service[TournamentSettings], mirror: Mirror, recorder: Recorder
) -> None:
    service.metrics.gauge(
        "laelo_tournament_records_behind",
        "Commits that are not recorded yet.",
        lambda: max(0, mirror.position - recorder.cursor),
    )
    service.metrics.count(
        "laelo_tournament_record_failures_total",
        "How often recording did not succeed.",
        lambda: recorder.failures,
    )
    service.metrics.count(
        "laelo_tournament_unrecorded_total",
        "Championships that are not recorded, since they cannot be read or kept.",
        lambda: recorder.given_up,
    )


def main() -> None:
    """Run until told to stop."""
    sys.exit(run_service("tournament", TournamentSettings, wire))


if __name__ == "__main__":
    main()
