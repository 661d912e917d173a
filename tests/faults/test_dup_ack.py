"""dup-ack: "duplicate" counts as success only after the commit was read back.

Seen elsewhere: corner cases of the duplicate window (nats-io/nats-server#2242). The window
spans the stream and knows ids, not what was stored under them.
"""

import pytest
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_common.log import (
    Aggregate,
    JetStreamLog,
    Kind,
    NatsSettings,
    Stale,
    append_once,
    connect,
    ensure_streams,
)
from laelo_common.testing.nats import NatsServer

pytestmark = [pytest.mark.faults, pytest.mark.integration]

TABLE, OTHER = Aggregate(Kind.TABLE, "T1"), Aggregate(Kind.TABLE, "T2")


def commit(command, version=1):
    head = Head(aggregate=TABLE.id, version=version, command=command)
    return AnyCommit(head=head).SerializeToString()


@pytest.fixture
async def log():
    with NatsServer() as server:
        connection = await connect(NatsSettings((server.url,)))
        await ensure_streams(connection)
        yield JetStreamLog(connection)
        await connection.close()


async def test_an_id_that_the_window_knows_from_elsewhere_is_no_success(log):
    await log.append(OTHER, b"something else", 0, "T1:move")
    with pytest.raises(Stale):
        await append_once(log, TABLE, commit("move"), 0)
    assert await log.tail(TABLE, 0) == []


async def test_an_id_known_for_other_bytes_at_the_same_table_is_no_success(log):
    first = await log.append(TABLE, commit("another"), 0, "T1:move")
    with pytest.raises(Stale):
        await append_once(log, TABLE, commit("move", 2), first)
    assert [c.sequence for c in await log.tail(TABLE, 0)] == [first]


async def test_what_was_stored_is_found_whatever_the_answer_says(log):
    first = await append_once(log, TABLE, commit("move"), 0)
    after = await log.append(TABLE, commit("next", 2), first.sequence, "T1:next")
    again = await append_once(log, TABLE, commit("move"), 0)
    assert again.sequence == first.sequence
    assert [c.sequence for c in again.tail] == [first.sequence, after]
