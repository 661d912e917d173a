"""A snapshot that cannot be read costs time, not the queue."""

import pytest
from laelo.matchmaking.v1 import events_pb2

from .kit import people
from .town import QUEUE, Town

ODD = {
    "no message": b"\xff\xff",
    "empty": b"",
    "of nothing": events_pb2.Snapshot(next_ordinal=3).SerializeToString(),
}


@pytest.mark.parametrize("odd", ODD)
async def test_the_log_is_read_from_its_beginning(odd: str) -> None:
    town = Town()
    async with town.replica() as hall:
        await hall.join_all(people(5))
        await hall.leave("p002")
    town.log.snapshot(QUEUE, ODD[odd], town.recorded()[3].sequence)
    async with town.replica() as hall:
        assert hall.waiting == ["p001", "p003", "p004", "p005"]
        assert hall.state == town.state()
        assert await hall.join("p006") is None
    town.check()
