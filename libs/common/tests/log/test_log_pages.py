"""A stream read page by page."""

import pytest
from laelo_common.log import Aggregate, Kind, MemoryLog, Refused, read_pages

TABLE = Aggregate(Kind.TABLE, "01J00000000000000000000000")


async def stored(count: int) -> MemoryLog:
    log = MemoryLog(lambda: 0)
    for number in range(count):
        await log.append(TABLE, b"%d" % number, number, f"command-{number}")
    return log


async def test_all_commits_come_once_in_pages():
    log = await stored(5)
    pages = [page async for page in read_pages(log, Kind.TABLE, 1, 4, size=2)]
    assert [[commit.sequence for commit in page] for page in pages] == [[2, 3], [4]]


async def test_a_stream_that_lacks_its_end_is_told_and_not_waited_for():
    log = await stored(3)
    with pytest.raises(Refused, match="after commit 3 there is nothing"):
        _ = [page async for page in read_pages(log, Kind.TABLE, 0, 5)]
