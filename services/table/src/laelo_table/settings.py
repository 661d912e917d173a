"""What a table service can be told."""

import dataclasses
from typing import Literal

from laelo_common.settings import ServiceSettings, checked_scale, scale_setting, setting


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableSettings(ServiceSettings):
    """`LAELO_TABLE_<NAME>`."""

    nats_url: str = setting("nats://127.0.0.1:4222", text="servers of the log, with commas")
    rules_addresses: str = setting(text="host:port,host:port of the rules, or dns:name:port")
    bots_addresses: str = setting(text="the same of the bots")
    pause_ms: int = setting(6000, low=0, high=600_000, text="pause after a hand, milliseconds")
    bot_delay_ms: str = setting("800-1600", text="how long a bot waits: milliseconds, or a range")
    bot_after_seconds: int = setting(
        20, low=1, high=500, text="how long a person may be away before a bot may stand in"
    )
    empty_seconds: int = setting(
        300, low=1, high=2400, text="how long a table is kept at which nobody is any more"
    )
    rpc: Literal["stream", "unary"] = setting(
        "stream", text="how the rules are asked; unary only to measure what streams save"
    )
    clock_scale: float = scale_setting()
    warm_tables: int = setting(
        4096, low=1, high=1_000_000, text="tables kept in memory beyond those that are watched"
    )

    def __post_init__(self) -> None:
        """Refuse times other than the rules' outside local mode. Raises SettingsError."""
        checked_scale("table", self.clock_scale, local=self.local)


def delay_range(text: str) -> tuple[int, int]:
    """Least and most of `800-1600`, or of `0`. Raises ValueError."""
    low, dash, high = text.partition("-")
    if low.isdecimal() and (high.isdecimal() or not dash):
        least, most = int(low), int(high or low)
        if least <= most:
            return least, most
    raise ValueError("milliseconds are wanted, 1000, or a range of them, 800-1600")
