"""When championships start, and with whom (R35)."""

from collections.abc import Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from laelo.tournament.v1 import tournament_pb2

Moment = TypeVar("Moment", int, float)
"""A point of time in any unit, as long as the wait has the same."""

SIZES: Final = {
    tournament_pb2.TIER_GOLD: 32,
    tournament_pb2.TIER_SILVER: 16,
    tournament_pb2.TIER_BRONZE: 8,
}
"""Players of each size of championship (R33), the biggest first."""

LEAST: Final = SIZES[tournament_pb2.TIER_BRONZE]

_NAMES: Final = {
    tournament_pb2.TIER_GOLD: "gold",
    tournament_pb2.TIER_SILVER: "silver",
    tournament_pb2.TIER_BRONZE: "bronze",
}


class Start(NamedTuple):
    """A championship that begins now."""

    tier: tournament_pb2.Tier.ValueType
    players: list[str]
    """In the order of the queue."""

    @property
    def name(self) -> str:
        """The size as the rules call it: gold, silver, bronze."""
        return _NAMES[self.tier]


class Plan(NamedTuple, Generic[Moment]):
    """What R35 makes of a queue at a moment."""

    starts: list[Start]
    left: list[str]
    """Who stays, in order."""
    look_again_at: Moment | None
    """When the clock alone can change the answer."""


class Next(NamedTuple, Generic[Moment]):
    """The championship that starts next if nobody joins or leaves."""

    tier: tournament_pb2.Tier.ValueType
    at: Moment
    """When, or since when it is due."""


def plan(queue: Sequence[tuple[str, Moment]], now: Moment, wait: Moment) -> Plan[Moment]:
    """Which championships start now, who stays, and when to look again (R35).

    `queue` has each player and when they joined, in the order in which they are taken. Who
    is not taken keeps the joining time, and the rule is applied again at once.
    """
    starts: list[Start] = []
    left = list(queue)
    while (upcoming := next_start(left, wait)) is not None:
        if upcoming.tier != tournament_pb2.TIER_GOLD and upcoming.at > now:
            break
        size = SIZES[upcoming.tier]
        starts.append(Start(upcoming.tier, [player for player, _ in left[:size]]))
        left = left[size:]
    look_again_at = None if upcoming is None else upcoming.at
    return Plan(starts, [player for player, _ in left], look_again_at)


def next_start(queue: Sequence[tuple[str, Moment]], wait: Moment) -> Next[Moment] | None:
    """What starts next, and when; None while too few wait."""
    if len(queue) < LEAST:
        return None
    gold = SIZES[tournament_pb2.TIER_GOLD]
    if len(queue) >= gold:
        # Due since the last of them came: an old place may stand before a newer one.
        return Next(tournament_pb2.TIER_GOLD, max(joined for _, joined in queue[:gold]))
    tier = next(tier for tier, size in SIZES.items() if size <= len(queue))
    return Next(tier, queue[LEAST - 1][1] + wait)
