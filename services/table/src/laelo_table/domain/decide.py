"""From a command to what follows: `question` first, the rules' verdict, then `decide`.

Both are total: whoever asks for whatever gets a value, and a refusal changes nothing.
"""

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain import (
    clocks,
    deals,
    hosting,
    matches,
    moves,
    official,
    presence,
    seating,
)
from laelo_table.domain.commands import (
    HOUSE_KINDS,
    HOUSE_PREFIXES,
    AnyCommand,
    BotMove,
    Empty,
    GiveBack,
    Gone,
    Here,
    MatchOver,
    NextDeal,
    StartByItself,
    TimeUp,
)
from laelo_table.domain.outcome import (
    TABLE_CLOSED,
    UNKNOWN_TABLE,
    Decision,
    Facts,
    Refusal,
    refusal_of,
)
from laelo_table.domain.state import Table, version_of

Verdict = rules_pb2.JudgeResponse | None


class Rule(NamedTuple):
    """What the domain knows of one kind of command."""

    refuse: Callable[[Table, Any, Facts], Refusal | None]
    ask: Callable[[Table, Any, Facts], rules_pb2.JudgeRequest] | None
    """The question to the rules; None for what they have no say in."""
    decide: Callable[[Table, Any, Any, Facts], Decision]


_MOVE: Final = Rule(
    lambda state, command, _: moves.refuse_move(state, command),
    lambda state, command, _: moves.ask_move(state, command),
    lambda state, _, verdict, facts: moves.after_move(state, verdict, facts),
)

_RULES: Final[dict[Any, Rule]] = {
    table_pb2.KIND_OPEN: Rule(
        lambda state, command, _: seating.refuse_open(state, command),
        None,
        lambda _, command, __, facts: seating.open_table(command, facts),
    ),
    table_pb2.KIND_SIT: Rule(
        lambda state, command, _: seating.refuse_sit(state, command),
        None,
        lambda state, command, _, facts: seating.sit(state, command, facts),
    ),
    table_pb2.KIND_LEAVE: Rule(
        lambda state, command, _: seating.refuse_leave(state, command),
        None,
        lambda state, command, _, facts: seating.leave(state, command, facts),
    ),
    table_pb2.KIND_SEAT_BOT: Rule(
        lambda state, command, _: seating.refuse_seat_bot(state, command),
        None,
        lambda state, command, _, facts: seating.seat_bot(state, command, facts),
    ),
    table_pb2.KIND_UNSEAT_BOT: Rule(
        lambda state, command, _: seating.refuse_unseat_bot(state, command),
        None,
        lambda state, command, _, facts: seating.unseat_bot(state, command, facts),
    ),
    table_pb2.KIND_KICK: Rule(
        lambda state, command, _: hosting.refuse_kick(state, command),
        None,
        lambda state, command, _, facts: hosting.empty_seat(state, command.seat, facts),
    ),
    table_pb2.KIND_SWAP: Rule(
        lambda state, command, _: hosting.refuse_swap(state, command),
        None,
        lambda state, command, _, __: hosting.swap(state, command),
    ),
    table_pb2.KIND_CLOSE: Rule(
        lambda state, command, _: hosting.refuse_guest(state, command),
        None,
        lambda _, __, ___, ____: hosting.close(events_pb2.CLOSING_HOST),
    ),
    table_pb2.KIND_START: Rule(
        lambda state, command, _: matches.refuse_start(state, command),
        None,
        lambda state, command, _, facts: matches.start(state, command.level, facts),
    ),
    table_pb2.KIND_ADD_BYTES: Rule(
        lambda state, command, _: deals.refuse_bytes(state, command),
        None,
        lambda state, command, _, __: deals.add_bytes(state, command),
    ),
    table_pb2.KIND_OPEN_MATCH: Rule(
        lambda state, command, _: official.refuse_open_match(state, command),
        None,
        lambda _, command, __, facts: official.open_match(command, facts),
    ),
    table_pb2.KIND_CANCEL: Rule(
        lambda state, command, _: official.refuse_cancel(state, command),
        None,
        lambda _, __, ___, ____: hosting.close(events_pb2.CLOSING_CANCELLED),
    ),
    table_pb2.KIND_SHUT: Rule(
        lambda _, __, ___: None,
        None,
        lambda _, __, ___, ____: hosting.close(events_pb2.CLOSING_OPERATOR),
    ),
    table_pb2.KIND_PLAY: _MOVE,
    table_pb2.KIND_PASS: _MOVE,
    table_pb2.KIND_CHOOSE_OPENER: _MOVE,
    TimeUp: Rule(
        lambda state, command, facts: moves.refuse_time_up(state, command, facts.now_ms),
        lambda state, _, __: moves.ask_time_up(state),
        _MOVE.decide,
    ),
    BotMove: Rule(
        lambda state, command, _: moves.refuse_bot(state, command),
        lambda state, command, _: moves.ask_bot(state, command),
        _MOVE.decide,
    ),
    NextDeal: Rule(
        lambda state, command, facts: matches.refuse_deal(state, command, facts.now_ms),
        lambda state, _, __: matches.ask_next_deal(state),
        lambda state, _, verdict, facts: matches.next_deal(state, verdict, facts),
    ),
    StartByItself: Rule(
        lambda state, command, facts: matches.refuse_start_by_itself(state, command, facts.now_ms),
        None,
        lambda state, _, __, facts: matches.start(state, table_pb2.BOT_LEVEL_UNSPECIFIED, facts),
    ),
    GiveBack: Rule(
        lambda state, command, facts: clocks.refuse_give_back(state, command, facts.now_ms),
        None,
        lambda state, command, _, facts: clocks.give_back(state, command, facts),
    ),
    Gone: Rule(
        lambda state, command, _: presence.refuse_gone(state, command),
        None,
        lambda state, command, _, __: presence.gone(state, command),
    ),
    Here: Rule(
        lambda state, command, _: presence.refuse_here(state, command),
        None,
        lambda state, command, _, facts: presence.here(
            state, command.player, command.window, facts
        ),
    ),
    Empty: Rule(
        lambda state, command, facts: presence.refuse_empty(state, command, facts.now_ms),
        None,
        lambda _, __, ___, ____: hosting.close(events_pb2.CLOSING_EMPTY),
    ),
    MatchOver: Rule(
        lambda state, command, facts: official.refuse_over(state, command, facts.now_ms),
        None,
        lambda _, __, ___, ____: hosting.close(events_pb2.CLOSING_OVER),
    ),
}

_NO_RULE: Final = Rule(
    lambda _, command, __: Refusal("BAD_REQUEST", f"{command.kind} is no kind of command"),
    None,
    _MOVE.decide,
)

_NOT_ASKED: Final = Refusal("TRY_LATER", "the rules have not been asked")
_BAD_ID: Final = Refusal("BAD_REQUEST", "a command's id is 1 to 128 letters, digits, . - and _")
_NO_PERSON: Final = Refusal("BAD_REQUEST", "a command needs a person")
_OPENING: Final = (table_pb2.KIND_OPEN, table_pb2.KIND_OPEN_MATCH)
_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}")


def question(
    state: Table, command: AnyCommand, facts: Facts
) -> rules_pb2.JudgeRequest | Refusal | None:
    """What the rules have to be asked: a refusal if it does not come to that, None if the
    rules have no say in it.
    """
    rule = _rule_of(command)
    refusal = _refuse(rule, state, command, facts)
    if refusal is not None:
        return refusal
    return rule.ask(state, command, facts) if rule.ask else None


def decide(state: Table, command: AnyCommand, verdict: Verdict, facts: Facts) -> Decision | Refusal:
    """What follows from a command, given the verdict on its question to the same state."""
    rule = _rule_of(command)
    if rule.ask is None:
        refusal = _refuse(rule, state, command, facts)
    elif verdict is None:
        refusal = _refuse(rule, state, command, facts) or _NOT_ASKED
    else:
        # There is a question, so nothing else was wrong.
        refusal = refusal_of(verdict)
    return rule.decide(state, command, verdict, facts) if refusal is None else refusal


def version_made(state: Table, command: AnyCommand) -> int:
    """The version that a command made, however often it comes; 0 if it is not known to be done."""
    if isinstance(command, table_pb2.Command) and command.kind in HOUSE_KINDS:
        return official.version_done(state, command)
    return version_of(state, command.command)


def needs_seed(command: AnyCommand, verdict: Verdict) -> bool:
    """Whether a deal is committed to: without a question at a match's start, else after a hand."""
    if verdict is None:
        if isinstance(command, table_pb2.Command):
            return command.kind == table_pb2.KIND_START
        return isinstance(command, StartByItself)
    return verdict.HasField("hand_end") and not verdict.HasField("match_end")


def needs_code(command: AnyCommand) -> bool:
    """Whether a free code is wanted."""
    return isinstance(command, table_pb2.Command) and command.kind == table_pb2.KIND_OPEN


def _rule_of(command: AnyCommand) -> Rule:
    if isinstance(command, table_pb2.Command):
        return _RULES.get(command.kind, _NO_RULE)
    return _RULES[type(command)]


def _refuse(rule: Rule, state: Table, command: AnyCommand, facts: Facts) -> Refusal | None:
    if isinstance(command, table_pb2.Command):
        refusal = _refuse_anybody(state, command)
        if refusal is not None:
            return refusal
    elif state.closed:
        return TABLE_CLOSED
    return rule.refuse(state, command, facts)


def _refuse_anybody(state: Table, command: table_pb2.Command) -> Refusal | None:
    number = command.command
    if not _ID.fullmatch(number) or number.startswith(HOUSE_PREFIXES):
        return _BAD_ID
    if not command.player and command.kind not in HOUSE_KINDS:
        return _NO_PERSON
    if not state.version and command.kind not in _OPENING:
        return UNKNOWN_TABLE
    if state.closed and command.kind not in _OPENING:
        return TABLE_CLOSED
    return official.refuse_kind(state, command) if state.championship else None
