"""Tables are opened, seats taken and left."""

from typing import Final

from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain.outcome import (
    ALREADY_STARTED,
    INVALID_SEAT,
    NOT_SEATED,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.state import NOBODY, Table, in_match, seat_of
from laelo_table.domain.turns import handed_over_ms

LONGEST_CLOCK: Final = 600
"""Longest move clock that a table may have, in seconds."""

LONGEST_NAME: Final = 64
_ANY: Final = -1
_DEFAULT_LEVEL: Final = table_pb2.BOT_LEVEL_SIMPLE


def refuse_open(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why no table may be opened like this."""
    if state.version:
        return Refusal("TABLE_EXISTS", "a table has this id already: choose another")
    if command.options.move_seconds > LONGEST_CLOCK:
        return Refusal("BAD_OPTIONS", f"a move clock has at most {LONGEST_CLOCK} seconds")
    return _refuse_name(command)


def open_table(command: table_pb2.Command) -> Decision:
    """The table exists, and who opened it sits in seat 0."""
    opened = events_pb2.TableOpened(options=command.options, host=command.player)
    events = [events_pb2.Event(opened=opened), _person_taken(0, command, 1)]
    return Decision(events, 0, opens_turn=False)


def refuse_sit(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why a person may not sit down there."""
    if not _ANY <= command.seat < NOBODY:
        return INVALID_SEAT
    if seat_of(state, command.player) != NOBODY:
        return Refusal("ALREADY_SEATED", "you sit at this table already")
    if _free_seat(state) == NOBODY:
        return Refusal("TABLE_FULL", "all four seats are taken")
    if command.seat != _ANY and not state.seats[command.seat].is_empty:
        return Refusal("SEAT_TAKEN", "somebody else sits there: choose another seat")
    return _refuse_name(command)


def sit(state: Table, command: table_pb2.Command) -> Decision:
    """A person sits down."""
    seat = _free_seat(state) if command.seat == _ANY else command.seat
    taken = _person_taken(seat, command, state.seats[seat].fence + 1)
    return Decision([taken], state.deadline_ms, opens_turn=False)


def refuse_leave(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why somebody cannot get up."""
    return NOT_SEATED if seat_of(state, command.player) == NOBODY else None


def leave(state: Table, command: table_pb2.Command, facts: Facts) -> Decision:
    """A person gets up; in mid-match a bot takes over at once, for the others play on (R31)."""
    seat = seat_of(state, command.player)
    fence = state.seats[seat].fence + 1
    events = [events_pb2.Event(seat_left=events_pb2.SeatLeft(seat=seat, fence=fence))]
    if not in_match(state):
        return Decision(events, state.deadline_ms, opens_turn=False)
    events.append(bot_taken(seat, _DEFAULT_LEVEL, fence + 1))
    return Decision(events, handed_over_ms(state, seat, facts), opens_turn=False)


def refuse_seat_bot(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why a bot cannot take that seat."""
    if seat_of(state, command.player) == NOBODY:
        return NOT_SEATED
    if not 0 <= command.seat < NOBODY:
        return INVALID_SEAT
    if not state.seats[command.seat].is_empty:
        return Refusal("SEAT_TAKEN", "a bot needs an empty seat")
    return refuse_level(command)


def seat_bot(state: Table, command: table_pb2.Command) -> Decision:
    """A bot takes an empty seat."""
    fence = state.seats[command.seat].fence + 1
    events = [bot_taken(command.seat, level_of(command), fence)]
    return Decision(events, state.deadline_ms, opens_turn=False)


def refuse_unseat_bot(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why a bot cannot be taken out of that seat."""
    if seat_of(state, command.player) == NOBODY:
        return NOT_SEATED
    if not 0 <= command.seat < NOBODY:
        return INVALID_SEAT
    if in_match(state):
        return ALREADY_STARTED
    if not state.seats[command.seat].level:
        return Refusal("NOT_A_BOT", "no bot sits there")
    return None


def unseat_bot(state: Table, command: table_pb2.Command) -> Decision:
    """A bot leaves its seat."""
    left = events_pb2.SeatLeft(seat=command.seat, fence=state.seats[command.seat].fence + 1)
    return Decision([events_pb2.Event(seat_left=left)], state.deadline_ms, opens_turn=False)


def level_of(command: table_pb2.Command) -> table_pb2.BotLevel.ValueType:
    """The wanted level of a bot, or the usual one."""
    return command.level or _DEFAULT_LEVEL


def refuse_level(command: table_pb2.Command) -> Refusal | None:
    """Why there is no bot of that level."""
    if command.level in table_pb2.BotLevel.values():
        return None
    return Refusal("BAD_REQUEST", f"no bot has the level {command.level}")


def bot_taken(seat: int, level: table_pb2.BotLevel.ValueType, fence: int) -> events_pb2.Event:
    """A bot sits in a seat."""
    return events_pb2.Event(seat_taken=events_pb2.SeatTaken(seat=seat, level=level, fence=fence))


def _person_taken(seat: int, command: table_pb2.Command, fence: int) -> events_pb2.Event:
    return events_pb2.Event(
        seat_taken=events_pb2.SeatTaken(
            seat=seat,
            player=command.player,
            name=command.name,
            guest=command.guest,
            fence=fence,
        )
    )


def _refuse_name(command: table_pb2.Command) -> Refusal | None:
    if 0 < len(command.name) <= LONGEST_NAME and command.name.isprintable():
        return None
    return Refusal("BAD_NICKNAME", f"a name has 1 to {LONGEST_NAME} printable characters")


def _free_seat(state: Table) -> int:
    return next((n for n, seat in enumerate(state.seats) if seat.is_empty), NOBODY)
