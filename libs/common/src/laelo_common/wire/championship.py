"""What is told of the queue and of championships: never who somebody is before R40 allows it.

Times are milliseconds left at the frame's `now`, except where they name a moment, in
milliseconds since 1970 UTC.
"""

from typing import Literal

from laelo_common.wire.table import Shape

Tier = Literal["bronze", "silver", "gold"]
"""Carroça de Bronze, Lá-e-Lô de Prata, Cruzada de Ouro (R33)."""

Stage = Literal["running", "over", "cancelled"]
Leaving = Literal["wish", "gone", "called", "erased"]


class Next(Shape, frozen=True):
    """What starts if nobody joins or leaves (R35)."""

    tier: Tier
    ms: int


class Queue(Shape, frozen=True):
    """How many wait, never who. `ahead`: how many are before the viewer, left out for who does
    not wait. `left`: why the viewer has just been taken out. `wait_ms`: how long the eighth in
    line waits before something starts.
    """

    count: int
    wait_ms: int
    ahead: int | None = None
    next: Next | None = None
    left: Leaving | None = None


class MatchCall(Shape, frozen=True):
    """A match of the viewer's: at `table`, in `seat`, as `animal` of team `team`. `ms` until
    it starts; 0 = it runs.
    """

    championship: str
    tier: Tier
    match: str
    table: str
    seat: int
    team: int
    animal: str
    ms: int


class Team(Shape, frozen=True):
    """A team of two. `names`, beside `animals`, and `place` (best, worst) with `points` are
    there once it is out or champion (R40); a name is empty when the account is no more.
    """

    number: int
    animals: tuple[str, str]
    names: tuple[str, str] | None = None
    place: tuple[int, int] | None = None
    points: int = 0


class Match(Shape, frozen=True):
    """A match of the bracket (R37): `teams` by number, None = not known yet. It has a `table`
    once both are known; `ms` until it starts is left out when it has started. `scores` and
    `winner` are those of a match that is over.
    """

    id: str
    teams: tuple[int | None, int | None]
    table: str = ""
    ms: int | None = None
    winner: int | None = None
    scores: tuple[int, int] | None = None


class Mine(Shape, frozen=True):
    """Who the viewer is in a championship: told to nobody else."""

    team: int
    animal: str


class Bracket(Shape, frozen=True):
    """A championship as anybody may see it. `version` grows with each change. `commitment` is
    SHA-256 of the draw's seed in hex; `seed` and `players`, the ids that were drawn from in
    their order, are there once it is over or cancelled (docs/fair-draw.md). `drawn` are then
    the players' ids by team, two each, to be compared. `reason`: why it was cancelled.
    """

    id: str
    version: int
    tier: Tier
    stage: Stage
    started: int
    commitment: str
    teams: tuple[Team, ...]
    matches: tuple[Match, ...]
    champion: int | None = None
    ended: int | None = None
    reason: str = ""
    seed: str = ""
    players: tuple[str, ...] = ()
    drawn: tuple[tuple[str, str], ...] = ()
    mine: Mine | None = None
