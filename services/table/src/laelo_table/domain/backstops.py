"""When the durable clocks behind the timers call, and the numbers under which they are set."""

from typing import Final

GRACE_MS: Final = 500
"""How long after a deadline the home's own timer is left alone."""

SLACK_MS: Final = 200
"""How much later than that a clock is set, to cover the turns that follow quickly."""

NOBODYS_SLACK_MS: Final = 2_000
"""The same where nobody's clock runs, as in a pause or on a bot's turn."""

AFTER_MS: Final = GRACE_MS + SLACK_MS
"""How long after a deadline a clock is set that is set anew."""

_LOOKS: Final = 1 << 40
"""Numbers of clocks from here on call for no turn: somebody is to look who is still there."""

_MOMENT_BIT: Final = 44
"""From here up the moment stands in the number of a clock that is not the first of its kind."""


def look_for(version: int) -> int:
    """The number of the clock that calls for a look at a table as this version left it."""
    return _LOOKS + version


def looked_for(number: int) -> int:
    """The version for which a clock calls for a look; 0 = it calls for a turn."""
    return max(0, number - _LOOKS)


def another(number: int, at_ms: int) -> int:
    """The number of a clock that calls for the same as another one, but at this moment."""
    return number + (at_ms << _MOMENT_BIT)


def called_for(number: int) -> int:
    """What a clock calls for, whichever of several it is: a turn, or a look."""
    return number & (1 << _MOMENT_BIT) - 1
