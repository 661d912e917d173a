"""What an archive service can be told."""

import dataclasses

from laelo_common.settings import Secret, ServiceSettings, setting


@dataclasses.dataclass(frozen=True, kw_only=True)
class ArchiveSettings(ServiceSettings):
    """`LAELO_ARCHIVE_<NAME>`."""

    nats_url: str = setting("nats://127.0.0.1:4222", text="servers of the log, with commas")
    audit_hour: int = setting(6, low=-1, high=23, text="hour (UTC) of the nightly audit; -1 = none")
    pg_dsn: Secret = setting(text="PostgreSQL for the second copy and replays, postgresql://…")
    bots_addresses: str = setting(
        "", text="host:port,host:port of the bots, or dns:name:port; empty = nothing is judged"
    )
