"""Ids of the newest commands of a table, by which a command that comes again is known.

They are one text. As a tuple each of them would be touched again for every commit, and 64 places
all over the memory are most of what a commit looks at.
"""

from collections.abc import Iterable
from typing import Final

MOST: Final = 64
"""A command sent again within so many is done once."""

_END: Final = "\n"
NOTHING: Final = _END


def remember(commands: Iterable[str]) -> str:
    """These, the oldest first. Raises ValueError for what is no id."""
    ids = list(commands)
    if any(_END in command for command in ids):
        raise ValueError("a command's id is one line")
    return _END + "".join(command + _END for command in ids)


def ids_of(remembered: str) -> list[str]:
    """All of them, the oldest first."""
    return remembered.split(_END)[1:-1]


def with_newest(remembered: str, command: str) -> str:
    """With one more, and without the oldest if they are too many."""
    if remembered.count(_END) > MOST:
        remembered = remembered[remembered.index(_END, 1) :]
    return remembered + command + _END


def age_of(remembered: str, command: str) -> int | None:
    """How many came after it; None if it is not among them."""
    place = remembered.rfind(_END + command + _END)
    return None if place < 0 else remembered.count(_END, place + 1) - 1
