"""The lobby: a table before its first match, which may start by itself."""

from collections.abc import Sequence

from laelo.table.v1 import events_pb2

from laelo_table.domain.outcome import Decision, Facts
from laelo_table.domain.state import Phase, Seat, Table, is_deserted, phase_of


def settle(
    state: Table, events: list[events_pb2.Event], seats: Sequence[Seat], facts: Facts
) -> Decision:
    """The decision of a change of seats outside a match; `seats` is who sits afterwards.

    In a lobby with a time of its own that time begins with the first person, ends when there
    is none, and is over when no seat is empty.
    """
    persons = any(seat.player for seat in seats)
    if phase_of(state) is not Phase.LOBBY or not state.start_seconds:
        return Decision(events, state.deadline_ms, opens_turn=False)
    if not persons:
        return Decision(events, 0, opens_turn=False)
    if not any(seat.is_empty for seat in seats):
        return Decision(events, facts.now_ms, opens_turn=not state.deadline_ms)
    if state.deadline_ms:
        return Decision(events, state.deadline_ms, opens_turn=False)
    return Decision(events, facts.now_ms + state.start_seconds * 1000, opens_turn=True)


def waits(state: Table) -> bool:
    """Whether strangers may be sent to the table: it is public, somebody is there, and they could
    sit down.
    """
    return (
        state.public
        and not state.closed
        and state.version > 0
        and phase_of(state) is Phase.LOBBY
        and not is_deserted(state.seats)
        and any(seat.is_empty for seat in state.seats)
    )
