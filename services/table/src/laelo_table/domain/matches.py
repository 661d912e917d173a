"""Matches and hands begin (R4, R5, R29)."""

from typing import Final

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain import hosting
from laelo_table.domain.commands import NextDeal, StartByItself
from laelo_table.domain.deals import commit_to_deal, next_order
from laelo_table.domain.outcome import (
    ALREADY_STARTED,
    STALE_TURN,
    UNKNOWN_TABLE,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.seating import bot_taken, level_of, refuse_level
from laelo_table.domain.shuffle import METHOD
from laelo_table.domain.state import NOBODY, Phase, Table, in_match, phase_of
from laelo_table.domain.turns import new_turn, scaled

FIRST_PAUSE_MS: Final = 1_500
"""Longest pause before a match's first deal: for the clients to add their bytes."""

_FRESH: Final = rules_pb2.State(multiplier=1, led_5_0=2)


def refuse_start(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why no match may begin."""
    refusal = hosting.refuse_guest(state, command)
    if refusal is not None:
        return refusal
    return ALREADY_STARTED if in_match(state) else refuse_level(command)


def refuse_start_by_itself(state: Table, command: StartByItself, now_ms: int) -> Refusal | None:
    """Why no match begins by itself."""
    if not state.version:
        return UNKNOWN_TABLE
    if command.turn != state.turn or phase_of(state) is not Phase.LOBBY:
        return STALE_TURN
    if not state.deadline_ms or now_ms < state.deadline_ms:
        return Refusal("NOT_STARTED", "the table waits for players")
    return None


def start(state: Table, level: table_pb2.BotLevel.ValueType, facts: Facts) -> Decision:
    """Bots take the empty seats and the match begins; its first hand is dealt after a pause."""
    if hosting.is_old(state, facts.now_ms):
        return hosting.close(events_pb2.CLOSING_OLD)
    events = [
        bot_taken(number, level_of(state, level), seat.fence + 1)
        for number, seat in enumerate(state.seats)
        if seat.is_empty
    ]
    match = events_pb2.MatchStarted(match=state.match + 1)
    events += [events_pb2.Event(match_started=match), commit_to_deal(1, facts.seed)]
    pause_ms = scaled(min(facts.pause_ms, FIRST_PAUSE_MS), state.scale)
    return Decision(events, facts.now_ms + pause_ms, opens_turn=True, nobodys=True)


def refuse_deal(state: Table, command: NextDeal, now_ms: int) -> Refusal | None:
    """Why the next hand may not be dealt."""
    if not state.version:
        return UNKNOWN_TABLE
    if command.turn != state.turn or phase_of(state) is not Phase.PAUSE:
        return STALE_TURN
    if now_ms < state.deadline_ms:
        return Refusal("HAND_OVER", "the pause before the hand is not over")
    return None


def ask_next_deal(state: Table) -> rules_pb2.JudgeRequest:
    """The question to the rules how the next deal of a match goes."""
    order, game = next_order(state), state.game
    if game is None:
        opening = rules_pb2.OPENING_FIRST
        return _ask_deal(_FRESH, order, opening, NOBODY)
    end = state.hands[-1].end
    standing = rules_pb2.State(
        score_0=game.score_0,
        score_1=game.score_1,
        multiplier=end.next_multiplier,
        led_5_0=game.led_5_0,
    )
    return _ask_deal(standing, order, end.next_opening, end.winner)


def next_deal(state: Table, verdict: rules_pb2.JudgeResponse, facts: Facts) -> Decision:
    """The next hand is dealt."""
    asked = ask_next_deal(state)
    commit = events_pb2.Commit()
    dealt = commit.events.add().dealt
    dealt.hand = state.hand + 1
    dealt.order, dealt.opening, dealt.winner = asked.order, asked.opening, asked.winner
    dealt.after.CopyFrom(verdict.after)
    dealt.method = METHOD
    return new_turn(commit, verdict, state, state.seats, facts)


def _ask_deal(
    standing: rules_pb2.State, order: bytes, opening: rules_pb2.Opening.ValueType, winner: int
) -> rules_pb2.JudgeRequest:
    return rules_pb2.JudgeRequest(
        state=standing, act=rules_pb2.ACT_DEAL, order=order, opening=opening, winner=winner
    )
