"""What a matchmaking service can be told."""

import dataclasses

from laelo_common.settings import ServiceSettings, scale_setting, setting


@dataclasses.dataclass(frozen=True, kw_only=True)
class MatchmakingSettings(ServiceSettings):
    """`LAELO_MATCHMAKING_<NAME>`."""

    nats_url: str = setting("nats://127.0.0.1:4222", text="servers of the log, with commas")
    tournament_addresses: str = setting(
        text="host:port,host:port of the tournament service, or dns:name:port"
    )
    queue_wait_seconds: int = setting(
        180, low=0, high=86_400, text="how long the eighth in line waits before something starts"
    )
    queue_grace_seconds: int = setting(
        60, low=1, high=3600, text="how long one may be disconnected and keep the place"
    )
    clock_scale: float = scale_setting()
