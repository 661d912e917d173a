"""The life of a stream: which one it is, and what it holds."""

from collections.abc import AsyncIterator, Callable
from typing import Protocol

import pytest
from laelo_common.log import (
    Aggregate,
    Connection,
    JetStreamLives,
    JetStreamLog,
    Kind,
    Life,
    Log,
    MemoryLog,
    NatsSettings,
    Refused,
    connect,
    ensure_streams,
)
from laelo_common.testing.nats import NatsServer


class Lives(Protocol):
    async def life(self, kind: Kind) -> Life: ...


@pytest.fixture(params=["memory", pytest.param("jetstream", marks=pytest.mark.integration)])
async def both(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Log, Lives]]:
    if request.param == "memory":
        log = MemoryLog(lambda: 1)
        yield log, log
        return
    server: NatsServer = request.getfixturevalue("own_server")
    connection = await connect(NatsSettings((server.url,)))
    await ensure_streams(connection)
    yield JetStreamLog(connection), JetStreamLives(connection)
    await connection.close()


async def test_a_life_tells_what_the_stream_holds(
    both: tuple[Log, Lives], commit: Callable[..., bytes]
) -> None:
    log, lives = both
    empty = await lives.life(Kind.CHAMPIONSHIP)
    assert empty[1:] == (1, 0)
    for number in range(3):
        aggregate = Aggregate(Kind.CHAMPIONSHIP, f"c{number}")
        await log.append(aggregate, commit(aggregate, "a"), 0, f"c{number}:a")
    assert await lives.life(Kind.CHAMPIONSHIP) == Life(empty.created, 1, 3)
    assert (await lives.life(Kind.QUEUE))[1:] == (1, 0)


@pytest.mark.integration
async def test_a_stream_that_is_made_anew_has_another_life(own_connection: Connection) -> None:
    lives = JetStreamLives(own_connection)
    before = await lives.life(Kind.QUEUE)
    await own_connection.inbox.ask(b"$JS.API.STREAM.DELETE.MMQ", b"")
    with pytest.raises(Refused):
        await lives.life(Kind.QUEUE)
    await ensure_streams(own_connection)
    assert (await lives.life(Kind.QUEUE)).created != before.created
