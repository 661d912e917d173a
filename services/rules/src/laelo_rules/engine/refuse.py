"""What is wrong with a move: the first finding of R13, in its order."""

from typing import Final

from .moves import ChooseOpener, End, Pass, Play, Refusal
from .state import Ends, Phase, State, partner_of
from .tiles import ENDS_FITTED, FITTING, ID_OF

# Read for every move: a global name is found faster than a member of an enum.
_PLAY: Final = Phase.PLAY
_BOTH: Final = End.LEFT | End.RIGHT

_NO_TILE_NOW: Final = {
    Phase.MATCH_OVER: Refusal.MATCH_OVER,
    Phase.HAND_OVER: Refusal.HAND_OVER,
    Phase.CHOOSE_OPENER: Refusal.OPENER_NOT_CHOSEN,
}
_NO_CHOICE_NOW: Final = {**_NO_TILE_NOW, Phase.PLAY: Refusal.NO_OPENER_CHOICE}


def refuse_play(state: State, move: Play) -> Refusal | None:  # noqa: PLR0911 - R13 is a list
    """Why this tile may not be laid; None if it may."""
    seat, (a, b), end = move
    if state.phase is not _PLAY:
        return _NO_TILE_NOW[state.phase]
    if seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    if not (0 <= a <= 6 and 0 <= b <= 6):
        return Refusal.INVALID_TILE
    if not 0 <= end <= 2:
        return Refusal.INVALID_END
    tile = ID_OF[a][b]
    if not state.hands[seat] >> tile & 1:
        return Refusal.TILE_NOT_IN_HAND
    if state.must_open is not None and state.must_open != tile:
        return Refusal.MUST_OPEN_HIGHEST_DOUBLE
    return None if state.ends is None else _refuse_end(tile, state.ends, end)


def _refuse_end(tile: int, ends: Ends, named: int) -> Refusal | None:
    left, right = ends
    fitted = ENDS_FITTED[left][right][tile]
    if not (fitted & named if named else fitted):
        return Refusal.TILE_DOES_NOT_FIT
    if not named and fitted == _BOTH:
        return Refusal.END_REQUIRED
    return None


def refuse_pass(state: State, move: Pass) -> Refusal | None:
    """Why this seat may not pass; None if it must."""
    if state.phase is not _PLAY:
        return _NO_TILE_NOW[state.phase]
    if move.seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    if state.ends is None:
        return Refusal.CANNOT_PASS
    left, right = state.ends
    return Refusal.CANNOT_PASS if state.hands[move.seat] & FITTING[left][right] else None


def refuse_choice(state: State, move: ChooseOpener) -> Refusal | None:
    """Why this opener may not be chosen; None if they may."""
    if state.phase is not Phase.CHOOSE_OPENER:
        return _NO_CHOICE_NOW[state.phase]
    if move.seat != state.turn:
        return Refusal.NOT_YOUR_TURN
    if move.opener not in (move.seat, partner_of(move.seat)):
        return Refusal.INVALID_OPENER
    return None
