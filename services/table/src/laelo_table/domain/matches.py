"""Matches and hands begin (R4, R5, R29)."""

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain.commands import NextDeal
from laelo_table.domain.moves import commit_to_deal
from laelo_table.domain.outcome import (
    ALREADY_STARTED,
    NOT_SEATED,
    STALE_TURN,
    UNKNOWN_TABLE,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.seating import bot_taken, level_of, refuse_level
from laelo_table.domain.shuffle import deal_order
from laelo_table.domain.state import NOBODY, Phase, Table, host_seat, in_match, phase_of, seat_of
from laelo_table.domain.turns import new_turn

_NOT_HOST = Refusal("NOT_HOST", "only who opened the table may start a match")
_FRESH = rules_pb2.State(multiplier=1, led_5_0=2)


def refuse_start(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why no match may begin."""
    seat = seat_of(state, command.player)
    if seat == NOBODY:
        return NOT_SEATED
    if seat != host_seat(state):
        return _NOT_HOST
    return ALREADY_STARTED if in_match(state) else refuse_level(command)


def ask_first_deal(seed: bytes) -> rules_pb2.JudgeRequest:
    """The question to the rules how the first deal of a match goes."""
    return rules_pb2.JudgeRequest(
        state=_FRESH,
        act=rules_pb2.ACT_DEAL,
        order=deal_order(seed, {}, 1),
        opening=rules_pb2.OPENING_FIRST,
        winner=NOBODY,
    )


def start(
    state: Table, command: table_pb2.Command, verdict: rules_pb2.JudgeResponse, facts: Facts
) -> Decision:
    """Bots take the empty seats, the match begins and its first hand is dealt at once."""
    seats = list(state.seats)
    events = []
    for number, seat in enumerate(seats):
        if seat.is_empty:
            level = level_of(command)
            seats[number] = seat._replace(level=level)
            events.append(bot_taken(number, level, seat.fence + 1))
    match = events_pb2.MatchStarted(match=state.match + 1)
    events += [
        events_pb2.Event(match_started=match),
        commit_to_deal(1, facts.seed),
        _dealt(1, ask_first_deal(facts.seed), verdict),
    ]
    return new_turn(events, verdict, state, seats, facts)


def refuse_deal(state: Table, command: NextDeal, now_ms: int) -> Refusal | None:
    """Why the next hand may not be dealt."""
    if not state.version:
        return UNKNOWN_TABLE
    if command.turn != state.turn or phase_of(state) is not Phase.PAUSE:
        return STALE_TURN
    if now_ms < state.deadline_ms:
        return Refusal("HAND_OVER", "the pause after the hand is not over")
    return None


def ask_next_deal(state: Table) -> rules_pb2.JudgeRequest:
    """The question to the rules how the next deal of a match goes."""
    assert state.game is not None  # noqa: S101 - refuse_deal has seen the pause
    assert state.next_deal is not None  # noqa: S101 - committed with the end of the hand
    end = state.hands[-1].end
    game = state.game
    standing = rules_pb2.State(
        score_0=game.score_0,
        score_1=game.score_1,
        multiplier=end.next_multiplier,
        led_5_0=game.led_5_0,
    )
    return rules_pb2.JudgeRequest(
        state=standing,
        act=rules_pb2.ACT_DEAL,
        order=deal_order(state.next_deal.seed, {}, 1),
        opening=end.next_opening,
        winner=end.winner,
    )


def next_deal(state: Table, verdict: rules_pb2.JudgeResponse, facts: Facts) -> Decision:
    """The next hand is dealt."""
    events = [_dealt(state.hand + 1, ask_next_deal(state), verdict)]
    return new_turn(events, verdict, state, state.seats, facts)


def _dealt(
    hand: int, asked: rules_pb2.JudgeRequest, verdict: rules_pb2.JudgeResponse
) -> events_pb2.Event:
    return events_pb2.Event(
        dealt=events_pb2.Dealt(
            hand=hand,
            order=asked.order,
            opening=asked.opening,
            winner=asked.winner,
            after=verdict.after,
        )
    )
