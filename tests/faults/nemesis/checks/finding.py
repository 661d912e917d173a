"""What a check has found, and where to look."""

from typing import NamedTuple


class Finding(NamedTuple):
    """Something that must not be."""

    check: str
    words: str
    table: str = ""
    versions: tuple[int, int] = (0, 0)
    """The commits that matter."""
    who: tuple[str, ...] = ()
    """Whose frames matter; none = nobody's."""
    commands: tuple[str, ...] = ()
    """Ids of the commands that matter, as their senders chose them."""
