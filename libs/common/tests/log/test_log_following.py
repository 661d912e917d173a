"""Consumers that lose something, or stand before a server that has nothing for them yet."""

import asyncio
from typing import Any

import pytest
from laelo_common.log import (
    JetStreamClocks,
    JetStreamLog,
    Kind,
    NatsSettings,
    connect,
    ensure_streams,
)
from laelo_common.log.follow import Delivery, delivery_of
from laelo_common.log.keeper import Keeper


class Lossy:
    """Stands before a following's callback and swallows the frames of some numbers."""

    def __init__(self, wire, following, lost):
        self.wire, self.seen, self.lost = wire, 0, lost
        self.sid = following._sid
        self.real = wire._direct[self.sid]
        wire._direct[self.sid] = self

    def __call__(self, *frame):
        self.seen += 1
        if self.seen not in self.lost:
            self.real(*frame)


@pytest.mark.integration
@pytest.mark.parametrize("lost", [{1}, {2, 3}, {4}], ids=["first", "middle", "last"])
async def test_a_lost_message_is_fetched_again(connection, new_table, until, lost):
    log, table, got = JetStreamLog(connection), new_table(), []
    following = await log.follow(Kind.TABLE, 0, got.append, table.subject)
    await following.caught_up()
    lossy = Lossy(connection.wire, following, lost)
    sequences = [0]
    for number in range(4):
        sequences.append(await log.append(table, b"x", sequences[-1], f"{table.id}:{number}"))
    await until(lambda: following.position == sequences[-1])
    assert [commit.sequence for commit in got] == sequences[1:]
    assert lossy.seen >= min(lost)
    assert connection.counters.resumed == 1
    await following.close()


@pytest.mark.integration
async def test_more_than_the_server_sends_unasked_comes_whole(connection, new_table, until):
    log, table, got, last = JetStreamLog(connection), new_table(), [], 0
    for number in range(100):
        last = await log.append(table, bytes(300_000), last, f"{table.id}:{number}")
    following = await log.follow(Kind.TABLE, 0, got.append, table.subject)
    await until(lambda: following.position == last)
    assert len(got) == 100
    assert connection.counters.resumed == 0
    await following.close()


@pytest.mark.integration
async def test_who_comes_before_the_streams_waits_for_them(own_server, new_table, until):
    connection = await connect(NatsSettings((own_server.url,)))
    log, clocks, table = JetStreamLog(connection), JetStreamClocks(connection), new_table()
    got, due = [], []

    async def on_due(turn):
        due.append(turn.turn)

    following = await log.follow(Kind.TABLE, 0, got.append)
    running = await clocks.due(on_due)
    await ensure_streams(connection)
    sequence = await log.append(table, b"x", 0, table.id)
    await clocks.set(table.id, 3, 0)
    await until(lambda: following.position == sequence)
    await until(lambda: due == [3])
    await running.close()
    await following.close()
    await connection.close()


class NeverLost:
    def on_reconnect(self, call):
        return lambda: None


async def test_an_error_nobody_thought_of_ends_the_keeping_and_is_told(caplog):
    async def set_up():
        raise RuntimeError("not foreseen")

    never_lost: Any = NeverLost()
    keeper = Keeper(never_lost, "something", set_up)
    with pytest.raises(RuntimeError, match="not foreseen"):
        await keeper.wait()
    await keeper.close()
    assert "something ended" in caplog.text
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize(
    "subject",
    [
        b"$JS.ACK.TBL.c.1.70.7.1700000000000000005.3",
        b"$JS.ACK._.AccountHash.TBL.c.1.70.7.1700000000000000005.3.token",
    ],
)
def test_both_forms_of_the_acknowledgement_are_read(subject):
    assert delivery_of(subject) == Delivery(70, 7, 1_700_000_000_000_000_005, 3)
