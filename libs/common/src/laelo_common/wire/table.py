"""What is told of a table: events in their order, and the whole view of a seat.

A tile is `[low, high]`; in a chain a tile is `[its left number, its right number]`. Seats
are 0-3, clockwise; team = seat mod 2. Times are milliseconds left at the frame's `now`.
Nothing here shows a viewer what its seat may not see.
"""

from typing import Literal

import msgspec

Tile = tuple[int, int]
"""Two numbers 0-6, the lower first."""

End = Literal["left", "right"]
Level = Literal["random", "simple", "easy", "medium", "strong"]
Opening = Literal["first", "tie", "won"]
Reason = Literal["domino_simple", "domino_double", "la_e_lo", "cruzada", "count", "tie"]
Phase = Literal["lobby", "choose", "play", "pause", "match_over"]
Closing = Literal["host", "empty", "old", "over", "cancelled", "operator"]
Phrase = Literal["hello", "good_luck", "well_played", "thanks", "sorry", "thinking", "again", "bye"]
"""What can be said at a table: nothing else, so that there is nothing to moderate."""
CallKind = Literal[
    "end",
    "all",
    "double",
    "opening",
    "pass",
    "domino_simple",
    "domino_double",
    "la_e_lo",
    "cruzada",
    "blocked",
    "count",
    "tie",
]


class Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a frame; what has its default value is left out."""


class Call(Shape, frozen=True):
    """Something called at the table (R30).

    `number` goes with end, all, double and opening (the higher one), `low` with opening;
    for a tie `number` is what the next hand counts.
    """

    kind: CallKind
    number: int | None = None
    low: int | None = None


class Play(Shape, frozen=True):
    """A tile that may be laid, and at which ends; no ends = the table is empty."""

    tile: Tile
    ends: tuple[End, ...] = ()


class Options(Shape, frozen=True):
    """How a table is set up, shown before anybody joins.

    `move_seconds` 0 = no clock (R25). Strangers may be sent to a `public` one. `level` is
    that of bots that nobody has chosen. `start_seconds`: the first match starts by itself
    after so long, with bots in the empty seats; 0 = when the host says so.
    """

    move_seconds: int = 0
    spectators: bool = True
    public: bool = False
    level: Level = "medium"
    start_seconds: int = 0


class Seat(Shape, frozen=True):
    """Who sits in a seat. A bot has a level and no name of its own.

    A person may be `gone` (R32); then `stand_in` is the level of the bot that plays for them.
    The table service marks where the name of an account is to be put in (`marks`).
    At a championship's table a person has an `animal` in place of a name (R40).
    """

    kind: Literal["empty", "person", "bot"]
    name: str = ""
    guest: bool = False
    level: Level | None = None
    gone: bool = False
    stand_in: Level | None = None
    animal: str = ""


class Added(Shape, frozen=True):
    """What a person's client has added to a deal: 16 bytes, in hex."""

    seat: int
    bytes: str


class HandEnd(Shape, frozen=True):
    """How a hand ended (R14-R19): all four hands open, the sleeping tiles not (R2).

    `seed` is the deal's seed in hex, to be checked against its commitment, and `added` what
    the clients added to it, by seat; `counts` is what each hand holds. Seat and team are
    left out after a tie.
    """

    reason: Reason
    points: int
    multiplier: int
    counts: tuple[int, int, int, int]
    hands: tuple[tuple[Tile, ...], ...]
    scores: tuple[int, int]
    seed: str
    winner: int | None = None
    team: int | None = None
    added: tuple[Added, ...] = ()


class HandScore(Shape, frozen=True):
    """A line of the score sheet."""

    reason: Reason
    points: int
    scores: tuple[int, int]
    winner: int | None = None


class MatchEnd(Shape, frozen=True):
    """How a match ended (R26-R28)."""

    team: int
    scores: tuple[int, int]
    buchuda: bool = False
    buchuda_de_re: bool = False


class Event(Shape, frozen=True, tag_field="k"):
    """One thing that happened at a table."""


class SeatChanged(Event, frozen=True, tag="seat"):
    """Who sits there now, and how: somebody sits down, gets up, is gone or back, a bot
    stands in. `fence` is the seat's fencing number now, `host` the seat of who may start.
    """

    seat: int
    who: Seat
    fence: int = 0
    host: int | None = None


class SeatHeld(Event, frozen=True, tag="held"):
    """Another window of the same person holds the seat now; `fence` is its number now."""

    seat: int
    fence: int


class SeatsSwapped(Event, frozen=True, tag="swapped"):
    """Two seats have changed places, with whoever sits in them; `fences` are theirs now, and
    `host` is the seat of who may start.
    """

    seats: tuple[int, int]
    fences: tuple[int, int]
    host: int | None = None


class BytesAdded(Event, frozen=True, tag="bytes_added"):
    """A person's client has added to the deal of a hand."""

    hand: int
    added: Added


class DeadlineMoved(Event, frozen=True, tag="deadline_moved"):
    """Time was given back after an outage; `ms` is left of the clock now (R24)."""

    seat: int
    ms: int


class TableClosed(Event, frozen=True, tag="closed"):
    """The table is no more."""

    closing: Closing


class MatchStarted(Event, frozen=True, tag="match_started"):
    """A match begins at 0-0; `match` counts from 1 at this table. Its first hand is dealt in
    `next_ms`.
    """

    match: int
    next_ms: int | None = None


class Committed(Event, frozen=True, tag="committed"):
    """The server has bound itself to the next deal: SHA-256 of its seed, in hex."""

    hand: int
    commitment: str


class Dealt(Event, frozen=True, tag="dealt"):
    """A new hand. `tiles` are the viewer's own, none without a seat."""

    hand: int
    opening: Opening
    multiplier: int
    scores: tuple[int, int]
    tiles: tuple[Tile, ...] = ()


class OpenerChosen(Event, frozen=True, tag="opener_chosen"):
    """The winner of the hand before said who opens (R5)."""

    seat: int
    opener: int
    by_clock: bool = False


class Played(Event, frozen=True, tag="played"):
    """A tile was laid; `end` is left out on the empty table. `ends` are those after it."""

    seat: int
    tile: Tile
    ends: tuple[int, int]
    calls: tuple[Call, ...]
    end: End | None = None
    by_clock: bool = False


class Passed(Event, frozen=True, tag="passed"):
    """Somebody had nothing to lay."""

    seat: int
    by_clock: bool = False


class HandEnded(Event, frozen=True, tag="hand_ended"):
    """A hand is over; the next is dealt in `next_ms`, unless the match is over too."""

    end: HandEnd
    next_ms: int | None = None


class MatchEnded(Event, frozen=True, tag="match_ended"):
    """A match is over."""

    end: MatchEnd


class Turn(Event, frozen=True, tag="turn"):
    """It is a seat's turn; `turn` names it in commands.

    `ms` is what is left of the clock, left out without one; all but the seat on turn are
    told the long clock's (R24). `plays` and `must_pass` are told to the seat on turn only.
    """

    seat: int
    turn: int
    choosing: bool = False
    ms: int | None = None
    plays: tuple[Play, ...] = ()
    must_pass: bool = False


TableEvent = (
    SeatChanged
    | SeatHeld
    | SeatsSwapped
    | BytesAdded
    | DeadlineMoved
    | TableClosed
    | MatchStarted
    | Committed
    | Dealt
    | OpenerChosen
    | Played
    | Passed
    | HandEnded
    | MatchEnded
    | Turn
)


class TableView(Shape, frozen=True):
    """All that a viewer sees of a table: enough to draw it without any history.

    `me` is the viewer's seat and `fence` its fencing number, left out without a seat.
    `host` is the seat of who may start. `chain` lies left to right and `opened` is the
    index of its opening tile; `last_seat` laid the newest tile, `last_end` says where.
    `tiles` are the viewer's own and `counts` how many each seat holds. `turn` is the open
    turn, `next_ms` the time until the next deal or, in the lobby, until the match starts by
    itself. `added` is what was added to the current deal and `next_added` what was added to
    the next one. `hand_end` is the newest hand's end while
    no new one is dealt, `sheet` the hands of this match so far. `championship` and `official`,
    the match in its bracket such as W1-1, are there at a championship's table only.
    """

    phase: Phase
    options: Options
    seats: tuple[Seat, Seat, Seat, Seat]
    scores: tuple[int, int]
    match: int
    hand: int
    multiplier: int
    me: int | None = None
    fence: int | None = None
    host: int | None = None
    code: str = ""
    tiles: tuple[Tile, ...] = ()
    counts: tuple[int, int, int, int] = (0, 0, 0, 0)
    chain: tuple[Tile, ...] = ()
    opened: int = 0
    ends: tuple[int, int] | None = None
    last_seat: int | None = None
    last_end: End | None = None
    turn: Turn | None = None
    next_ms: int | None = None
    commitment: str | None = None
    next_commitment: str | None = None
    added: tuple[Added, ...] = ()
    next_added: tuple[Added, ...] = ()
    closed: Closing | None = None
    hand_end: HandEnd | None = None
    match_end: MatchEnd | None = None
    sheet: tuple[HandScore, ...] = ()
    championship: str = ""
    official: str = ""
