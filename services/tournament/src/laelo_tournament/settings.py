"""What a tournament service can be told."""

import dataclasses

from laelo_common.settings import Secret, ServiceSettings, checked_scale, scale_setting, setting


@dataclasses.dataclass(frozen=True, kw_only=True)
class TournamentSettings(ServiceSettings):
    """`LAELO_TOURNAMENT_<NAME>`."""

    nats_url: str = setting("nats://127.0.0.1:4222", text="servers of the log, with commas")
    table_addresses: str = setting(text="host:port,host:port of the tables, or dns:name:port")
    pg_dsn: Secret = setting(text="PostgreSQL for places, points and ranking, postgresql://…")
    match_pause_seconds: int = setting(
        15, low=0, high=3600, text="how long teams rest between two matches (R41)"
    )
    clock_scale: float = scale_setting()

    def __post_init__(self) -> None:
        checked_scale("tournament", self.clock_scale, local=self.local)

    @property
    def pause_ms(self) -> int:
        """The rest between two matches as it is here, in milliseconds."""
        return round(self.match_pause_seconds * 1000 * self.clock_scale)
