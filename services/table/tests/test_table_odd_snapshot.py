"""A snapshot that cannot be read costs time, not the table."""

import pytest
from laelo.table.v1 import events_pb2
from laelo_common.log import Aggregate, Kind, MemoryLog
from laelo_table.domain.snapshot import save
from laelo_table.store import TableStore

from services.table.tests.kit import random_match

TABLE = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

ODD = {
    "no message": b"\xff\xff",
    "empty": b"",
    "without seats": events_pb2.Snapshot(hand=3).SerializeToString(),
}


@pytest.mark.parametrize("odd", [None, *ODD])
async def test_the_log_is_read_from_its_beginning(odd: str | None) -> None:
    game = random_match(1)
    log, aggregate = MemoryLog(lambda: 0), Aggregate(Kind.TABLE, TABLE)
    sequence = 0
    for number, stored in enumerate(game.stored):
        sequence = await log.append(aggregate, stored, sequence, f"{TABLE}:{number}")
    whole = save(game.state, game.digest).SerializeToString()
    log.snapshot(aggregate, whole if odd is None else ODD[odd], sequence)
    store = TableStore(log, 10)
    assert (await store.state(TABLE)).version == len(game.stored)
    await store.close()
