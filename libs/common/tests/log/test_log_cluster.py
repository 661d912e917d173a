"""What only three servers show: leaders that are chosen, die, and answer in another order."""

import asyncio
import itertools

import pytest
from laelo_common.log import (
    Conflict,
    Duplicate,
    JetStreamClocks,
    JetStreamLog,
    Kind,
    NatsSettings,
    Stale,
    Unavailable,
    append_once,
    connect,
    ensure_streams,
)
from laelo_common.log.commit import head_of
from laelo_common.testing.nats_cluster import NatsCluster

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def cluster():
    with NatsCluster() as cluster:
        yield cluster


@pytest.fixture
async def connections(cluster):
    made = [await connect(NatsSettings((url,))) for url in cluster.urls]
    await asyncio.gather(*(ensure_streams(connection, replicas=3) for connection in made))
    yield made
    for connection in made:
        await connection.close()


async def test_streams_have_three_replicas(connections):
    jsm = connections[0].wire.jsm()
    for stream in await jsm.streams_info():
        assert stream.config.num_replicas == 3


async def test_a_retry_is_answered_by_its_id_first(connections, new_table):
    log, table = JetStreamLog(connections[0]), new_table()
    first = await log.append(table, b"x", 0, f"{table.id}:1")
    with pytest.raises(Duplicate) as duplicate:
        await log.append(table, b"x", 0, f"{table.id}:1")
    assert duplicate.value.sequence == first


async def test_of_three_writers_on_three_servers_exactly_one_wins(connections, new_table, commit):
    logs, table, last = [JetStreamLog(connection) for connection in connections], new_table(), 0

    async def attempt(log, number, round_):
        try:
            command = f"{round_}:{number}"
            return await log.append(table, commit(table, command), last, f"{table.id}:{command}")
        except Conflict:
            return None

    for round_ in range(200):
        answers = await asyncio.gather(*(attempt(log, n, round_) for n, log in enumerate(logs)))
        won = [answer for answer in answers if answer is not None]
        # A refusal also comes without a rival: then nobody wins, but never two.
        assert len(won) <= 1
        last = won[0] if won else last
    assert last == (await logs[0].tail(table, 0))[-1].sequence


async def test_a_command_sent_to_three_servers_is_stored_once(connections, new_table, commit):
    table, rivals = new_table(), []

    async def send(log):
        for _ in range(3):
            try:
                return await append_once(log, table, commit(table, "a"), 0)
            except Stale as stale:
                rivals.extend(stale.tail)
        return None

    answers = await asyncio.gather(*(send(JetStreamLog(c)) for c in connections * 3))
    stored = await JetStreamLog(connections[0]).tail(table, 0)
    assert {answer.sequence for answer in answers} == {commit.sequence for commit in stored}
    assert len(stored) == 1
    assert rivals == []


async def test_nothing_is_lost_or_doubled_when_the_leader_dies(
    cluster, connections, new_table, commit, until
):
    logs = [JetStreamLog(connection) for connection in connections]
    clocks, table, due, got = JetStreamClocks(connections[0]), new_table(), set(), []
    stored = {}

    async def on_due(turn):
        due.add(turn.turn)

    async def write(first, last, expected):
        for turn in range(first, last):
            for tries in itertools.count():
                log = logs[(turn + tries) % 3]
                try:
                    await clocks.set(table.id, turn, 0)
                    done = await append_once(log, table, commit(table, str(turn)), expected)
                except Stale as stale:
                    expected = stale.tail[-1].sequence if stale.tail else expected
                except Unavailable:
                    await asyncio.sleep(0.05)
                else:
                    expected = done.tail[-1].sequence if done.tail else done.sequence
                    stored[turn] = done.sequence
                    break
        return expected

    running = await clocks.due(on_due)
    following = await logs[0].follow(Kind.TABLE, 0, got.append, table.subject)
    last = await write(0, 20, 0)
    leader = (await connections[0].wire.jsm().stream_info("TBL")).cluster.leader
    cluster.named(leader).kill()
    last = await write(20, 40, last)
    cluster.named(leader).start()
    last = await write(40, 60, last)

    await until(lambda: following.position == last)
    await until(lambda: due == set(range(60)))
    assert [commit.sequence for commit in got] == [stored[turn] for turn in range(60)]
    assert [head_of(commit.data).command for commit in got] == [str(turn) for turn in range(60)]
    await running.close()
    await following.close()
