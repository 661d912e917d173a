"""What the bots service can be told."""

import dataclasses
import os

from laelo_common.settings import ServiceSettings, setting

BUDGET_MS = {"c": 60, "python": 200}
"""How long a strong bot thinks: in C it has looked at enough by then."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class BotsSettings(ServiceSettings):
    """Settings of the bots service, `LAELO_BOTS_…`."""

    workers: int = setting(
        0, low=0, high=64, text="processes that think; 0 = one for each two processors"
    )
    budget_ms: int = setting(
        0, low=0, high=10_000, text="how long a strong bot thinks; 0 = 60 with the C core, else 200"
    )


def workers_of(settings: BotsSettings) -> int:
    """How many processes think."""
    return settings.workers or max(1, (os.cpu_count() or 1) // 2)


def budget_of(settings: BotsSettings, language: str) -> float:
    """How long a strong bot thinks, in seconds."""
    return (settings.budget_ms or BUDGET_MS[language]) / 1000
