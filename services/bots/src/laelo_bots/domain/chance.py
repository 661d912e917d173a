"""Numbers that look like chance and follow from a seed alone, the same in Python and in C.

A congruential generator of which only the high bits are used: a few nanoseconds in C, and as
little as Python can do.
"""

from typing import Final

# `core/chance.c` holds the same constants.
_WORD: Final = 2**64 - 1
_FACTOR: Final = 6364136223846793005
_STEP: Final = 1442695040888963407
_SHARE: Final = 2.0**-53


def mixed(seed: int) -> int:
    """A seed that has nothing in common with those of its neighbours (splitmix64)."""
    z = (seed + 0x9E3779B97F4A7C15) & _WORD
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
    return z ^ (z >> 31)


class Chance:
    """A stream of numbers that begins at a seed of 64 bits."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = mixed(seed)

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1; `bound` is below 2**32."""
        self._state = state = (self._state * _FACTOR + _STEP) & _WORD
        return (state >> 32) * bound >> 32

    def share(self) -> float:
        """A number from 0 to below 1."""
        self._state = state = (self._state * _FACTOR + _STEP) & _WORD
        return (state >> 11) * _SHARE
