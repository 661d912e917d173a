"""What deciding takes and gives: facts from outside, a refusal."""

from typing import Final, NamedTuple


class Refusal(NamedTuple):
    """Why a command changes nothing: a documented code, and the same for people."""

    code: str
    reason: str


class Facts(NamedTuple):
    """What the domain cannot know by itself; times are in milliseconds."""

    now_ms: int
    pause_ms: int
    """How long teams rest between two matches (R41)."""
    seed: bytes = b""
    """32 fresh random bytes for the draw of a championship that begins; else empty."""


UNKNOWN_CHAMPIONSHIP: Final = Refusal(
    "UNKNOWN_CHAMPIONSHIP", "there is no championship with this id"
)
CHAMPIONSHIP_OVER: Final = Refusal(
    "CHAMPIONSHIP_OVER", "this championship is over or was cancelled"
)
BAD_SIZE: Final = Refusal("BAD_SIZE", "a bracket has 4, 8 or 16 teams")
UNKNOWN_MATCH: Final = Refusal("UNKNOWN_MATCH", "the bracket has no such match")
ALREADY_DECIDED: Final = Refusal("ALREADY_DECIDED", "the match has a winner already")
NOT_READY: Final = Refusal("NOT_READY", "the teams of the match are not known yet")
NOT_IN_MATCH: Final = Refusal("NOT_IN_MATCH", "the team does not play in this match")
