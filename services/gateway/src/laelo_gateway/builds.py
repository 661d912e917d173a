"""Which page is served now: a newer one may be put into the folder while the gateway runs."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from laelo_gateway.pages import Pages

LOOK_SECONDS: Final = 5.0

_log = logging.getLogger(__name__)


class Builds:
    """The name of the newest build that was seen whole."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.name = pages.build()

    def look(self) -> bool:
        """Whether the page is another one than before."""
        try:
            name = self._pages.build()
        except (OSError, ValueError) as error:
            _log.info("the page is being replaced: %s", error)
            return False
        if not name or name == self.name:
            return False
        self.name = name
        return True

    async def run(self, on_new: Callable[[str], None]) -> None:
        """Look for ever; tell the name of each new build."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if self.look():
                _log.info("a new page is served: %s", self.name)
                on_new(self.name)
