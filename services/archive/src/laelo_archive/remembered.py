"""What is known of aggregates, kept in memory for those that had commits last."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from laelo_archive.domain.project import Known

MOST: Final = 8192
"""Of so many aggregates it is kept; what is known of others is loaded again."""

Load = Callable[[Sequence[str]], Awaitable[dict[str, Known]]]


class Remembered:
    """In front of where it is stored; right as long as whoever stores it says so."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._known: OrderedDict[str, Known] = OrderedDict()

    async def of(self, aggregates: set[str]) -> dict[str, Known]:
        """What is known of these; those of which nothing is known are left out."""
        known = {one: self._known[one] for one in aggregates if one in self._known}
        if missing := sorted(aggregates - known.keys()):
            known |= await self._load(missing)
        return known

    def keep(self, known: dict[str, Known]) -> None:
        """Note what is stored now."""
        for aggregate, one in known.items():
            self._known[aggregate] = one
            self._known.move_to_end(aggregate)
        while len(self._known) > MOST:
            self._known.popitem(last=False)

    def forget(self) -> None:
        """Somebody else may have stored something."""
        self._known.clear()
