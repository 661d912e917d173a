"""Tables of championships: who sits there is drawn, and nobody changes it (R33, R38, R40).

They are opened and, if it comes to that, cancelled by the house alone. The match starts by
itself; the clock plays for who is absent, and no bot ever does.
"""

import re
from typing import Final

from laelo.table.v1 import events_pb2, table_pb2

from laelo_table.domain import hosting
from laelo_table.domain.commands import HOUSE_KINDS, MatchOver
from laelo_table.domain.outcome import (
    OFFICIAL_TABLE,
    STALE_TURN,
    UNKNOWN_TABLE,
    Decision,
    Facts,
    Refusal,
)
from laelo_table.domain.state import NOBODY, Table, seat_of
from laelo_table.domain.turns import scaled

MOVE_SECONDS: Final = 15
"""The clock of every championship (R20)."""

CLOSING_MS: Final = 60_000
"""How long a table stands after its match, for people to see how it ended."""

_ALLOWED: Final = frozenset(
    (
        *HOUSE_KINDS,
        table_pb2.KIND_PLAY,
        table_pb2.KIND_PASS,
        table_pb2.KIND_CHOOSE_OPENER,
        table_pb2.KIND_ADD_BYTES,
    )
)
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""What ids of championships, of matches in their brackets and of animals look like."""

_NOT_THE_HOUSE: Final = Refusal("BAD_REQUEST", "only the house does this, for no person")
_PEOPLE: Final = Refusal("BAD_OPTIONS", "four people are wanted, each another animal")


def refuse_kind(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why this is not done at a championship's table, whoever asks for it."""
    kind = command.kind
    if kind in _ALLOWED or (kind == table_pb2.KIND_SIT and seat_of(state, command.player) < NOBODY):
        return None
    return OFFICIAL_TABLE


def version_done(state: Table, command: table_pb2.Command) -> int:
    """The version that did what the house asks for, however long ago; 0 = it is not done."""
    if command.kind == table_pb2.KIND_OPEN_MATCH:
        return int(_is_of_match(state, command))  # the first commit, or none
    return state.version if state.closed == events_pb2.CLOSING_CANCELLED else 0


def refuse_open_match(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why no table of this match is opened."""
    if command.player:
        return _NOT_THE_HOUSE
    if state.version:
        return Refusal("TABLE_EXISTS", "this id is that of another table")
    return _refuse_match(command)


def _refuse_match(command: table_pb2.Command) -> Refusal | None:
    options, people = command.options, command.people
    if not (_NAME.fullmatch(options.championship) and _NAME.fullmatch(options.match)):
        return Refusal("BAD_OPTIONS", "a championship and a match in its bracket are wanted")
    if len(people) != NOBODY or len({person.player for person in people} - {""}) != NOBODY:
        return _PEOPLE
    animals = {person.animal for person in people if _NAME.fullmatch(person.animal)}
    if len(animals) != NOBODY:
        return _PEOPLE
    if command.start_ms <= 0:
        return Refusal("BAD_OPTIONS", "the moment at which the match starts is wanted")
    return None


def open_match(command: table_pb2.Command, facts: Facts) -> Decision:
    """The table exists, all four sit, and the time until the match runs."""
    options = table_pb2.Options(
        move_seconds=MOVE_SECONDS,
        spectators=True,
        championship=command.options.championship,
        match=command.options.match,
    )
    opened = hosting.opened(events_pb2.TableOpened(options=options), facts)
    events = [events_pb2.Event(opened=opened)]
    for seat, person in enumerate(command.people):
        sitter = events_pb2.Sitter(player=person.player, animal=person.animal)
        taken = events_pb2.SeatTaken2(seat=seat, fence=1, person=sitter)
        events.append(events_pb2.Event(seat_taken_2=taken))
    return Decision(events, command.start_ms, opens_turn=True)


def refuse_cancel(state: Table, command: table_pb2.Command) -> Refusal | None:
    """Why the table is not closed although its championship were cancelled."""
    if command.player:
        return _NOT_THE_HOUSE
    if not state.championship:
        return Refusal("BAD_REQUEST", "this is no championship's table")
    return None


def closes_ms(state: Table, facts: Facts) -> int:
    """When a table closes whose match is over now; 0 = a friendly one, where another may begin."""
    return facts.now_ms + scaled(CLOSING_MS, state.scale) if state.championship else 0


def refuse_over(state: Table, command: MatchOver, now_ms: int) -> Refusal | None:
    """Why the table is not closed yet."""
    if not state.version:
        return UNKNOWN_TABLE
    if not state.championship or state.match_end is None or command.turn != state.turn:
        return STALE_TURN
    if now_ms < state.deadline_ms:
        return Refusal("MATCH_OVER", "it is shown a little longer how the match ended")
    return None


def _is_of_match(state: Table, command: table_pb2.Command) -> bool:
    if not state.championship:
        return False
    options = command.options
    if (state.championship, state.official) != (options.championship, options.match):
        return False
    sitting = [(seat.player, seat.animal) for seat in state.seats]
    return sitting == [(person.player, person.animal) for person in command.people]
