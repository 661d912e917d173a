"""What the host of a table may do, and how tables end."""

from typing import Final

from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain import lobby
from laelo_table.domain.outcome import (
    ALREADY_STARTED,
    INVALID_SEAT,
    NOT_HOST,
    NOT_SEATED,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.state import NOBODY, Seat, Table, host_seat, in_match, is_deserted, seat_of

OLDEST_MS: Final = 25 * 24 * 3600 * 1000
"""How long a table may stand: the log forgets what is older than 30 days."""


def opened(event: events_pb2.TableOpened, facts: Facts) -> events_pb2.TableOpened:
    """The opening of a table, with what its times are multiplied by if they are."""
    if facts.scale != 1:
        event.clock_scale = facts.scale
    return event


def refuse_guest(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why somebody may not do what the host may."""
    seat = seat_of(state, command.player)
    if seat == NOBODY:
        return NOT_SEATED
    return None if seat == host_seat(state) else NOT_HOST


def refuse_kick(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why nobody is taken out of that seat."""
    refusal = refuse_guest(state, command)
    if refusal is not None:
        return refusal
    if not 0 <= command.seat < NOBODY:
        return INVALID_SEAT
    if in_match(state):
        return ALREADY_STARTED
    if state.seats[command.seat].player in ("", command.player):
        return Refusal("INVALID_SEAT", "another person's seat is wanted")
    return None


def empty_seat(state: Table, number: int, facts: Facts) -> Decision:
    """Whoever sits there, outside a match, does so no more."""
    fence = state.seats[number].fence + 1
    seats = list(state.seats)
    seats[number] = Seat(fence=fence)
    left = events_pb2.Event(seat_left=events_pb2.SeatLeft(seat=number, fence=fence))
    decision = lobby.settle(state, [left], seats, facts)
    return decision._replace(deserts=is_deserted(seats) and not state.empty_ms)


def refuse_swap(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why the two seats stay where they are."""
    refusal = refuse_guest(state, command)
    if refusal is not None:
        return refusal
    if not (0 <= command.seat < NOBODY and 0 <= command.other < NOBODY):
        return INVALID_SEAT
    if command.seat == command.other:
        return Refusal("INVALID_SEAT", "two different seats are wanted")
    return ALREADY_STARTED if in_match(state) else None


def swap(state: Table, command: table_pb2.Command) -> Decision:
    """Two seats change places, with whoever sits in them."""
    swapped = events_pb2.SeatsSwapped(
        seat=command.seat,
        other=command.other,
        fence=state.seats[command.seat].fence + 1,
        other_fence=state.seats[command.other].fence + 1,
    )
    event = events_pb2.Event(seats_swapped=swapped)
    return Decision([event], state.deadline_ms, opens_turn=False)


def is_old(state: Table, now_ms: int) -> bool:
    """Whether the table has stood for as long as one may."""
    return state.opened_ms > 0 and now_ms - state.opened_ms > OLDEST_MS


def close(why: events_pb2.Closing.ValueType) -> Decision:
    """The table is no more: nothing of it is waited for."""
    closed = events_pb2.TableClosed(closing=why)
    return Decision([events_pb2.Event(table_closed=closed)], 0, opens_turn=False)
