"""What is asked over HTTP about matches of the past.

Tiles and seats are coded as at a table. Moments are milliseconds since 1970 UTC, durations
milliseconds. Nobody has a name here who may not be named (R40), and no hand is told before it
is over. A refusal is `Refused`, as in frames, with the status that goes with its code.
"""

from typing import Literal

from laelo_common.wire.table import (
    Call,
    End,
    HandEnd,
    MatchEnd,
    Opening,
    Seat,
    Shape,
    Tile,
)

Kind = Literal["friendly", "championship"]
Word = Literal["best", "good", "doubtful", "mistake"]
"""What is thought of a tile that was laid; a mistake is one for sure."""
Actor = Literal["person", "bot", "clock"]
"""Who moved: the person, a bot, or the clock for them (R21, R22)."""


class HistoryRow(Shape, frozen=True):
    """A match of who asks. Seats as they were in the end; `me` is the asker's own.

    `partner` is an id to filter by, left out for bots and for who may not be named yet.
    `ended` is left out while it is played, `winner` also if its table was closed before.
    """

    table: str
    match: int
    started: int
    hands: int
    seats: tuple[Seat, Seat, Seat, Seat]
    me: int
    scores: tuple[int, int]
    ended: int | None = None
    winner: int | None = None
    partner: str = ""
    buchuda: bool = False
    buchuda_de_re: bool = False
    championship: str = ""
    official: str = ""


class History(Shape, frozen=True):
    """`GET /api/history?partner=&kind=&week=&before=`: one's own matches, the newest first.

    `next` is the `before` of what is older, left out when there is nothing older.
    """

    rows: tuple[HistoryRow, ...]
    next: str = ""


class Move(Shape, frozen=True):
    """A tile laid, or a pass (no `tile`); `ends` are those after it, left out on an empty
    table. `after_ms` counts from the deal.
    """

    seat: int
    after_ms: int
    calls: tuple[Call, ...]
    tile: Tile | None = None
    end: End | None = None
    ends: tuple[int, int] | None = None
    by: Actor = "person"


class Choice(Shape, frozen=True):
    """Who of the winning pair opened, chosen by `seat` (R5)."""

    seat: int
    after_ms: int
    by: Actor = "person"


class PastHand(Shape, frozen=True):
    """A hand that is over. `dealt` are the tiles of seats 0-3 as dealt, the sleeping ones are
    told nowhere (R2). `choice` is left out where the highest double opened.
    """

    number: int
    at: int
    opening: Opening
    multiplier: int
    seats: tuple[Seat, Seat, Seat, Seat]
    dealt: tuple[tuple[Tile, ...], ...]
    opener: int
    moves: tuple[Move, ...]
    end: HandEnd
    ended: int
    commitment: str
    choice: Choice | None = None


class Replay(Shape, frozen=True):
    """`GET /api/replays/{table}/{match}`: a match, as far as its hands are over. `me` is the
    seat of who asks. `end` is left out while it is played, or if its table was closed before.
    """

    table: str
    match: int
    started: int
    seats: tuple[Seat, Seat, Seat, Seat]
    hands: tuple[PastHand, ...]
    move_seconds: int = 0
    me: int | None = None
    ended: int | None = None
    end: MatchEnd | None = None
    championship: str = ""
    official: str = ""


class Verdict(Shape, frozen=True):
    """What is thought of a tile that was laid among others, from what its seat saw.

    `move` counts the moves of the hand from 1; `best` with `end` would have been best. `equity`
    (the team's chance to win the match) and `points` of the hand are with the best move and with
    the one that was made; `error` is the standard error of the difference in points.
    """

    hand: int
    move: int
    word: Word
    best: Tile
    equity: tuple[float, float]
    points: tuple[float, float]
    error: float
    worlds: int
    end: End | None = None


class Accuracy(Shape, frozen=True):
    """How well somebody played: how many of their choices were best or good, and how much chance
    to win the match the others cost. Choices of the clock are nobody's.
    """

    seat: int
    who: Seat
    choices: int
    good: int
    lost: float


class Judgement(Shape, frozen=True):
    """`GET` and `POST /api/replays/{table}/{match}/judgement`: what is known of `choices` moves,
    in order; accuracies once it is all of them. POST has them judged.
    """

    choices: int
    verdicts: tuple[Verdict, ...] = ()
    accuracies: tuple[Accuracy, ...] = ()
