"""What is kept of the operators' orders."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple, Protocol

LONGEST_TEXT: Final = 200
"""Characters of an announcement, and of any reason."""


class Ban(NamedTuple):
    """For how long somebody is shut out, and why, in the operator's words."""

    until: datetime
    reason: str


class Announcement(NamedTuple):
    """What everybody is told, in each language, for how long."""

    id: str
    pt: str
    es: str
    en: str
    until: datetime


class Holding(NamedTuple):
    """All that holds: bans by person, bots of theirs included, and the newest announcement."""

    bans: Mapping[str, Ban] = {}
    announcement: Announcement | None = None


class OrderStore(Protocol):
    """Where orders are kept. Every method raises LaeloError with TRY_LATER while it is away."""

    async def changes(self) -> int:
        """How often orders have changed: another number, and there is something to read."""

    async def in_force(self) -> Holding:
        """All that holds now or, if nothing changes, at any time from now on."""
