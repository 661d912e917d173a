"""The chain on the table, rebuilt from the turns of the hand."""

from typing import NamedTuple

from laelo_common.wire import table as wire

from laelo_table.domain.evolve import LAID_LEFT, LAID_RIGHT, PASS
from laelo_table.domain.spell import TILES

_TILE_BITS = 31


class Chain(NamedTuple):
    """Tiles from left to right, each as (its left number, its right number)."""

    tiles: tuple[wire.Tile, ...] = ()
    opened: int = 0
    """Index of the tile that opened."""
    last_end: wire.End | None = None
    """Where the newest tile lies."""


def chain_of(turns: bytes) -> Chain:
    """The chain after these turns, coded as in laelo.bots.v1.View.turns."""
    tiles: list[wire.Tile] = []
    opened = 0
    last_end: wire.End | None = None
    for turn in turns:
        if turn == PASS:
            continue
        low, high = TILES[turn & _TILE_BITS]
        if turn & LAID_LEFT:
            touching = tiles[0][0]
            tiles.insert(0, (low + high - touching, touching))
            opened, last_end = opened + 1, "left"
        elif turn & LAID_RIGHT:
            touching = tiles[-1][1]
            tiles.append((touching, low + high - touching))
            last_end = "right"
        else:
            tiles.append((low, high))
    return Chain(tuple(tiles), opened, last_end)
