"""Nicknames by id: for teams that are out or champion, and for the ranking."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from laelo_common.errors import LaeloError

from laelo_gateway.championships.ports import NameStore

KEPT: Final = 10_000
FRESH_SECONDS: Final = 60.0
"""For so long a name may be an old one: somebody is called something else, or is no more."""
LOOKUP_SECONDS: Final = 1.5
NOBODY: Final = ""
"""What is shown for somebody whose account is no more."""

_log = logging.getLogger(__name__)


class _Known(NamedTuple):
    name: str
    until: float


class Names:
    """A bounded cache before the store. While that is away, old names are better than none."""

    def __init__(self, store: NameStore) -> None:
        self._store = store
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def at_hand(self, people: Iterable[str]) -> Mapping[str, str] | None:
        """The names by id, if all of them are known and none may be an old one."""
        now = asyncio.get_running_loop().time()
        found = {}
        for player in people:
            known = self._known.get(player)
            if known is None or known.until < now:
                return None
            found[player] = known.name
        return found

    async def of(self, people: Iterable[str]) -> Mapping[str, str]:
        """The names by id; ids of whom nothing can be said now are left out."""
        wanted = list(dict.fromkeys(people))
        now = asyncio.get_running_loop().time()
        stale = [p for p in wanted if p not in self._known or self._known[p].until < now]
        if stale:
            await self._look_up(stale)
        found = {p: self._known[p].name for p in wanted if p in self._known}
        self._shrink()
        return found

    def forget(self, player: str) -> None:
        """The person is called something else from now on, or is no more."""
        self._known.pop(player, None)

    async def _look_up(self, people: list[str]) -> None:
        try:
            async with asyncio.timeout(LOOKUP_SECONDS):
                found = await self._store.names(people)
        except (LaeloError, TimeoutError) as error:
            _log.debug("names cannot be looked up: %s", type(error).__name__)
            return
        until = asyncio.get_running_loop().time() + FRESH_SECONDS
        for player in people:
            self._known[player] = _Known(found.get(player, NOBODY), until)
            self._known.move_to_end(player)

    def _shrink(self) -> None:
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
