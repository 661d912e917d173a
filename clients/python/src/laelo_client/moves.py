"""A turn as the seat sees it, and the moves that may be made in it."""

from collections.abc import Callable
from typing import Any, NamedTuple

Tile = tuple[int, int]


class Play(NamedTuple):
    """Lay a tile at an end, left or right; on the empty table at none."""

    tile: Tile
    end: str | None = None


class Pass(NamedTuple):
    """Nothing fits."""


class Open(NamedTuple):
    """Who of the pair opens the hand: oneself or one's partner."""

    seat: int


Move = Play | Pass | Open


class Turn(NamedTuple):
    """One's own turn. Seats are 0-3 clockwise, tiles [low, high]."""

    seat: int
    hand: tuple[Tile, ...]
    ends: tuple[int, int] | None
    """The open numbers at the left and at the right; None on the empty table."""
    scores: tuple[int, int]
    """Of one's own team, and of the other."""
    history: tuple[dict[str, Any], ...]
    """What happened in this hand since it was dealt, or since one came, as it was told: events
    `opener_chosen`, `played` and `passed` of docs/protocol.md.
    """
    seconds: float | None
    """What is left of the clock; None = there is none."""
    moves: tuple[Move, ...]
    """All that may be done."""


Choose = Callable[[Turn], Move]
"""Makes up one's mind."""


def moves_of(told: dict[str, Any]) -> tuple[Move, ...]:
    """What may be done in a turn, as the gateway tells it."""
    if told.get("choosing"):
        return Open(told["seat"]), Open(told["seat"] ^ 2)
    moves = [
        Play((play["tile"][0], play["tile"][1]), end)
        for play in told.get("plays", ())
        for end in play.get("ends") or (None,)
    ]
    return tuple(moves) or (Pass(),)


def command_of(move: Move) -> tuple[str, dict[str, Any]]:
    """Kind and data of the frame that makes a move."""
    if isinstance(move, Play):
        end = {"end": move.end} if move.end else {}
        return "play", {"tile": list(move.tile), **end}
    if isinstance(move, Open):
        return "choose_opener", {"opener": move.seat}
    return "pass", {}
