"""Who is out of a championship, by its own log. Nothing else of it is known here."""

from collections.abc import Iterable
from typing import NamedTuple

from laelo.tournament.v1 import events_pb2


class Exit(NamedTuple):
    """A commit of a championship by which some are out of it."""

    championship: str
    version: int
    sequence: int
    """Of the commit in the stream TRN."""
    teams: tuple[int, ...]
    everybody: bool
    """It is over or cancelled: whoever is in it still is out."""
    cancelled: bool


def exit_of(commit: events_pb2.Commit, sequence: int) -> Exit | None:
    """Who is out by a commit; None if nobody is."""
    kinds = {event.WhichOneof("event") for event in commit.events}
    teams = tuple(e.team_placed.team for e in commit.events if e.HasField("team_placed"))
    cancelled = "cancelled" in kinds
    everybody = cancelled or "ended" in kinds
    if not (teams or everybody):
        return None
    head = commit.head
    return Exit(head.aggregate, head.version, sequence, teams, everybody, cancelled)


def players_of(commits: Iterable[events_pb2.Commit], teams: Iterable[int]) -> tuple[str, ...]:
    """Who was drawn into some teams, by the commits of a championship."""
    wanted = set(teams)
    return tuple(
        player
        for commit in commits
        for event in commit.events
        if event.HasField("team_drawn") and event.team_drawn.number in wanted
        for player in event.team_drawn.players
    )
