"""What is wrong with a refused move, in words for people who read logs and answers."""

from typing import Final

from .deal import DealError
from .moves import Refusal

_WORDS: Final = {
    Refusal.MATCH_OVER: "the match is over; a new one has to be started",
    Refusal.HAND_OVER: "the hand is over; the next one has to be dealt",
    Refusal.OPENER_NOT_CHOSEN: "who opens has not been chosen yet",
    Refusal.NO_OPENER_CHOICE: "there is no opener to be chosen now",
    Refusal.NOT_YOUR_TURN: "another seat has to act",
    Refusal.INVALID_OPENER: "only oneself or one's partner can be chosen as opener",
    Refusal.CANNOT_PASS: "a tile fits, so one has to be played",
    Refusal.INVALID_TILE: "a tile has two numbers from 0 to 6",
    Refusal.INVALID_END: "an end is left or right, or is not named",
    Refusal.TILE_NOT_IN_HAND: "this tile is not in the hand",
    Refusal.MUST_OPEN_HIGHEST_DOUBLE: "the highest double has to open this hand",
    Refusal.TILE_DOES_NOT_FIT: "the tile does not fit there",
    Refusal.END_REQUIRED: "the tile fits both ends, so one has to be named",
    DealError.NOT_A_WHOLE_SET: "a deal needs the 28 tiles, each exactly once",
}


def explain(refusal: Refusal | DealError) -> str:
    """One sentence for a refusal; it says nothing about anybody's tiles."""
    return _WORDS[refusal]
