"""From a commit to the next state."""

from bisect import insort
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Final

from laelo.log.v1 import log_pb2
from laelo.matchmaking.v1 import events_pb2

from laelo_matchmaking.domain.state import REMEMBERED, Busy, Kept, Place, Queue


class UnknownEventError(Exception):
    """A commit of a newer version of this service: nobody can tell what follows from it."""


def evolve(state: Queue, commit: events_pb2.Commit) -> Queue:
    """The state after a commit. Raises UnknownEventError."""
    head = commit.head
    if state.kept:
        kept = {p: claim for p, claim in state.kept.items() if claim.until_ms > head.time_ms}
        state = state._replace(kept=kept)
    for event in commit.events:
        kind = event.WhichOneof("event")
        if kind is None:
            raise UnknownEventError(f"commit {head.version} of queue {head.aggregate}")
        state = _CHANGES[kind](state, getattr(event, kind), head)
    return state._replace(
        version=head.version, commands=(*state.commands[1 - REMEMBERED :], head.command)
    )


def _joined(state: Queue, event: events_pb2.PlayerJoined, head: log_pb2.Head) -> Queue:
    line = list(state.line)
    insort(line, Place(event.player, event.ordinal, head.time_ms), key=attrgetter("ordinal"))
    return state._replace(
        line=tuple(line),
        kept={player: claim for player, claim in state.kept.items() if player != event.player},
        next_ordinal=max(state.next_ordinal, event.ordinal + 1),
    )


def _left(state: Queue, event: events_pb2.PlayerLeft, _: log_pb2.Head) -> Queue:
    return state._replace(line=_without(state, (event.player,)))


def _away(state: Queue, event: events_pb2.PlayersAway, _: log_pb2.Head) -> Queue:
    return _marked(state, event.players, event.since_ms)


def _back(state: Queue, event: events_pb2.PlayersBack, _: log_pb2.Head) -> Queue:
    return _marked(state, event.players, 0)


def _called(state: Queue, event: events_pb2.ChampionshipCalled, _: log_pb2.Head) -> Queue:
    ordinals = {place.player: place.ordinal for place in state.line}
    taken = {player: Busy(event.championship, ordinals[player]) for player in event.players}
    return state._replace(
        line=_without(state, event.players),
        busy={**state.busy, **taken},
        pending=(*state.pending, event),
    )


def _handed_over(state: Queue, event: events_pb2.ChampionshipHandedOver, _: log_pb2.Head) -> Queue:
    pending = tuple(c for c in state.pending if c.championship != event.championship)
    return state._replace(pending=pending)


def _released(state: Queue, event: events_pb2.PlayersReleased, _: log_pb2.Head) -> Queue:
    out = set(event.players)
    claims = {
        player: Kept(state.busy[player].ordinal, event.kept_until_ms)
        for player in event.players
        if event.kept_until_ms
    }
    return state._replace(
        busy={player: busy for player, busy in state.busy.items() if player not in out},
        kept={**state.kept, **claims},
        sequence=max(state.sequence, event.sequence),
    )


def _without(state: Queue, players: Iterable[str]) -> tuple[Place, ...]:
    out = set(players)
    return tuple(place for place in state.line if place.player not in out)


def _marked(state: Queue, players: Iterable[str], away_ms: int) -> Queue:
    marked = set(players)
    line = tuple(
        place._replace(away_ms=away_ms) if place.player in marked else place for place in state.line
    )
    return state._replace(line=line)


_CHANGES: Final[dict[str, Callable[[Queue, Any, log_pb2.Head], Queue]]] = {
    "joined": _joined,
    "left": _left,
    "away": _away,
    "back": _back,
    "called": _called,
    "handed_over": _handed_over,
    "released": _released,
}
