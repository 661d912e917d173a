"""A stream read page by page up to a place, for who reads much of it and then is done."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Final

from laelo_common.log.port import Kind, Log, Recorded, Refused

PAGE: Final = 2000
MOST_READ: Final = 20_000
"""So many commits are taken in before they are handed over; more are asked for after that."""


async def read_pages(
    log: Log, kind: Kind, after: int, until: int, size: int = PAGE
) -> AsyncIterator[list[Recorded]]:
    """All commits after a sequence, up to another one that the stream has.

    Raises Refused if the stream lacks one of them, or what ended the reading.
    """
    while after < until:
        chunk = await _chunk(log, kind, after, until)
        for start in range(0, len(chunk), size):
            yield chunk[start : start + size]
        after = chunk[-1].sequence


async def _chunk(log: Log, kind: Kind, after: int, until: int) -> list[Recorded]:
    chunk: list[Recorded] = []
    done = asyncio.Event()

    def take(commit: Recorded) -> None:
        if done.is_set():
            return
        last = after + len(chunk)
        if commit.sequence != last + 1:
            raise Refused(f"{kind.stream}: after commit {last} comes {commit.sequence}")
        chunk.append(commit)
        if commit.sequence == until or len(chunk) == MOST_READ:
            done.set()

    following = await log.follow(kind, after, take)
    waits: list[Awaitable[object]] = [following.wait(), following.caught_up(), done.wait()]
    waiting = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if waiting[0].done():
            waiting[0].result()
        if not done.is_set():  # a damaged store may lack its last commits, and know how many
            raise Refused(f"{kind.stream}: after commit {after + len(chunk)} there is nothing")
    finally:
        for one in waiting:
            one.cancel()
        await following.close()
    return chunk
