"""Moves of a hand: tile, pass, choice of the opener, by persons, bots and the clock."""

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain import official
from laelo_table.domain.commands import BotMove, TimeUp
from laelo_table.domain.deals import commit_to_deal
from laelo_table.domain.outcome import (
    NOT_SEATED,
    NOT_STARTED,
    STALE_FENCE,
    STALE_TURN,
    UNKNOWN_TABLE,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.state import NOBODY, Table, seat_of
from laelo_table.domain.turns import new_turn, scaled

_ACT_OF = {
    table_pb2.KIND_PLAY: rules_pb2.ACT_PLAY,
    table_pb2.KIND_PASS: rules_pb2.ACT_PASS,
    table_pb2.KIND_CHOOSE_OPENER: rules_pb2.ACT_CHOOSE_OPENER,
}
_ACT_TIMEOUT = rules_pb2.ACT_TIMEOUT
_NUMBERS = tuple((low, high) for high in range(7) for low in range(high + 1))
_NO_NUMBERS = (-1, -1)


def refuse_move(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why the rules need not be asked about a person's move."""
    if state.game is None:
        return NOT_STARTED
    seat = seat_of(state, command.player)
    if seat == NOBODY:
        return NOT_SEATED
    if command.fence != state.seats[seat].fence:
        return STALE_FENCE
    return STALE_TURN if command.turn != state.turn else None


def ask_move(state: Table, command: table_pb2.Command) -> rules_pb2.JudgeRequest:
    """The question to the rules about a person's move, which is passed on unchecked."""
    asked = rules_pb2.JudgeRequest()
    if state.game is not None:
        asked.state.CopyFrom(state.game)
    asked.act, asked.seat = _ACT_OF[command.kind], seat_of(state, command.player)
    asked.tile_a, asked.tile_b, asked.end = command.tile_a, command.tile_b, command.end
    asked.opener = command.opener
    return asked


def refuse_time_up(state: Table, command: TimeUp, now_ms: int) -> Refusal | None:
    """Why the clock may not play."""
    if not state.version:
        return UNKNOWN_TABLE
    if command.turn != state.turn or state.begun is None:
        return STALE_TURN
    if not state.deadline_ms or now_ms < state.deadline_ms:
        return Refusal("NOT_YOUR_TURN", "the time of this turn is not up")
    return None


def ask_time_up(state: Table) -> rules_pb2.JudgeRequest:
    """The question what the clock plays."""
    return rules_pb2.JudgeRequest(state=state.game, act=_ACT_TIMEOUT)


def refuse_bot(state: Table, command: BotMove) -> Refusal | None:
    """Why a bot's move comes to nothing: the turn has moved on, or a person has the seat."""
    if not state.version:
        return UNKNOWN_TABLE
    if command.turn != state.turn or state.begun is None:
        return STALE_TURN
    seat = state.seats[state.begun.seat]
    return None if seat.bot and seat.fence == command.fence else STALE_FENCE


def ask_bot(state: Table, command: BotMove) -> rules_pb2.JudgeRequest:
    """The question to the rules about a bot's move: bots are judged like everybody."""
    tile_a, tile_b = _NUMBERS[command.tile] if command.tile < len(_NUMBERS) else _NO_NUMBERS
    return rules_pb2.JudgeRequest(
        state=state.game,
        act=command.act,
        seat=NOBODY if state.begun is None else state.begun.seat,
        tile_a=tile_a,
        tile_b=tile_b,
        end=command.end,
        opener=command.opener,
    )


def after_move(state: Table, verdict: rules_pb2.JudgeResponse, facts: Facts) -> Decision:
    """All that follows from a move which the rules found right."""
    commit = events_pb2.Commit()
    _moved(verdict, commit.events.add())
    if not verdict.HasField("hand_end"):
        return new_turn(commit, verdict, state, state.seats, facts)
    ended = commit.events.add().hand_ended
    ended.end.CopyFrom(verdict.hand_end)
    ended.multiplier = verdict.after.multiplier
    ended.seed = b"" if state.deal is None else state.deal.seed
    if verdict.HasField("match_end"):
        commit.events.add().match_ended.end.CopyFrom(verdict.match_end)
        return Decision(commit, official.closes_ms(state, facts), opens_turn=True)
    commit.events.append(commit_to_deal(state.hand + 1, facts.seed))
    pause_ms = scaled(facts.pause_ms, state.scale)
    return Decision(commit, facts.now_ms + pause_ms, opens_turn=True, nobodys=True)


def _moved(verdict: rules_pb2.JudgeResponse, event: events_pb2.Event) -> None:
    """What was done, written into an empty event."""
    if verdict.act == rules_pb2.ACT_PLAY:
        played = event.played
        played.seat, played.tile, played.end = verdict.seat, verdict.tile, verdict.end
        played.calls.extend(verdict.calls)
        played.after.CopyFrom(verdict.after)
    elif verdict.act == rules_pb2.ACT_PASS:
        passed = event.passed
        passed.seat = verdict.seat
        passed.calls.extend(verdict.calls)
        passed.after.CopyFrom(verdict.after)
    else:
        chosen = event.opener_chosen
        chosen.seat, chosen.opener = verdict.seat, verdict.opener
        chosen.after.CopyFrom(verdict.after)
