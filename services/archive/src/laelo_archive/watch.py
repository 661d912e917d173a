"""How far the archive is behind the log, and whether it can be asked."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from laelo_common.errors import LaeloError
from laelo_common.log import Kind, LogError

from laelo_archive.domain.project import Stream
from laelo_archive.ports import Lives, Shelves

LOOK_SECONDS: Final = 1.0
AWAY: Final = "PostgreSQL is out of reach"

_log = logging.getLogger(__name__)


class Watch:
    """Looks every second, whoever it is that archives."""

    def __init__(
        self, lives: Lives, shelves: Shelves, tell: Callable[[str | None], Awaitable[None]]
    ) -> None:
        self._lives = lives
        self._shelves = shelves
        self._tell = tell
        self._is_closed = False
        self._behind: dict[Stream, int] = {Stream(kind.stream): 0 for kind in Kind}

    @property
    def behind(self) -> Mapping[Stream, int]:
        """Commits of each stream that are in the log and not in the archive, when last seen."""
        return self._behind

    async def close(self) -> None:
        """Tell nothing any more: the service has its own reason not to be asked."""
        self._is_closed = True

    async def run(self) -> None:
        """Look until it is closed."""
        while not self._is_closed:
            unready = None
            try:
                for kind in Kind:
                    await self._look(kind)
            except LogError as error:
                # What is archived can be read nevertheless.
                _log.debug("the log was not seen: %s", error)
            except LaeloError as error:
                _log.debug("the archive was not seen: %s", error)
                unready = AWAY
            if not self._is_closed:
                # Each time: at the start of the service it is told ready by others, too.
                await self._tell(unready)
            await asyncio.sleep(LOOK_SECONDS)

    async def _look(self, kind: Kind) -> None:
        stream = Stream(kind.stream)
        cursor = await self._shelves.cursor(stream)
        life = await self._lives.life(kind)
        self._behind[stream] = max(0, life.last - cursor.sequence)
        if life.created == cursor.created and life.last > cursor.sequence:
            await self._shelves.note_seen(cursor, life.last)
