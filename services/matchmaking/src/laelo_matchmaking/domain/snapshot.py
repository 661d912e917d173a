"""A state as a message and back, so that a load need not read all of the queue's log."""

from laelo.log.v1 import log_pb2
from laelo.matchmaking.v1 import events_pb2

from laelo_matchmaking.domain.state import Busy, Kept, Place, Queue


def save(state: Queue, name: str, digest: bytes) -> events_pb2.Snapshot:
    """The message of a state; `digest` is the SHA-256 of its newest commit's stored bytes."""
    people = [
        events_pb2.Waiting(player=player, ordinal=ordinal, joined_ms=joined_ms, away_ms=away_ms)
        for player, ordinal, joined_ms, away_ms in state.line
    ]
    people += [
        events_pb2.Waiting(player=player, ordinal=busy.ordinal, championship=busy.championship)
        for player, busy in state.busy.items()
    ]
    people += [
        events_pb2.Waiting(player=player, ordinal=kept.ordinal, kept_until_ms=kept.until_ms)
        for player, kept in state.kept.items()
    ]
    return events_pb2.Snapshot(
        head=log_pb2.Head(aggregate=name, version=state.version, command=state.commands[-1]),
        hash=digest,
        people=people,
        pending=state.pending,
        next_ordinal=state.next_ordinal,
        sequence=state.sequence,
        commands=state.commands,
    )


def restore(saved: events_pb2.Snapshot) -> Queue:
    """The state that was saved. Raises ValueError if that is none."""
    if not saved.head.version or not saved.commands:
        raise ValueError("it holds no state")
    line: list[Place] = []
    busy: dict[str, Busy] = {}
    kept: dict[str, Kept] = {}
    for person in saved.people:
        if person.championship:
            busy[person.player] = Busy(person.championship, person.ordinal)
        elif person.kept_until_ms:
            kept[person.player] = Kept(person.ordinal, person.kept_until_ms)
        else:
            place = Place(person.player, person.ordinal, person.joined_ms, person.away_ms)
            line.append(place)
    return Queue(
        version=saved.head.version,
        line=tuple(line),
        busy=busy,
        kept=kept,
        pending=tuple(saved.pending),
        next_ordinal=saved.next_ordinal,
        sequence=saved.sequence,
        commands=tuple(saved.commands),
    )
