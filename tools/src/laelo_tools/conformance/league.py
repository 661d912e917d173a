"""Operations on queue, weeks and leaderboard (R35, R43, R44): asked of the domains of matchmaking
and tournament, no service is needed.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

import msgspec
from laelo_matchmaking import domain as matchmaking
from laelo_tournament.domain import ranking, weeks

from laelo_tools.conformance.from_wire import Json
from laelo_tools.conformance.shapes import Shape

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Instant = Annotated[datetime, msgspec.Meta(tz=True)]


class Queue(Shape, frozen=True):
    """Given of `queue`: players with their joining times, in order; times in seconds."""

    queue: list[tuple[str, float]]
    now: float
    wait: float


class Week(Shape, frozen=True):
    """Given of `week`."""

    instant: Instant


class Leaderboard(Shape, frozen=True):
    """Given of `leaderboard`: player, points and when they were booked."""

    awards: list[tuple[str, int, Instant]]
    monday: str


def queue(given: Queue) -> Json:
    """See which championships begin now."""
    plan = matchmaking.plan(given.queue, given.now, given.wait)
    return {
        "start": [{"name": start.name, "players": list(start.players)} for start in plan.starts],
        "left": list(plan.left),
        "look_again_at": plan.look_again_at,
    }


def week(given: Week) -> Json:
    """See in which week an instant is."""
    return {"monday": weeks.week_of(_milliseconds(given.instant))}


def leaderboard(given: Leaderboard) -> Json:
    """See a week's leaderboard."""
    awards = [
        ranking.Award(player, points, _milliseconds(at)) for player, points, at in given.awards
    ]
    rows = ranking.leaderboard(awards, given.monday)
    return {"rows": [[row.rank, row.player, row.points] for row in rows]}


def _milliseconds(instant: datetime) -> int:
    return (instant - _EPOCH) // timedelta(milliseconds=1)
