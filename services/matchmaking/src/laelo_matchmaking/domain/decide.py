"""From a state, a command and the facts to what happens, or why nothing may."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final

from laelo.matchmaking.v1 import events_pb2, matchmaking_pb2

from laelo_matchmaking.domain.commands import (
    AnyCommand,
    Call,
    HandOver,
    Join,
    Leave,
    MarkAway,
    MarkBack,
    Release,
    TakeOut,
)
from laelo_matchmaking.domain.outcome import IN_CHAMPIONSHIP, Facts, Refusal
from laelo_matchmaking.domain.state import Queue, joined, place_of
from laelo_matchmaking.domain.triggers import plan

Outcome = list[events_pb2.Event] | Refusal
"""What follows; an empty list if all is as it was asked for already."""


def decide(state: Queue, command: AnyCommand, facts: Facts) -> Outcome:
    """All that follows from a command."""
    return _DECISIONS[type(command)](state, command, facts)


def _join(state: Queue, command: Join, facts: Facts) -> Outcome:
    player = command.player
    if player in state.busy:
        return IN_CHAMPIONSHIP
    if place_of(state, player) is not None:
        return []
    kept = state.kept.get(player)
    has_claim = kept is not None and facts.now_ms < kept.until_ms
    ordinal = kept.ordinal if kept is not None and has_claim else state.next_ordinal
    event = events_pb2.PlayerJoined(player=player, ordinal=ordinal)
    return [events_pb2.Event(joined=event)]


def _leave(state: Queue, command: Leave, _: Facts) -> Outcome:
    if command.leaving == matchmaking_pb2.LEAVING_ERASED and command.player in state.busy:
        return IN_CHAMPIONSHIP
    if place_of(state, command.player) is None:
        return []
    return [_left(command.player, command.leaving)]


def _mark_away(state: Queue, command: MarkAway, _: Facts) -> Outcome:
    there = {place.player for place in state.line if not place.away_ms}
    since: dict[int, list[str]] = defaultdict(list)
    for player, since_ms in command.since:
        if player in there:
            since[since_ms].append(player)
    return [
        events_pb2.Event(away=events_pb2.PlayersAway(players=players, since_ms=since_ms))
        for since_ms, players in since.items()
    ]


def _mark_back(state: Queue, command: MarkBack, _: Facts) -> Outcome:
    away = {place.player for place in state.line if place.away_ms}
    players = [player for player in command.players if player in away]
    return [events_pb2.Event(back=events_pb2.PlayersBack(players=players))] if players else []


def _take_out(state: Queue, command: TakeOut, facts: Facts) -> Outcome:
    latest = facts.now_ms - facts.times.grace_ms
    return [
        _left(place.player, matchmaking_pb2.LEAVING_GONE)
        for place in state.line
        if place.player in command.players and place.away_ms and place.away_ms <= latest
    ]


def _call(state: Queue, _: Call, facts: Facts) -> Outcome:
    starts = plan(joined(state), facts.now_ms, facts.times.wait_ms).starts
    return [
        events_pb2.Event(
            called=events_pb2.ChampionshipCalled(
                championship=championship, tier=start.tier, players=start.players
            )
        )
        for start, championship in zip(starts, facts.fresh, strict=False)
    ]


def _hand_over(state: Queue, command: HandOver, _: Facts) -> Outcome:
    if all(called.championship != command.championship for called in state.pending):
        return []
    event = events_pb2.ChampionshipHandedOver(championship=command.championship)
    return [events_pb2.Event(handed_over=event)]


def _release(state: Queue, command: Release, facts: Facts) -> Outcome:
    wanted = command.players
    players = [
        player
        for player, busy in state.busy.items()
        if busy.championship == command.championship and (wanted is None or player in wanted)
    ]
    if not players:
        return []
    released = events_pb2.PlayersReleased(
        championship=command.championship,
        players=players,
        kept_until_ms=facts.now_ms + facts.times.kept_ms if command.cancelled else 0,
        sequence=command.sequence,
    )
    return [events_pb2.Event(released=released)]


def _left(player: str, leaving: matchmaking_pb2.Leaving.ValueType) -> events_pb2.Event:
    return events_pb2.Event(left=events_pb2.PlayerLeft(player=player, leaving=leaving))


_DECISIONS: Final[dict[type, Callable[[Queue, Any, Facts], Outcome]]] = {
    Join: _join,
    Leave: _leave,
    MarkAway: _mark_away,
    MarkBack: _mark_back,
    TakeOut: _take_out,
    Call: _call,
    HandOver: _hand_over,
    Release: _release,
}
