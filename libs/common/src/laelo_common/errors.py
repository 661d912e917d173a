"""The one list of codes with which anything in the house is refused.

A code is what a program reacts to; the message beside it is for people. What each code
means, its gRPC status and whether to ask again stand in one table, from which
`docs/errors.md` is written: `python -m laelo_common.errors > docs/errors.md`.
`laelo_common.status` is the one place that turns codes into gRPC statuses and back.
"""

from enum import StrEnum
from typing import NamedTuple


class Retry(StrEnum):
    """What a client does after a refusal."""

    NEVER = "no"
    """The same request would be refused again."""
    AFTER_SYNC = "after a sync"
    """The client's picture is old: read what was missed, then let the person decide anew."""
    LATER = "later"
    """Ask the same again, with the same command id, after a pause with jitter."""


class Meaning(NamedTuple):
    """What there is to know about a code."""

    text: str
    status: str
    retry: Retry


class Code(StrEnum):
    """Why something was not done. The value is what goes over the wire."""

    MATCH_OVER = "MATCH_OVER"
    HAND_OVER = "HAND_OVER"
    OPENER_NOT_CHOSEN = "OPENER_NOT_CHOSEN"
    NO_OPENER_CHOICE = "NO_OPENER_CHOICE"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    INVALID_OPENER = "INVALID_OPENER"
    CANNOT_PASS = "CANNOT_PASS"  # noqa: S105 - no password
    INVALID_TILE = "INVALID_TILE"
    INVALID_END = "INVALID_END"
    TILE_NOT_IN_HAND = "TILE_NOT_IN_HAND"
    MUST_OPEN_HIGHEST_DOUBLE = "MUST_OPEN_HIGHEST_DOUBLE"
    TILE_DOES_NOT_FIT = "TILE_DOES_NOT_FIT"
    END_REQUIRED = "END_REQUIRED"
    NOT_A_WHOLE_SET = "NOT_A_WHOLE_SET"

    STALE_TURN = "STALE_TURN"
    STALE_FENCE = "STALE_FENCE"
    UNKNOWN_TABLE = "UNKNOWN_TABLE"
    UNKNOWN_MATCH = "UNKNOWN_MATCH"
    TABLE_EXISTS = "TABLE_EXISTS"
    TABLE_FULL = "TABLE_FULL"
    TABLE_CLOSED = "TABLE_CLOSED"
    NOT_SEATED = "NOT_SEATED"
    ALREADY_SEATED = "ALREADY_SEATED"
    NOT_YOUR_SEAT = "NOT_YOUR_SEAT"
    SEAT_TAKEN = "SEAT_TAKEN"
    INVALID_SEAT = "INVALID_SEAT"
    NOT_A_BOT = "NOT_A_BOT"
    NOT_HOST = "NOT_HOST"
    NOT_STARTED = "NOT_STARTED"
    ALREADY_STARTED = "ALREADY_STARTED"
    BAD_OPTIONS = "BAD_OPTIONS"

    OFFICIAL_TABLE = "OFFICIAL_TABLE"

    UNKNOWN_CHAMPIONSHIP = "UNKNOWN_CHAMPIONSHIP"
    CHAMPIONSHIP_OVER = "CHAMPIONSHIP_OVER"
    IN_CHAMPIONSHIP = "IN_CHAMPIONSHIP"
    ALREADY_DECIDED = "ALREADY_DECIDED"
    NOT_READY = "NOT_READY"
    NOT_IN_MATCH = "NOT_IN_MATCH"
    BAD_SIZE = "BAD_SIZE"

    BAD_REQUEST = "BAD_REQUEST"
    BAD_FRAME = "BAD_FRAME"
    UNKNOWN_FRAME = "UNKNOWN_FRAME"
    FRAME_TOO_LARGE = "FRAME_TOO_LARGE"
    HELLO_FIRST = "HELLO_FIRST"
    BAD_NICKNAME = "BAD_NICKNAME"
    NAME_TAKEN = "NAME_TAKEN"
    NAMELESS = "NAMELESS"
    SIGN_IN = "SIGN_IN"
    BANNED = "BANNED"
    PROTO_TOO_OLD = "PROTO_TOO_OLD"
    TOO_FAST = "TOO_FAST"

    TRY_LATER = "TRY_LATER"
    OVERLOADED = "OVERLOADED"
    INTERNAL = "INTERNAL"

    @property
    def meaning(self) -> Meaning:
        """The code's row of the table."""
        return MEANINGS[self]


_STATE = "FAILED_PRECONDITION"
_INPUT = "INVALID_ARGUMENT"
_STALE = "ABORTED"

MEANINGS: dict[Code, Meaning] = {
    # R13, in its order.
    Code.MATCH_OVER: Meaning("The match is over (R13).", _STATE, Retry.AFTER_SYNC),
    Code.HAND_OVER: Meaning("The hand is over (R13).", _STATE, Retry.AFTER_SYNC),
    Code.OPENER_NOT_CHOSEN: Meaning(
        "A tile or a pass while the opener is still to be chosen (R13).", _STATE, Retry.AFTER_SYNC
    ),
    Code.NO_OPENER_CHOICE: Meaning(
        "An opener was chosen when none is to be chosen (R13).", _STATE, Retry.AFTER_SYNC
    ),
    Code.NOT_YOUR_TURN: Meaning("Another seat is on turn (R13).", _STATE, Retry.AFTER_SYNC),
    Code.INVALID_OPENER: Meaning(
        "Only oneself or one's partner may open (R13).", _INPUT, Retry.NEVER
    ),
    Code.CANNOT_PASS: Meaning("A tile in hand fits (R13).", _STATE, Retry.NEVER),
    Code.INVALID_TILE: Meaning("A tile is two numbers 0-6 (R13).", _INPUT, Retry.NEVER),
    Code.INVALID_END: Meaning("An end is left or right (R13).", _INPUT, Retry.NEVER),
    Code.TILE_NOT_IN_HAND: Meaning("The tile is not in the hand (R13).", _STATE, Retry.AFTER_SYNC),
    Code.MUST_OPEN_HIGHEST_DOUBLE: Meaning(
        "The highest double has to open (R4, R13).", _STATE, Retry.NEVER
    ),
    Code.TILE_DOES_NOT_FIT: Meaning("The tile does not fit there (R13).", _STATE, Retry.NEVER),
    Code.END_REQUIRED: Meaning("The tile fits both ends: name one (R8, R13).", _INPUT, Retry.NEVER),
    Code.NOT_A_WHOLE_SET: Meaning("A deal is the 28 tiles, each once.", _INPUT, Retry.NEVER),
    # Tables.
    Code.STALE_TURN: Meaning(
        "The command names a turn that is over; nothing was done.", _STALE, Retry.AFTER_SYNC
    ),
    Code.STALE_FENCE: Meaning(
        "The seat has been taken over since: by a newer tab, the person or a bot.",
        _STALE,
        Retry.AFTER_SYNC,
    ),
    Code.UNKNOWN_TABLE: Meaning("There is no such table.", "NOT_FOUND", Retry.NEVER),
    Code.UNKNOWN_MATCH: Meaning("There is no such match.", "NOT_FOUND", Retry.NEVER),
    Code.TABLE_EXISTS: Meaning("A table has this id already.", "ALREADY_EXISTS", Retry.NEVER),
    Code.TABLE_FULL: Meaning("All four seats are taken.", _STATE, Retry.NEVER),
    Code.TABLE_CLOSED: Meaning("The table was closed for good.", _STATE, Retry.NEVER),
    Code.NOT_SEATED: Meaning("Only who sits at the table may do this.", _STATE, Retry.AFTER_SYNC),
    Code.ALREADY_SEATED: Meaning("One sits at this table already.", _STATE, Retry.AFTER_SYNC),
    Code.NOT_YOUR_SEAT: Meaning(
        "Somebody else sits in this seat.", "PERMISSION_DENIED", Retry.NEVER
    ),
    Code.SEAT_TAKEN: Meaning("The seat is taken.", _STATE, Retry.AFTER_SYNC),
    Code.INVALID_SEAT: Meaning("A seat is 0-3.", _INPUT, Retry.NEVER),
    Code.NOT_A_BOT: Meaning("No bot sits in this seat.", _STATE, Retry.AFTER_SYNC),
    Code.NOT_HOST: Meaning(
        "Only the host of the table may do this.", "PERMISSION_DENIED", Retry.NEVER
    ),
    Code.NOT_STARTED: Meaning("No match is being played.", _STATE, Retry.AFTER_SYNC),
    Code.ALREADY_STARTED: Meaning("A match is being played.", _STATE, Retry.AFTER_SYNC),
    Code.BAD_OPTIONS: Meaning("The table cannot be set up like this.", _INPUT, Retry.NEVER),
    Code.OFFICIAL_TABLE: Meaning(
        "At a championship's table nobody may do this.", "PERMISSION_DENIED", Retry.NEVER
    ),
    # Championships.
    Code.UNKNOWN_CHAMPIONSHIP: Meaning("There is no such championship.", "NOT_FOUND", Retry.NEVER),
    Code.CHAMPIONSHIP_OVER: Meaning("The championship is over or cancelled.", _STATE, Retry.NEVER),
    Code.IN_CHAMPIONSHIP: Meaning(
        "One is in a championship that one's team is not yet out of (R34).", _STATE, Retry.NEVER
    ),
    Code.ALREADY_DECIDED: Meaning("The match has a winner already.", _STATE, Retry.NEVER),
    Code.NOT_READY: Meaning("The teams of the match are not known yet.", _STATE, Retry.NEVER),
    Code.NOT_IN_MATCH: Meaning("The team does not play in this match.", _INPUT, Retry.NEVER),
    Code.BAD_SIZE: Meaning("A bracket has 4, 8 or 16 teams (R33).", _INPUT, Retry.NEVER),
    # The way in.
    Code.BAD_REQUEST: Meaning("The request makes no sense.", _INPUT, Retry.NEVER),
    Code.BAD_FRAME: Meaning("The frame is no JSON of the documented form.", _INPUT, Retry.NEVER),
    Code.UNKNOWN_FRAME: Meaning("There is no frame of this type.", "UNIMPLEMENTED", Retry.NEVER),
    Code.FRAME_TOO_LARGE: Meaning("The frame is over the limit.", "OUT_OF_RANGE", Retry.NEVER),
    Code.HELLO_FIRST: Meaning("The first frame has to be hello.", _STATE, Retry.NEVER),
    Code.BAD_NICKNAME: Meaning("This nickname cannot be used.", _INPUT, Retry.NEVER),
    Code.NAME_TAKEN: Meaning("Somebody else has this nickname.", "ALREADY_EXISTS", Retry.NEVER),
    Code.NAMELESS: Meaning("One has to choose a nickname first.", _STATE, Retry.NEVER),
    Code.SIGN_IN: Meaning("One has to sign in first.", "UNAUTHENTICATED", Retry.NEVER),
    Code.BANNED: Meaning(
        "An operator has shut the person out for a while; the reason says why and until when.",
        "PERMISSION_DENIED",
        Retry.NEVER,
    ),
    Code.PROTO_TOO_OLD: Meaning("The page is too old: load it anew.", _STATE, Retry.NEVER),
    Code.TOO_FAST: Meaning("Too many requests: slow down.", "RESOURCE_EXHAUSTED", Retry.LATER),
    # The house itself.
    Code.TRY_LATER: Meaning(
        "Something that is needed is out of reach; it may or may not have been done.",
        "UNAVAILABLE",
        Retry.LATER,
    ),
    Code.OVERLOADED: Meaning(
        "Too much is waiting already; nothing was done.", "RESOURCE_EXHAUSTED", Retry.LATER
    ),
    Code.INTERNAL: Meaning("A fault of ours; it is in the logs.", "INTERNAL", Retry.NEVER),
}


class LaeloError(Exception):
    """Something was refused or failed: a code for programs, a sentence for people."""

    def __init__(self, code: Code, message: str = "") -> None:
        self.code = code
        self.message = message or code.meaning.text
        super().__init__(f"{code}: {self.message}")


def page() -> str:
    """`docs/errors.md`: every code with its meaning, status and what to do."""
    rows = [f"| `{c}` | {m.text} | `{m.status}` | {m.retry} |" for c, m in MEANINGS.items()]
    return "\n".join(
        [
            "# Errors",
            "",
            "Written by `python -m laelo_common.errors`; change the table there, not here.",
            "The code is for programs; the sentence that comes with it is for people and may",
            "change. *Ask again: later* means the same command with the same id, after a pause",
            "with jitter; *after a sync* means that the client's picture was old: it reads what",
            "it missed and lets the person decide.",
            "",
            "| code | meaning | gRPC status | ask again |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


if __name__ == "__main__":
    print(page(), end="")
