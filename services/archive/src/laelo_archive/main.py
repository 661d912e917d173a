"""The archive service: settings, wiring, run."""

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from laelo.archive.v1 import archive_pb2_grpc
from laelo_common.ids import new_id
from laelo_common.log import (
    Connection,
    JetStreamLives,
    JetStreamLog,
    Kind,
    NatsSettings,
    Unavailable,
    connect,
    show_log,
)
from laelo_common.metrics import Metrics
from laelo_common.postgres import Database
from laelo_common.runtime import Service, SetupError, run_service

from laelo_archive.adapters.judgements import PostgresVerdicts
from laelo_archive.adapters.judges import GrpcJudges
from laelo_archive.adapters.reading import PostgresReading
from laelo_archive.adapters.writing import PostgresShelves
from laelo_archive.app import Archive
from laelo_archive.archivist import Archivist
from laelo_archive.domain.project import Stream
from laelo_archive.judging import Judges, Judging
from laelo_archive.migrate import MIGRATIONS
from laelo_archive.nightly import Nightly
from laelo_archive.server import ArchiveServicer
from laelo_archive.settings import ArchiveSettings
from laelo_archive.watch import Watch


@asynccontextmanager
async def wire(service: Service[ArchiveSettings]) -> AsyncIterator[None]:
    """Connect all parts and serve; take them apart in the other order."""
    async with AsyncExitStack() as stack:
        connection = await _connect(service.settings)
        stack.push_async_callback(connection.close)
        show_log(service.metrics, connection)
        database = Database(service.settings.pg_dsn.reveal(), MIGRATIONS)
        stack.push_async_callback(database.close)
        service.task(database.reach(), "database")
        log, lives = JetStreamLog(connection), JetStreamLives(connection)
        shelves = PostgresShelves(database)
        reading = PostgresReading(database)
        archive = Archive(reading)
        verdicts = PostgresVerdicts(database, new_id())
        judging = Judging(reading, verdicts, _judges(service))
        stack.push_async_callback(judging.close)
        archive_pb2_grpc.add_ArchiveServiceServicer_to_server(
            ArchiveServicer(archive, judging), service.grpc
        )
        service.serves("laelo.archive.v1.ArchiveService")
        archivists = [Archivist(kind, log, lives, shelves, service.telemetry) for kind in Kind]
        for archivist in archivists:
            service.task(archivist.run(), f"archive {archivist.stream}")
        watch = Watch(lives, shelves, service.set_ready)
        service.task(watch.run(), "watch")
        service.on_drain(watch.close)
        _measure(service, archive, archivists, watch)
        _measure_judging(service.metrics, judging)
        nightly = Nightly(log, lives, database, service.settings.audit_hour)
        service.task(nightly.run(), "audit")
        _measure_audits(service.metrics, nightly)
        yield


def _judges(service: Service[ArchiveSettings]) -> Judges | None:
    """The bots, if it is said where they are. Raises SetupError."""
    setting = service.settings.bots_addresses
    if not setting:
        return None
    try:
        return GrpcJudges(setting, service.dial("bots"))
    except ValueError as error:
        raise SetupError(f"LAELO_ARCHIVE_BOTS_ADDRESSES: {error}") from error


async def _connect(settings: ArchiveSettings) -> Connection:
    servers = tuple(part.strip() for part in settings.nats_url.split(","))
    nats = NatsSettings(
        servers=servers,
        name="laelo-archive",
        inbox_prefix="_INBOX.archive",
        connect_s=settings.start_seconds / 2,
    )
    try:
        return await connect(nats)
    except Unavailable as error:
        way_out = "start nats-server, or set LAELO_ARCHIVE_NATS_URL to where it is"
        raise SetupError(f"{error}: {way_out}") from error


def _measure(
    service: Service[ArchiveSettings],
    archive: Archive,
    archivists: Sequence[Archivist],
    watch: Watch,
) -> None:
    metrics = service.metrics
    for one in archivists:
        _measure_one(metrics, one, watch)
    metrics.count("laelo_archive_histories_total", "Histories read.", lambda: archive.histories)
    metrics.count("laelo_archive_replays_total", "Matches read.", lambda: archive.replays)


def _measure_judging(metrics: Metrics, judging: Judging) -> None:
    metrics.gauge(
        "laelo_archive_judging", "Matches being judged, or waiting for it.", lambda: judging.waiting
    )
    metrics.count("laelo_archive_judged_total", "Tiles judged from here.", lambda: judging.judged)
    metrics.count(
        "laelo_archive_judging_failures_total",
        "How often a match was not judged to its end.",
        lambda: judging.failures,
    )


def _measure_audits(metrics: Metrics, nightly: Nightly) -> None:
    for stream in Stream:
        metrics.gauge(
            "laelo_archive_audit_age_seconds",
            "How long ago the log and its second copy were compared.",
            partial(nightly.age_seconds, stream),
            stream=stream.value,
        )
        metrics.gauge(
            "laelo_archive_audit_faults",
            "What was found wrong when they were compared last.",
            partial(nightly.faults.__getitem__, stream),
            stream=stream.value,
        )


def _measure_one(metrics: Metrics, one: Archivist, watch: Watch) -> None:
    name = one.stream.value
    metrics.gauge(
        "laelo_archive_behind",
        "Commits in the log that are not archived yet.",
        lambda: watch.behind[one.stream],
        stream=name,
    )
    metrics.gauge(
        "laelo_archive_stuck",
        "1 = the archive cannot go on by itself; the log line says why.",
        lambda: bool(one.trouble),
        stream=name,
    )
    metrics.count(
        "laelo_archive_commits_total",
        "Commits archived from here.",
        lambda: one.archived,
        stream=name,
    )
    metrics.count(
        "laelo_archive_failures_total",
        "How often archiving did not go on and was tried again.",
        lambda: one.failures,
        stream=name,
    )
    metrics.count(
        "laelo_archive_given_up_total",
        "Tables, championships and queues whose commits make no sense.",
        lambda: one.given_up,
        stream=name,
    )


def main() -> None:
    """Run until told to stop."""
    sys.exit(run_service("archive", ArchiveSettings, wire))


if __name__ == "__main__":
    main()
