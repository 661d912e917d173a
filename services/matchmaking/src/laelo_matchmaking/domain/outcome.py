"""What deciding takes and gives: facts from outside, a refusal."""

from typing import Final, NamedTuple

from laelo_matchmaking.domain.state import Times


class Refusal(NamedTuple):
    """Why a command changes nothing: a documented code, and the same for people."""

    code: str
    reason: str


class Facts(NamedTuple):
    """What the domain cannot know by itself."""

    now_ms: int
    times: Times
    fresh: tuple[str, ...] = ()
    """Fresh ids, for as many championships as may be called."""


IN_CHAMPIONSHIP: Final = Refusal(
    "IN_CHAMPIONSHIP", "this championship is not over for your team; join again when it is"
)
