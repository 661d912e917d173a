"""What the seat on turn may do (R4, R7-R9)."""

from typing import Final, NamedTuple

from .moves import End
from .state import Phase, State
from .tiles import ENDS_FITTED, FITTING, tiles_in

_PLAY: Final = Phase.PLAY
_ENDS: Final = ((End.UNNAMED,), (End.LEFT,), (End.RIGHT,), (End.LEFT, End.RIGHT))


class LegalPlay(NamedTuple):
    """A tile that may be laid, and where: `(End.UNNAMED,)` on the empty table."""

    tile: int
    ends: tuple[End, ...]


def legal_tiles(state: State) -> int:
    """The tiles that the seat on turn may lay, as a bit mask; 0 when no tile is asked for."""
    turn = state.turn
    if turn is None or state.phase is not _PLAY:
        return 0
    hand = state.hands[turn]
    if state.ends is not None:
        left, right = state.ends
        return hand & FITTING[left][right]
    if state.must_open is not None:
        return hand & 1 << state.must_open
    return hand


def legal_plays(state: State) -> tuple[LegalPlay, ...]:
    """Each tile that the seat on turn may lay with the ends that it fits, lowest tile first."""
    return tuple(
        LegalPlay(tile, _ENDS[ends_fitted(state, tile)]) for tile in tiles_in(legal_tiles(state))
    )


def can_pass(state: State) -> bool:
    """Whether the seat on turn must pass: it is to play, and nothing fits (R9)."""
    return state.phase is _PLAY and not legal_tiles(state)


def ends_fitted(state: State, tile: int) -> int:
    """The ends that a tile fits, as the bits of `End`; 0 on the empty table too, where no end
    is named.
    """
    if state.ends is None:
        return 0
    left, right = state.ends
    return ENDS_FITTED[left][right][tile]
