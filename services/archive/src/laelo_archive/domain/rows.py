"""The rows of the read models, as they stand in PostgreSQL, column by column.

Seats are 0-3 and lists by seat have four values; tiles, masks, openings and reasons are coded as
in laelo.rules.v1; times are milliseconds since 1970 UTC.
"""

from typing import NamedTuple


class MatchRow(NamedTuple):
    """A match as it is now, or was in the end."""

    table_id: str
    match: int
    championship: str
    """Empty at friendly tables."""
    official: str
    """The match in its bracket, such as W1-1."""
    spectators: bool
    public: bool
    move_seconds: int
    started_ms: int
    ended_ms: int
    """When it ended, or its table was closed; 0 = it is being played."""
    closing: int
    """Why its table was closed before it ended; 0 = it was not."""
    hands: int
    """How many of them are over."""
    players: list[str]
    """Ids of the persons; empty = none sits there."""
    bots: list[int]
    """Levels of bots that sit there or stand in for a person; 0 = none."""
    animals: list[str]
    winner: int
    """The team that won; 2 = none."""
    score_0: int
    score_1: int
    buchuda: bool
    buchuda_de_re: bool

    @property
    def key(self) -> tuple[str, int]:
        """What makes it the same row."""
        return self[:2]


class HandRow(NamedTuple):
    """A hand that is over. It never changes; of a hand that is not over there is no row."""

    table_id: str
    match: int
    hand: int
    dealt_ms: int
    ended_ms: int
    opening: int
    chooser: int
    """Who chose the opener; 4 = the highest double opened."""
    chosen_after_ms: int
    chosen_by: int
    """laelo.log.v1.Actor."""
    opener: int
    multiplier: int
    method: int
    """As in laelo.table.v1.Dealt."""
    tiles: bytes
    """All 28 in the order of the deal, the sleeping ones last."""
    commitment: bytes
    seed: bytes
    added: bytes
    """What clients added: for each, 1 byte seat and 16 bytes."""
    players: list[str]
    """As they sat when it was dealt."""
    bots: list[int]
    turns: bytes
    """See `turns`."""
    reason: int
    winner: int
    """The winning seat; 4 after a tie."""
    team: int
    """The winning team; 2 after a tie."""
    points: int
    counts: list[int]
    next_opening: int
    """0 = it was the last one."""
    next_multiplier: int
    score_0: int
    """After it."""
    score_1: int


class PersonRow(NamedTuple):
    """That a person sat in a match."""

    player: str
    table_id: str
    match: int
    started_ms: int
    """When the match began."""
    seat: int
    """The last one that they had."""
    partner: str
    """The last person who sat opposite; empty = there was none."""
    championship: str
    name: str
    """Of a guest; nobody's who has an account."""
    guest: bool

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes it the same row."""
        return self[:3]


class ChampionshipRow(NamedTuple):
    """A championship as it is now, or was in the end."""

    id: str
    tier: int
    stage: int
    """laelo.tournament.v1.Stage."""
    started_ms: int
    ended_ms: int
    champion: int
    """Number of the team; 0 = none."""

    @property
    def key(self) -> str:
        """What makes it the same row."""
        return self.id


class EntryRow(NamedTuple):
    """Who somebody is in a championship: nobody may be told before it is `open` (R40)."""

    championship: str
    player: str
    team: int
    place: int
    """In the team, 0 or 1."""
    animal: str
    open: bool
    best: int
    worst: int
    points: int

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same row."""
        return self[:2]


Row = MatchRow | HandRow | PersonRow | ChampionshipRow | EntryRow
