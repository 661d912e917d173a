"""The move clock: how long a turn has, and what is done when it runs out (R20-R25)."""

from typing import Final

from .legal import ends_fitted, legal_tiles
from .moves import ChooseOpener, End, Move, Pass, Play
from .state import Phase, State
from .tiles import TILES, heaviest

LONG_SECONDS: Final = 15
SHORT_SECONDS: Final = 3


def is_short(state: State) -> bool:
    """Whether the seat on turn has just one tile that may be played, or none (R20)."""
    tiles = legal_tiles(state)
    return state.phase is Phase.PLAY and not tiles & (tiles - 1)


def clock_seconds(state: State, base: int = LONG_SECONDS) -> int:
    """Seconds that the seat on turn has (R20); 0 when no clock runs.

    `base` is the long clock of this table, 0 for a table without clock (R25).
    """
    if state.turn is None or base == 0:
        return 0
    return SHORT_SECONDS if is_short(state) else base


def timeout_move(state: State) -> Move | None:
    """What the clock does for the seat on turn (R21, R22); None when nobody is to act."""
    seat = state.turn
    if seat is None:
        return None
    if state.phase is Phase.CHOOSE_OPENER:
        return ChooseOpener(seat, opener=seat)
    tiles = legal_tiles(state)
    if not tiles:
        return Pass(seat)
    tile = heaviest(tiles)
    return Play(seat, TILES[tile], _first_end(ends_fitted(state, tile)))


def _first_end(fitted: int) -> End:
    """The left end if it is among those, otherwise the right."""
    return End.LEFT if fitted & End.LEFT else End(fitted)
