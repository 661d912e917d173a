"""What gateways and operators are told of the queue."""

from collections.abc import Iterator

from laelo.matchmaking.v1 import events_pb2, matchmaking_pb2
from laelo.tournament.v1 import tournament_pb2

from laelo_matchmaking.domain.state import Queue, joined
from laelo_matchmaking.domain.triggers import next_start

Leavings = Iterator[tuple[str, matchmaking_pb2.Leaving.ValueType]]


def queue_message(state: Queue, wait_ms: int) -> matchmaking_pb2.Queue:
    """The queue, and what starts when if nobody joins or leaves (R35)."""
    upcoming = next_start(joined(state), wait_ms)
    tier, at_ms = (tournament_pb2.TIER_UNSPECIFIED, 0) if upcoming is None else upcoming
    return matchmaking_pb2.Queue(
        version=state.version,
        places=[
            matchmaking_pb2.Place(
                player=place.player, joined_ms=place.joined_ms, away_ms=place.away_ms
            )
            for place in state.line
        ],
        next_tier=tier,
        next_ms=at_ms,
        wait_ms=wait_ms,
    )


def leavings(commit: events_pb2.Commit) -> Leavings:
    """Who is out of the line by a commit, and why."""
    for event in commit.events:
        if event.HasField("left"):
            yield event.left.player, event.left.leaving
        elif event.HasField("called"):
            for player in event.called.players:
                yield player, matchmaking_pb2.LEAVING_CALLED
