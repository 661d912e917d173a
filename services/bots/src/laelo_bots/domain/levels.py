"""The levels: from a position to a move."""

from collections.abc import Callable
from enum import IntEnum
from random import Random
from typing import Final

from laelo_rules.engine import TILES, ChooseOpener, Move, Pass, Phase, Play, partner_of

from . import simple
from .position import Position, placements


class Level(IntEnum):
    """How well a bot plays; the numbers are those on the wire."""

    RANDOM = 1
    SIMPLE = 2


Picker = Callable[[Position, list[tuple[int, int]], Random], tuple[int, int]]


def choose(position: Position, level: Level, seed: int) -> Move:
    """The move of a bot; the same for the same position, level and seed. Always legal."""
    seat = position.view.seat
    random = Random(seed)
    if position.state.phase is Phase.CHOOSE_OPENER:
        return ChooseOpener(seat, _choose_opener(seat, level, random))
    possible = placements(position)
    if not possible:
        return Pass(seat)
    tile, end = _PICKERS[level](position, possible, random)
    return Play(seat, TILES[tile], end)


def _choose_opener(seat: int, level: Level, random: Random) -> int:
    """Who opens (R5). To open is worth a fifth of a point and the own tiles are the only ones
    known, so who plays to win opens.
    """
    if level is Level.RANDOM:
        return random.choice((seat, partner_of(seat)))
    return seat


def _at_random(
    position: Position, possible: list[tuple[int, int]], random: Random
) -> tuple[int, int]:
    return random.choice(possible)


def _simple(position: Position, possible: list[tuple[int, int]], random: Random) -> tuple[int, int]:
    """Among moves of equal worth the seed decides, so that nobody can count on one."""
    worth = [simple.worth(position, tile, end) for tile, end in possible]
    best = max(worth)
    return random.choice(
        [move for move, value in zip(possible, worth, strict=True) if value == best]
    )


_PICKERS: Final[dict[Level, Picker]] = {Level.RANDOM: _at_random, Level.SIMPLE: _simple}
