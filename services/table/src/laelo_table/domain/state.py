"""A table as its log tells it: who sits where, the match, the hand, the open turn.

Seats are 0-3, tiles 0-27, hands masks of 28 bits, as in laelo.rules.v1; times are
milliseconds since 1970 UTC.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2

from laelo_table.domain.remembered import NOTHING, age_of

NOBODY: Final = 4
"""The seat of nobody; as a viewer: whoever has no seat."""

NO_TILE: Final = 28

POINTS_TO_WIN: Final = 6


class Phase(IntEnum):
    """What a table is waiting for."""

    LOBBY = 0
    CHOOSE = 1
    PLAY = 2
    PAUSE = 3
    MATCH_OVER = 4


class Seat(NamedTuple):
    """Who sits there: a person (`player`), a bot (`level`) or nobody."""

    player: str = ""
    name: str = ""
    guest: bool = False
    level: int = 0
    fence: int = 0
    """Raised whenever somebody takes the seat or leaves it."""
    window: str = ""
    """The person's window that holds the seat; empty = none has as yet."""
    gone: bool = False
    """Whether the person has been away for so long that a bot may stand in (R32)."""
    stand_in: int = 0
    """Level of the bot that plays for a person who is gone."""
    vacated: bool = False
    """Whether the bot plays for a person who has left for good: persons may take the seat."""
    animal: str = ""
    """What the person is shown as at a championship's table, in place of a name (R40)."""

    @property
    def is_empty(self) -> bool:
        """Whether nobody sits there."""
        return not (self.player or self.level)

    @property
    def is_free(self) -> bool:
        """Whether a person may sit down there."""
        return not self.player and (self.vacated or not self.level)

    @property
    def bot(self) -> int:
        """Level of the bot that plays here, for itself or for a person; 0 = none does."""
        return self.level or self.stand_in


class Deal(NamedTuple):
    """How the current hand was dealt."""

    order: bytes
    opening: rules_pb2.Opening.ValueType
    winner: int
    """The winner of the hand before; 4 = none."""


class Table(NamedTuple):
    """The state of a table after the commit `version`; 0 = there is no such table."""

    id: str = ""
    version: int = 0
    turn: int = 0
    """Version that began the open turn, or the pause; it names the turn in commands."""
    turn_ms: int = 0
    deadline_ms: int = 0
    """When the turn's or the pause's time is up; 0 = never."""
    move_seconds: int = 0
    spectators: bool = False
    public: bool = False
    level: int = 0
    """That of bots which nobody has chosen."""
    start_seconds: int = 0
    """How long the lobby lasts at most; 0 = until the host starts."""
    code: str = ""
    championship: str = ""
    """Of which the match is played here; empty at friendly tables."""
    official: str = ""
    """That match in its bracket, such as W1-1."""
    scale: float = 1.0
    """What all times here are multiplied by."""
    opened_by: str = ""
    opened_ms: int = 0
    seats: tuple[Seat, Seat, Seat, Seat] = (Seat(), Seat(), Seat(), Seat())
    match: int = 0
    """Number of the match, from 1; 0 = none yet."""
    hand: int = 0
    game: rules_pb2.State | None = None
    """The match as the rules see it; None before its first deal."""
    dealt: Deal | None = None
    opener: int = NOBODY
    turns: bytes = b""
    """Turns of this hand from the opener on, coded as in laelo.bots.v1.View.turns."""
    begun: events_pb2.TurnBegan | None = None
    """The open turn; None while nobody has to act."""
    deal: events_pb2.DealCommitted | None = None
    """Commitment and seed of the current hand."""
    next_deal: events_pb2.DealCommitted | None = None
    added: tuple[events_pb2.BytesAdded, ...] = ()
    """What persons' clients have added to the deal of the current hand."""
    next_added: tuple[events_pb2.BytesAdded, ...] = ()
    hands: tuple[events_pb2.HandEnded, ...] = ()
    """The ends of this match's hands so far."""
    match_end: rules_pb2.MatchEnd | None = None
    given_back_ms: int = 0
    """How much of the open turn was given back after outages, of the long clock."""
    empty_ms: int = 0
    """Since when no person who sits is there; 0 = somebody is."""
    closed: int = 0
    """Why the table was closed; 0 = it is not."""
    commands: str = NOTHING
    """Ids of the newest commands, one for each version, as in `remembered`."""


NO_TABLE: Final = Table()
"""The state of a table that nobody has opened."""

_PHASE_OF: Final = {
    rules_pb2.PHASE_CHOOSE_OPENER: Phase.CHOOSE,
    rules_pb2.PHASE_PLAY: Phase.PLAY,
    rules_pb2.PHASE_HAND_OVER: Phase.PAUSE,
    rules_pb2.PHASE_MATCH_OVER: Phase.MATCH_OVER,
}


def phase_of(state: Table) -> Phase:
    """What the table is waiting for."""
    if state.game is not None:
        return _PHASE_OF[state.game.phase]
    return Phase.LOBBY if state.next_deal is None else Phase.PAUSE


def in_match(state: Table) -> bool:
    """Whether a match is being played, pauses between hands included."""
    begun = state.game is not None or state.next_deal is not None
    return begun and state.match_end is None


def seat_of(state: Table, player: str) -> int:
    """The seat of a person; 4 = none."""
    if player:
        # Asked several times for each move.
        a, b, c, d = state.seats
        if player == a[0]:
            return 0
        if player == b[0]:
            return 1
        if player == c[0]:
            return 2
        if player == d[0]:
            return 3
    return NOBODY


def host_seat(state: Table) -> int:
    """The seat of who may start a match: the opener of the table or, when they have left or are
    gone, the first person clockwise from seat 0 who is there; 4 = nobody sits, or it is a
    championship's table. While all are gone it is as if all were there.
    """
    if state.championship:
        return NOBODY
    persons = [number for number, seat in enumerate(state.seats) if seat.player]
    persons.sort(key=lambda number: state.seats[number].player != state.opened_by)
    there = (number for number in persons if not state.seats[number].gone)
    return next(there, persons[0] if persons else NOBODY)


def is_deserted(seats: Iterable[Seat]) -> bool:
    """Whether no person who sits is there."""
    return all(seat.gone or not seat.player for seat in seats)


def hand_of(game: rules_pb2.State, seat: int) -> int:
    """The tiles that a seat holds."""
    return (game.hand_0, game.hand_1, game.hand_2, game.hand_3)[seat]


def version_of(state: Table, command: str) -> int:
    """The version that a remembered command made; 0 if it is not remembered."""
    age = age_of(state.commands, command)
    return 0 if age is None else state.version - age
