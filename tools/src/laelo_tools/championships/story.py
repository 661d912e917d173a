"""The story of a championship, line by line, as a person reads it.

While it runs the seed is hidden, and who is in a team until that team is out (R40): whoever
sees it could tell. Afterwards everything is told.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from laelo.tournament.v1 import events_pb2, tournament_pb2

TIERS: Final = {
    tournament_pb2.TIER_BRONZE: "bronze",
    tournament_pb2.TIER_SILVER: "silver",
    tournament_pb2.TIER_GOLD: "gold",
}
_ENDINGS: Final = ("ended", "cancelled")
_INDENT: Final = " " * 22


class Story:
    """Tells the commits of one championship in their order."""

    def __init__(self, *, show_open: bool = False) -> None:
        self._show_open = show_open
        self._drawn: dict[int, events_pb2.TeamDrawn] = {}
        self._called: dict[str, events_pb2.MatchCalled] = {}
        self._operator = ""

    def tell(self, commits: Iterable[events_pb2.Commit]) -> Iterator[str]:
        """All lines."""
        history = list(commits)
        self._show_open |= any(
            event.WhichOneof("event") in _ENDINGS for commit in history for event in commit.events
        )
        day = ""
        for commit in history:
            head = commit.head
            time = datetime.fromtimestamp(head.time_ms / 1000, UTC)
            if (date := f"{time:%Y-%m-%d} (UTC)") != day:
                day = date
                yield day
            self._operator = head.actor_id
            begin = f"{head.version:4}  {time:%H:%M:%S}.{head.time_ms % 1000:03}  "
            for event in commit.events:
                for line in self._lines(event):
                    yield f"{begin}{line}"
                    begin = _INDENT[: len(begin)]

    def _lines(self, event: events_pb2.Event) -> Iterator[str]:
        match event.WhichOneof("event"):
            case "started":
                yield from self._started(event.started)
            case "team_drawn":
                yield self._team_drawn(event.team_drawn)
            case "match_called":
                yield self._match_called(event.match_called)
            case "match_decided":
                yield self._match_decided(event.match_decided)
            case "team_placed":
                yield self._team_placed(event.team_placed)
            case "ended":
                yield f"it is over: team {event.ended.champion} is champion; points are booked"
            case "cancelled":
                yield f"{self._operator} cancels it: {event.cancelled.reason}"
            case _:
                yield "(an event of a kind that this laelo does not know)"

    def _started(self, event: events_pb2.ChampionshipStarted) -> Iterator[str]:
        yield f"{TIERS.get(event.tier, '?')} begins with {len(event.players)} players"
        yield f"the draw is bound to {event.commitment.hex()}"
        if self._show_open:
            yield f"its seed is {event.seed.hex()}"
            yield f"in the order of the queue: {' '.join(event.players)}"

    def _team_drawn(self, event: events_pb2.TeamDrawn) -> str:
        self._drawn[event.number] = event
        who = self._people(event) if self._show_open else " and ".join(event.animals)
        return f"team {event.number}: {who}"

    def _match_called(self, event: events_pb2.MatchCalled) -> str:
        self._called[event.match] = event
        starts = datetime.fromtimestamp(event.starts_ms / 1000, UTC)
        return (
            f"{event.match}: team {event.team_a} against team {event.team_b} at table"
            f" {event.table}, starts {starts:%H:%M:%S}"
        )

    def _match_decided(self, event: events_pb2.MatchDecided) -> str:
        called = self._called.get(event.match, events_pb2.MatchCalled())
        return (
            f"{event.match}: team {event.winner} wins; {event.score_a}-{event.score_b} between"
            f" teams {called.team_a} and {called.team_b}, commit {event.table_version} of the table"
        )

    def _team_placed(self, event: events_pb2.TeamPlaced) -> str:
        drawn = self._drawn.get(event.team, events_pb2.TeamDrawn())
        places = f"{event.best}" if event.best == event.worst else f"{event.best}-{event.worst}"
        points = f"{event.points} point{'s' if event.points != 1 else ''} each"
        return f"team {event.team} has place {places}, {points}: it was {self._people(drawn)}"

    @staticmethod
    def _people(drawn: events_pb2.TeamDrawn) -> str:
        pairs = zip(drawn.players, drawn.animals, strict=False)
        return ", ".join(f"{player} as {animal}" for player, animal in pairs)
