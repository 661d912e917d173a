"""Who is there: persons go and come back, and bots stand in for them (R32)."""

from typing import Final

from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain.commands import Empty, Gone, Here
from laelo_table.domain.outcome import (
    NOT_SEATED,
    OFFICIAL_TABLE,
    UNKNOWN_TABLE,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.state import NOBODY, Table, is_deserted, seat_of
from laelo_table.domain.turns import given_to_person_ms, handed_over_ms

LONGEST_WINDOW: Final = 64
_NOTHING_NEW = Refusal("ALREADY_SEATED", "the seat is held like this already")
_NOT_EMPTY = Refusal("BAD_REQUEST", "somebody is there, or it is too early to tell")


def refuse_gone(state: Table, command: Gone) -> Refusal | None:
    """Why nobody has gone."""
    if not state.version:
        return UNKNOWN_TABLE
    seat = state.seats[command.seat]
    if not seat.player or (seat.player, seat.fence) != (command.player, command.fence):
        return NOT_SEATED
    return _NOTHING_NEW if seat.gone else None


def gone(state: Table, command: Gone) -> Decision:
    """A person has gone. No clock is touched by it."""
    seats = list(state.seats)
    seats[command.seat] = seats[command.seat]._replace(gone=True)
    event = events_pb2.Event(person_gone=events_pb2.PersonGone(seat=command.seat))
    deserts = is_deserted(seats) and not state.championship
    return Decision([event], state.deadline_ms, opens_turn=False, deserts=deserts)


def is_news(state: Table, player: str, window: str) -> bool:
    """Whether it changes anything that a person is there in this window."""
    number = seat_of(state, player)
    if number == NOBODY:
        return False
    seat = state.seats[number]
    return seat.gone or bool(window and window != seat.window)


def refuse_here(state: Table, command: Here) -> Refusal | None:
    """Why it changes nothing that a person is there."""
    if not state.version:
        return UNKNOWN_TABLE
    if len(command.window) > LONGEST_WINDOW:
        return Refusal("BAD_REQUEST", f"a window has at most {LONGEST_WINDOW} characters")
    return None if is_news(state, command.player, command.window) else _NOTHING_NEW


def here(state: Table, player: str, window: str, facts: Facts) -> Decision:
    """A person has the seat again at once (R32), and in the newest window."""
    number = seat_of(state, player)
    seat = state.seats[number]
    fence = seat.fence
    events = []
    if seat.gone:
        fence += 1
        back = events_pb2.PersonBack(seat=number, fence=fence)
        events.append(events_pb2.Event(person_back=back))
    if window and window != seat.window:
        fence += 1
        held = events_pb2.SeatHeld(seat=number, fence=fence, window=window)
        events.append(events_pb2.Event(seat_held=held))
    return Decision(events, given_to_person_ms(state, number, facts), opens_turn=False)


def stand_in(
    state: Table, number: int, level: table_pb2.BotLevel.ValueType, facts: Facts
) -> Decision:
    """A bot plays for a person who is gone."""
    fence = state.seats[number].fence + 1
    bot = events_pb2.BotStandsIn(seat=number, level=level, fence=fence)
    event = events_pb2.Event(bot_stands_in=bot)
    return Decision([event], handed_over_ms(state, number, facts), opens_turn=False)


def refuse_empty(state: Table, command: Empty, now_ms: int) -> Refusal | None:
    """Why a table is not closed yet."""
    if not state.version:
        return UNKNOWN_TABLE
    if state.championship:
        # Its match is played to the end, by the clock if need be (R38).
        return OFFICIAL_TABLE
    if state.empty_ms != command.since_ms or now_ms < command.since_ms + command.kept_ms:
        return _NOT_EMPTY
    return None
