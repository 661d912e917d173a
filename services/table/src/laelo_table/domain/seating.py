"""Tables are opened, seats taken and left."""

from typing import Final

from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain import hosting, lobby, presence
from laelo_table.domain.outcome import (
    ALREADY_STARTED,
    INVALID_SEAT,
    NOT_SEATED,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.state import NOBODY, Seat, Table, in_match, is_deserted, seat_of
from laelo_table.domain.turns import given_to_person_ms, handed_over_ms

LONGEST_CLOCK: Final = 600
"""Longest move clock that a table may have, in seconds."""

LONGEST_LOBBY: Final = 600
"""Longest time after which a match may start by itself, in seconds."""

LONGEST_NAME: Final = 64
_ANY: Final = -1
_DEFAULT_LEVEL: Final = table_pb2.BOT_LEVEL_MEDIUM


def refuse_open(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why no table may be opened like this."""
    options = command.options
    if state.version:
        return Refusal("TABLE_EXISTS", "a table has this id already: choose another")
    if options.move_seconds > LONGEST_CLOCK:
        return Refusal("BAD_OPTIONS", f"a move clock has at most {LONGEST_CLOCK} seconds")
    if options.start_seconds > LONGEST_LOBBY:
        return Refusal("BAD_OPTIONS", f"a match starts within {LONGEST_LOBBY} seconds")
    if options.championship or options.match:
        return Refusal("BAD_OPTIONS", "a championship's tables are opened by the house")
    if options.level not in table_pb2.BotLevel.values():
        return Refusal("BAD_OPTIONS", f"no bot has the level {options.level}")
    return _refuse_person(command)


def open_table(command: table_pb2.Command, facts: Facts) -> Decision:
    """The table exists, and who opened it sits in seat 0."""
    options = command.options
    opened = events_pb2.TableOpened(options=options, host=command.player, code=facts.code)
    event = events_pb2.Event(opened=hosting.opened(opened, facts))
    events = [event, _person_taken(0, command, 1)]
    if not options.start_seconds:
        return Decision(events, 0, opens_turn=False)
    return Decision(events, facts.now_ms + options.start_seconds * 1000, opens_turn=True)


def refuse_sit(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why a person may not sit down there."""
    if not _ANY <= command.seat < NOBODY:
        return INVALID_SEAT
    if seat_of(state, command.player) != NOBODY:
        if presence.is_news(state, command.player, command.window):
            return _refuse_person(command)
        return Refusal("ALREADY_SEATED", "you sit at this table already")
    if _free_seat(state) == NOBODY:
        return Refusal("TABLE_FULL", "all four seats are taken")
    if command.seat != _ANY and not state.seats[command.seat].is_free:
        return Refusal("SEAT_TAKEN", "somebody else sits there: choose another seat")
    return _refuse_person(command)


def sit(state: Table, command: table_pb2.Command, facts: Facts) -> Decision:
    """A person sits down: in an empty seat, or in that of a bot that plays for somebody who has
    left. Who sits already has the seat in another window from now on.
    """
    if seat_of(state, command.player) != NOBODY:
        return presence.here(state, command.player, command.window, facts)
    number = _free_seat(state) if command.seat == _ANY else command.seat
    taken = _person_taken(number, command, state.seats[number].fence + 1)
    if state.seats[number].level:
        return Decision([taken], given_to_person_ms(state, number, facts), opens_turn=False)
    return lobby.settle(state, [taken], _with(state, number, Seat(command.player)), facts)


def refuse_leave(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why somebody cannot get up."""
    return NOT_SEATED if seat_of(state, command.player) == NOBODY else None


def leave(state: Table, command: table_pb2.Command, facts: Facts) -> Decision:
    """A person gets up; in mid-match a bot takes over at once, for the others play on (R31)."""
    number = seat_of(state, command.player)
    if not in_match(state):
        return hosting.empty_seat(state, number, facts)
    fence = state.seats[number].fence + 1
    level = level_of(state, table_pb2.BOT_LEVEL_UNSPECIFIED)
    left = events_pb2.SeatLeft(seat=number, fence=fence)
    return Decision(
        [events_pb2.Event(seat_left=left), bot_taken(number, level, fence + 1)],
        handed_over_ms(state, number, facts),
        opens_turn=False,
        deserts=is_deserted(_with(state, number, Seat())) and not state.empty_ms,
    )


def refuse_seat_bot(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why a bot cannot take that seat."""
    if seat_of(state, command.player) == NOBODY:
        return NOT_SEATED
    if not 0 <= command.seat < NOBODY:
        return INVALID_SEAT
    seat = state.seats[command.seat]
    if not seat.is_empty and (not seat.gone or seat.stand_in):
        return Refusal("SEAT_TAKEN", "a bot needs an empty seat, or that of a person who is gone")
    return refuse_level(command)


def seat_bot(state: Table, command: table_pb2.Command, facts: Facts) -> Decision:
    """A bot takes an empty seat, or stands in for a person who is gone."""
    number, level = command.seat, level_of(state, command.level)
    seat = state.seats[number]
    if seat.gone:
        return presence.stand_in(state, number, level, facts)
    events = [bot_taken(number, level, seat.fence + 1)]
    return lobby.settle(state, events, _with(state, number, Seat(level=level)), facts)


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


def unseat_bot(state: Table, command: table_pb2.Command, facts: Facts) -> Decision:
    """A bot leaves its seat."""
    return hosting.empty_seat(state, command.seat, facts)


def level_of(state: Table, wanted: table_pb2.BotLevel.ValueType) -> table_pb2.BotLevel.ValueType:
    """The wanted level of a bot, or the table's, or the usual one."""
    return wanted or table_pb2.BotLevel.ValueType(state.level) or _DEFAULT_LEVEL


def refuse_level(command: table_pb2.Command) -> Refusal | None:
    """Why there is no bot of that level."""
    if command.level in table_pb2.BotLevel.values():
        return None
    return Refusal("BAD_REQUEST", f"no bot has the level {command.level}")


def bot_taken(seat: int, level: table_pb2.BotLevel.ValueType, fence: int) -> events_pb2.Event:
    """A bot sits in a seat."""
    return events_pb2.Event(seat_taken_2=events_pb2.SeatTaken2(seat=seat, fence=fence, bot=level))


def _person_taken(seat: int, command: table_pb2.Command, fence: int) -> events_pb2.Event:
    sitter = events_pb2.Sitter(player=command.player, window=command.window)
    if command.guest:
        sitter.guest_name = command.name
    taken = events_pb2.SeatTaken2(seat=seat, fence=fence, person=sitter)
    return events_pb2.Event(seat_taken_2=taken)


def _refuse_person(command: table_pb2.Command) -> Refusal | None:
    if len(command.window) > presence.LONGEST_WINDOW:
        most = presence.LONGEST_WINDOW
        return Refusal("BAD_REQUEST", f"a window has at most {most} characters")
    if not command.guest or (0 < len(command.name) <= LONGEST_NAME and command.name.isprintable()):
        return None
    return Refusal("BAD_NICKNAME", f"a name has 1 to {LONGEST_NAME} printable characters")


def _free_seat(state: Table) -> int:
    """The first empty seat, else the first that a person has left to a bot."""
    seats = state.seats
    empty = (number for number, seat in enumerate(seats) if seat.is_empty)
    free = (number for number, seat in enumerate(seats) if seat.is_free)
    return next(empty, next(free, NOBODY))


def _with(state: Table, number: int, who: Seat) -> list[Seat]:
    seats = list(state.seats)
    seats[number] = who
    return seats
