"""What deciding takes and gives: facts from outside, a decision or a refusal."""

from typing import Final, NamedTuple

from laelo.rules.v1 import rules_pb2
from laelo.table.v1 import events_pb2


class Refusal(NamedTuple):
    """Why a command changes nothing: a documented code, and the same for people."""

    code: str
    reason: str


class Facts(NamedTuple):
    """What the domain cannot know by itself."""

    now_ms: int
    seed: bytes
    """32 fresh random bytes for the deal that is committed to; empty where none is."""
    delay_ms: int
    """How long a bot waits if its turn comes."""
    pause_ms: int
    """How long the pause after a hand is, where times are not scaled."""
    code: str = ""
    """A free code for the table that is opened."""
    scale: float = 1.0
    """What the times of a table that is opened are multiplied by."""


class Decision(NamedTuple):
    """All that follows from an accepted command."""

    events: list[events_pb2.Event] | events_pb2.Commit
    """Or the commit, without its head, in which they were made: a message that is handed over
    is copied, and moves are many.
    """
    deadline_ms: int
    """Of the turn that is open afterwards; 0 = none."""
    opens_turn: bool
    """Whether the turn that was open is over, and this commit's version names the next."""
    nobodys: bool = False
    """Whether nobody's clock runs until the deadline: that of a pause, or of a bot's turn."""
    deserts: bool = False
    """Whether no person who sits is there from now on."""


TABLE_CLOSED: Final = Refusal("TABLE_CLOSED", "this table is closed; open another")
UNKNOWN_TABLE: Final = Refusal("UNKNOWN_TABLE", "there is no table with this id")
NOT_SEATED: Final = Refusal("NOT_SEATED", "only who sits at the table may do this")
NOT_HOST: Final = Refusal("NOT_HOST", "only the host of the table may do this")
OFFICIAL_TABLE: Final = Refusal("OFFICIAL_TABLE", "at a championship's table nobody may do this")
NOT_STARTED: Final = Refusal("NOT_STARTED", "no match has been started at this table")
ALREADY_STARTED: Final = Refusal("ALREADY_STARTED", "a match is being played; wait for its end")
STALE_TURN: Final = Refusal("STALE_TURN", "this turn is over: read what was missed")
STALE_FENCE: Final = Refusal("STALE_FENCE", "the seat has been taken over since")
INVALID_SEAT: Final = Refusal("INVALID_SEAT", "a seat is 0, 1, 2 or 3")

_PREFIX: Final = len("REFUSAL_")
_CODES: Final = {number: name[_PREFIX:] for name, number in rules_pb2.Refusal.items() if number}


def refusal_of(verdict: rules_pb2.JudgeResponse) -> Refusal | None:
    """The refusal in a verdict of the rules; None if the act was done."""
    number = verdict.refusal
    return Refusal(_CODES[number], verdict.reason) if number else None
