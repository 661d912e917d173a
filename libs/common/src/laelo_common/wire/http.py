"""What is asked over HTTP about championships. A bracket is that of the frame `bracket`.

A refusal is `Refused`, as in frames, with the status that goes with its code.
"""

from laelo_common.wire.championship import Stage, Tier
from laelo_common.wire.table import Shape


class Listed(Shape, frozen=True):
    """A championship in a list; times in milliseconds since 1970 UTC."""

    id: str
    tier: Tier
    stage: Stage
    started: int
    ended: int | None = None


class Championships(Shape, frozen=True):
    """`GET /api/championships`: those that run, and the last ones that have ended, the newest
    first.
    """

    running: tuple[Listed, ...]
    ended: tuple[Listed, ...]


class RankRow(Shape, frozen=True):
    """A row of the ranking. Equal points, equal rank (R44). A name is empty when the account is
    no more; `own`: this is who asks.
    """

    rank: int
    name: str
    points: int
    championships: int
    own: bool = False


class Ranking(Shape, frozen=True):
    """`GET /api/ranking?week=YYYY-MM-DD`: `week` is the Monday on which it begins in Recife
    (R43), `weeks` are those in which points were booked, the newest first. `own`: the row of
    who asks, also when it is not among the first ones.
    """

    week: str
    weeks: tuple[str, ...]
    rows: tuple[RankRow, ...]
    own: RankRow | None = None
