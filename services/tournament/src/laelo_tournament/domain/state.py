"""A championship as its log tells it: who is drawn with whom, the bracket, the tables.

Times are milliseconds since 1970 UTC. The mappings are never changed in place.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from laelo.tournament.v1 import events_pb2, tournament_pb2

from laelo_tournament.domain.bracket import Bracket
from laelo_tournament.domain.places import Place

TEAMS: Final[Mapping[int, int]] = {
    tournament_pb2.TIER_BRONZE: 4,
    tournament_pb2.TIER_SILVER: 8,
    tournament_pb2.TIER_GOLD: 16,
}
"""How many teams of two a championship of each size has (R33)."""


class Team(NamedTuple):
    """A team of two; the first animal is the first player's."""

    number: int
    players: tuple[str, str]
    animals: tuple[str, str]
    free_ms: int
    """When its last match was decided, or the championship began (R41)."""
    place: Place | None = None
    """None: neither out nor champion, so nobody may know who it is (R40)."""


class Championship(NamedTuple):
    """The state after the commit `version`; 0 = there is no such championship."""

    id: str = ""
    version: int = 0
    tier: tournament_pb2.Tier.ValueType = tournament_pb2.TIER_UNSPECIFIED
    stage: tournament_pb2.Stage.ValueType = tournament_pb2.STAGE_UNSPECIFIED
    started_ms: int = 0
    ended_ms: int = 0
    """When it was over or cancelled; 0 = not yet."""
    commitment: bytes = b""
    seed: bytes = b""
    """Of the draw and of the tables' ids: secret until it is over or cancelled."""
    players: tuple[str, ...] = ()
    """In the order of the queue."""
    teams: tuple[Team, ...] = ()
    bracket: Bracket = Bracket(0, {}, {}, {}, None)
    called: Mapping[str, events_pb2.MatchCalled] = {}
    decided: Mapping[str, events_pb2.MatchDecided] = {}
    reason: str = ""
    """Why it was cancelled."""
    history: tuple[tuple[int, events_pb2.Event], ...] = ()
    """All events, each with the time of its commit."""


NO_CHAMPIONSHIP: Final = Championship()
"""The state of a championship that nobody has begun."""


def is_running(state: Championship) -> bool:
    """Whether matches are played or about to be."""
    return state.stage == tournament_pb2.STAGE_RUNNING
