"""Tables that are at home elsewhere now: a few at a time are watched there."""

from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 32
"""A replica reads each of them from the log: who plays there does not wait behind all others."""

Move = Callable[[str, Callable[[], None]], bool]
"""Begins to move a table, and calls the second when that is over, never before it has returned;
whether there was anything to begin.
"""


class Moving:
    """Moves tables in the order in which they have to be moved."""

    def __init__(self, move: Move) -> None:
        self._move = move
        self._waiting: dict[str, None] = {}
        self._under_way = 0

    def add(self, table: str) -> None:
        """Move a table, too; once, however often this is said before its turn has come."""
        self._waiting[table] = None

    def go(self) -> None:
        """Begin as many as may be under way."""
        while self._waiting and self._under_way < AT_ONCE:
            table = next(iter(self._waiting))
            del self._waiting[table]
            self._under_way += self._move(table, self._over)

    def _over(self) -> None:
        self._under_way -= 1
        self.go()
