"""What may be said at a table, and how often."""

from typing import Final, get_args

from laelo.table.v1 import table_pb2
from laelo_common.wire.table import Phrase

from laelo_table.domain.outcome import NOT_SEATED, TABLE_CLOSED, Refusal
from laelo_table.domain.state import NOBODY, Table, seat_of

PHRASES: Final[tuple[Phrase, ...]] = get_args(Phrase)
EACH_MS: Final = 2_000
"""A seat may say one phrase in so long."""

AT_ONCE: Final = 3
"""So many it may say at once."""


def refuse(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why this is not said."""
    if state.closed:
        return TABLE_CLOSED
    if seat_of(state, command.player) == NOBODY:
        return NOT_SEATED
    if command.phrase not in PHRASES:
        return Refusal("BAD_REQUEST", f"a phrase is one of {', '.join(PHRASES)}")
    return None


def paid_until(until_ms: int, now_ms: int) -> int | None:
    """Each phrase is paid with time: until when, after one more; None if it is too much."""
    begins_ms = max(until_ms, now_ms)
    if begins_ms - now_ms > (AT_ONCE - 1) * EACH_MS:
        return None
    return begins_ms + EACH_MS
