"""What the house has to do in time: who is away, back or gone, and what starts (R34, R35)."""

from collections.abc import Mapping
from typing import NamedTuple

from laelo_matchmaking.domain.commands import (
    Call,
    HouseCommand,
    MarkAway,
    MarkBack,
    TakeOut,
)
from laelo_matchmaking.domain.state import Queue, Times, joined
from laelo_matchmaking.domain.triggers import next_start


class Doubt(NamedTuple):
    """Somebody waits, but no gateway says here that they are there."""

    since_ms: int
    """From when the grace counts then."""
    due_ms: int
    """When the doubt becomes news."""


class Sight(NamedTuple):
    """What one replica sees of people. Others may see more."""

    begun_ms: int
    """Since when it looks: who could not come back before has the whole grace from there."""
    arrived: Mapping[str, int]
    """Who is there, and since when."""
    doubts: Mapping[str, Doubt]


class Look(NamedTuple):
    """The first thing that is to be done now or, if there is none, when to look again."""

    command: HouseCommand | None
    again_ms: int | None = None


def look(state: Queue, sight: Sight, times: Times, now_ms: int) -> Look:
    """What has to be done now. Who is back goes first, since it keeps them from being gone."""
    found: dict[str, int] = {}
    lost: dict[str, int] = {}
    late: dict[str, int] = {}
    for place in state.line:
        player = place.player
        if place.away_ms and player in sight.arrived:
            found[player] = sight.arrived[player]
        elif place.away_ms:
            late[player] = max(place.away_ms, sight.begun_ms) + times.grace_ms
        elif player in sight.doubts:
            lost[player] = sight.doubts[player].due_ms
    version = state.version
    if back := _due(found, now_ms):
        return Look(MarkBack(version, back))
    if away := _due(lost, now_ms):
        since = tuple((player, sight.doubts[player].since_ms) for player in away)
        return Look(MarkAway(version, since))
    if gone := _due(late, now_ms):
        return Look(TakeOut(version, gone))
    upcoming = next_start(joined(state), times.wait_ms)
    calls = [] if upcoming is None else [upcoming.at]
    if calls and calls[0] <= now_ms:
        return Look(Call(version))
    ahead = (*found.values(), *lost.values(), *late.values(), *calls)
    return Look(None, min(ahead, default=None))


def _due(moments: Mapping[str, int], now_ms: int) -> tuple[str, ...]:
    return tuple(player for player, moment in moments.items() if moment <= now_ms)
