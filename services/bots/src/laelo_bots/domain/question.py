"""A position made ready to be searched: what is known, what is hidden, what may be done."""

from typing import NamedTuple

from laelo_rules.engine.tiles import WHOLE_SET

from .features import Move
from .position import Position, placements, surely_asleep
from .table import Choice, Table
from .view import NO_TILE, NOBODY, Opening, Turn, View, turns_of

PASSING: tuple[Move, ...] = ((NO_TILE, 0),)


class Question(NamedTuple):
    """Where a seat stands. The hidden seats are those to its left, in their order."""

    table: Table
    hand: int
    unseen: int
    """The tiles that lie neither in the hand nor on the table."""
    may_hold: tuple[int, int, int]
    """What each hidden seat may still hold: no pass speaks against it, nor the opening."""
    held: tuple[int, int, int]
    """How many tiles each hidden seat holds."""
    choices: tuple[Choice, ...]
    """What the others have laid when they might have laid something else."""
    moves: tuple[Move, ...]
    """All that may be done; a pass when nothing fits."""


def question_of(position: Position) -> Question:
    """The question of a position in which a tile is to be laid, or a pass to be made."""
    view = position.view
    turns = turns_of(view)
    assert isinstance(turns, list)  # noqa: S101 - a position has been read
    table, choices = _follow(view, turns)
    unseen = WHOLE_SET & ~(table.laid | view.hand)
    possible = ~surely_asleep(view, turns)
    hidden = [(view.seat + step) & 3 for step in (1, 2, 3)]
    a, b, c = (position.may_hold[seat] & possible for seat in hidden)
    held_a, held_b, held_c = (position.held[seat] for seat in hidden)
    moves = tuple(placements(position)) or PASSING
    return Question(table, view.hand, unseen, (a, b, c), (held_a, held_b, held_c), choices, moves)


def _follow(view: View, turns: list[Turn]) -> tuple[Table, tuple[Choice, ...]]:
    """The table as it is now, and the choices that the others have made on the way."""
    table = Table(view.seat if view.opener == NOBODY else view.opener)
    choices = []
    laid_after = _laid_after(turns)
    for index, (seat, tile, end) in enumerate(turns):
        if tile is None:
            table.skip()
            continue
        if seat != view.seat and (index or view.opening == Opening.WON):
            same = table.ends[0] == table.ends[1]
            at = 1 if end and same else end
            choices.append(Choice(table.copy(), laid_after[index], tile, at))
        table.lay(tile, end)
    return table, tuple(choices)


def _laid_after(turns: list[Turn]) -> list[int]:
    """For each turn the tiles that its seat lays in it or later."""
    later, masks = [0, 0, 0, 0], [0] * len(turns)
    for index in range(len(turns) - 1, -1, -1):
        seat, tile, _ = turns[index]
        if tile is not None:
            later[seat] |= 1 << tile
        masks[index] = later[seat]
    return masks
