"""What was read of a stream and is not archived yet: never more than a few pages of it."""

import asyncio
from collections import deque
from typing import Final

from laelo_common.log import Recorded

from laelo_archive.ports import GapError

PAGE: Final = 500
"""So many commits are archived in one go."""

MOST_WAITING: Final = 10 * PAGE
"""With so many waiting no more is read until they are archived."""


class Backlog:
    """Commits in the order of the stream, from the one after `last` on, without a gap."""

    def __init__(self, last: int) -> None:
        self._last = last
        self._commits: deque[Recorded] = deque()
        self._news = asyncio.Event()
        self.overflowed = False
        """More was handed over than there is room for: it has to be read again."""

    def __len__(self) -> int:
        return len(self._commits)

    def add(self, commit: Recorded) -> None:
        """Take in the next commit. Raises GapError if it is not the next one."""
        if len(self._commits) >= MOST_WAITING:
            self.overflowed = True
        if self.overflowed:
            return
        if commit.sequence != self._last + 1:
            raise GapError(self._last, commit.sequence)
        self._last = commit.sequence
        self._commits.append(commit)
        self._news.set()

    async def news(self) -> None:
        """Wait until there is something."""
        await self._news.wait()

    def take(self) -> list[Recorded]:
        """The next page; what is left stays."""
        commits = self._commits
        page = [commits.popleft() for _ in range(min(PAGE, len(commits)))]
        if not commits:
            self._news.clear()
        return page
