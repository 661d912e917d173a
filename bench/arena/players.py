"""Who can play in the arena: what a player is, and the two that need no bot."""

from typing import Protocol

from laelo_bots.domain.position import Position, read
from laelo_bots.domain.view import View
from laelo_rules.engine import Move, timeout_move


class PlayerError(Exception):
    """A player that cannot go on; the text says which one and why."""


class Player(Protocol):
    """Chooses moves from what one seat sees. Made anew in each process of the arena."""

    def choose(self, view: View, seed: int) -> Move:
        """The move for a view that leaves a choice. Raises PlayerError."""

    def close(self) -> None:
        """Let go of what it holds."""


def position_of(view: View) -> Position:
    """The position that a view tells of. Raises PlayerError."""
    position = read(view)
    if not isinstance(position, Position):
        raise PlayerError(f"the arena told of a hand that cannot be: {position.reason}")
    return position


class Heaviest:
    """What the clock plays: the heaviest tile that fits, opening oneself (R21, R22)."""

    def choose(self, view: View, seed: int) -> Move:
        """The move of the clock."""
        move = timeout_move(position_of(view).state)
        if move is None:
            raise PlayerError("nobody has to act")
        return move

    def close(self) -> None:
        """Nothing is held."""
