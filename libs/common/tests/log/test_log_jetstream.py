"""What only a real server shows: deaths, silence, limits and who may do what."""

import asyncio
import logging
import socket

import pytest
from laelo_common.log import (
    Conflict,
    Duplicate,
    JetStreamClocks,
    JetStreamLog,
    Kind,
    NatsSettings,
    Refused,
    Stale,
    Unavailable,
    append_once,
    connect,
    ensure_streams,
)
from laelo_common.log.commit import head_of
from laelo_common.log.streams import STREAMS
from laelo_common.testing.nats import NatsServer
from nats.js.errors import APIError

pytestmark = pytest.mark.integration


async def stubborn(log, table, make, command, expected=0):
    """Append until it is known to be stored, as a caller with patience does."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await append_once(log, table, make(table, command), expected)
            except Stale as stale:
                expected = stale.tail[-1].sequence if stale.tail else expected
            except Unavailable:
                await asyncio.sleep(0.02)


def other_tasks():
    return asyncio.all_tasks() - {asyncio.current_task()}


async def test_streams_are_made_by_several_at_once_and_again(own_server):
    connections = [await connect(NatsSettings((own_server.url,))) for _ in range(4)]
    await asyncio.gather(*(ensure_streams(connection) for connection in connections))
    jsm = connections[0].wire.jsm()
    await jsm.update_stream(name="SNAP", subjects=["snap.*.*"], max_msgs_per_subject=1)
    await ensure_streams(connections[1])
    assert {stream.config.name for stream in await jsm.streams_info()} == set(STREAMS)
    assert (await jsm.stream_info("SNAP")).config.allow_direct
    assert (await jsm.consumer_info("CLOCK", "clock")).config.ack_wait == 2
    for connection in connections:
        await connection.close()


@pytest.mark.parametrize("kind", list(Kind))
async def test_what_is_stored_can_be_neither_deleted_nor_purged(connection, kind, new_table):
    sequence = await JetStreamLog(connection).append(table := new_table(), b"x", 0, table.id)
    jsm = connection.wire.jsm()
    with pytest.raises(APIError):
        await jsm.purge_stream(kind.stream)
    with pytest.raises(APIError):
        await jsm.delete_msg(kind.stream, sequence)


async def test_one_server_answers_a_retry_by_its_sequence_first(connection, new_table):
    log, table = JetStreamLog(connection), new_table()
    first = await log.append(table, b"x", 0, f"{table.id}:1")
    with pytest.raises(Conflict) as conflict:
        await log.append(table, b"x", 0, f"{table.id}:1")
    assert conflict.value.last == first
    with pytest.raises(Duplicate) as duplicate:
        await log.append(table, b"x", first, f"{table.id}:1")
    assert duplicate.value.sequence == first
    assert (connection.counters.conflicts, connection.counters.duplicates) == (1, 1)


async def test_a_crash_between_append_and_answer_loses_and_doubles_nothing(
    own_server, own_connection, new_table, commit
):
    log, tables = JetStreamLog(own_connection), [new_table() for _ in range(16)]
    acknowledged = {table.id: [] for table in tables}
    crash_at = {50, 200, 400}

    async def write(table):
        expected = 0
        for number in range(40):
            stored = await stubborn(log, table, commit, str(number), expected)
            expected = stored.tail[-1].sequence if stored.tail else stored.sequence
            acknowledged[table.id].append(stored.sequence)
            if sum(map(len, acknowledged.values())) in crash_at:
                own_server.restart(kill=True)  # with the appends of the others on their way

    await asyncio.gather(*(write(table) for table in tables))
    for table in tables:
        stored = await log.tail(table, 0)
        assert [c.sequence for c in stored] == acknowledged[table.id]
        assert [head_of(c.data).command for c in stored] == [str(n) for n in range(40)]
    assert own_connection.counters.reconnects >= len(crash_at)


async def test_what_is_in_flight_when_the_server_dies_is_answered_at_once(
    own_server, own_connection, new_table, until
):
    log, table = JetStreamLog(own_connection), new_table()
    own_server.freeze()  # so that the append is surely not answered
    append = asyncio.create_task(log.append(table, b"x", 0, f"{table.id}:1"))
    await until(lambda: own_connection.inbox.waited_s)
    began = own_connection.now_ms()
    own_server.kill()
    with pytest.raises(Unavailable, match="connection was lost"):
        await append
    assert own_connection.reach.out_since_ms <= began
    with pytest.raises(Unavailable, match="not connected"):
        await log.append(table, b"x", 0, f"{table.id}:1")
    own_server.start()
    await until(lambda: not own_connection.reach.out)
    # Neither came through late, and the first append after the reconnect is stored.
    assert await log.append(table, b"y", 0, f"{table.id}:2") > 0
    assert [c.data for c in await log.tail(table, 0)] == [b"y"]


async def test_a_frozen_server_is_noticed_and_the_gap_noted(
    own_server, own_connection, new_table, until
):
    log, table = JetStreamLog(own_connection), new_table()
    lost, back = [], []
    log.reach.listen(lost.append, back.append)
    before = own_connection.now_ms()
    own_server.freeze()
    with pytest.raises(Unavailable, match="in time"):
        await log.append(table, b"x", 0, f"{table.id}:1")
    assert before <= log.reach.out_since_ms <= own_connection.now_ms() - 900
    await until(lambda: not own_connection.is_connected)  # the third ping without an answer
    own_server.thaw()
    await until(lambda: not log.reach.out)
    assert len(lost) == len(back) == 1
    assert back[0].covers(before + 500)


async def test_followings_live_and_clocks_go_on_after_a_crash(
    own_server, own_connection, new_table, until
):
    log, clocks, table = JetStreamLog(own_connection), JetStreamClocks(own_connection), new_table()
    got, heard, due = [], [], []

    async def on_due(turn):
        due.append(turn.turn)

    following = await log.follow(Kind.TABLE, 0, got.append)
    elsewhere = await connect(NatsSettings((own_server.url,)))
    live = await JetStreamLog(elsewhere).live(table, heard.append)
    running = await clocks.due(on_due)
    last = 0
    for turn in range(3):
        last = await log.append(table, b"%d" % turn, last, f"{table.id}:{turn}")
        await clocks.set(table.id, turn, 0)
        await until(lambda: following.position == last in heard)  # noqa: B023 - waited for
        await until(lambda: turn in due)  # noqa: B023 - waited for
        own_server.restart(kill=turn % 2 == 0)
        for each in (own_connection, elsewhere):
            await until(lambda: each.counters.reconnects == turn + 1)  # noqa: B023
    assert [commit.data for commit in got] == [b"0", b"1", b"2"]
    assert len(heard) == 3
    live.close()
    await elsewhere.close()
    await running.close()
    await following.close()


async def test_an_error_of_the_server_does_not_end_the_connection(own_connection, new_table, until):
    own_connection.wire.send(b"NONSENSE\r\n")
    await until(lambda: own_connection.counters.reconnects > 0)
    table = new_table()
    assert await JetStreamLog(own_connection).append(table, b"x", 0, table.id) == 1


async def test_an_error_in_a_callback_does_not_end_the_reading(
    nats_server, connection, new_table, until
):
    table, heard = new_table(), []
    elsewhere = await connect(NatsSettings((nats_server.url,)))

    def on_sequence(sequence):
        heard.append(sequence)
        raise RuntimeError("oops")

    live = await JetStreamLog(connection).live(table, on_sequence)
    first = await JetStreamLog(elsewhere).append(table, b"x", 0, f"{table.id}:1")
    await until(lambda: heard == [first])
    second = await JetStreamLog(elsewhere).append(table, b"x", first, f"{table.id}:2")
    await until(lambda: heard == [first, second])
    assert connection.counters.errors == 2
    live.close()
    await elsewhere.close()


async def test_what_is_too_big_is_refused_and_the_connection_stays(connection, new_table):
    log, table = JetStreamLog(connection), new_table()
    with pytest.raises(Refused, match="too many"):
        await log.append(table, bytes(1024 * 1024), 0, table.id)
    assert await log.append(table, bytes(1000 * 1024), 0, table.id) > 0
    assert connection.counters.disconnects == 0


@pytest.mark.parametrize("message_id", ["a\r\nNats-Rollup: all", "é", "a\tb"])
async def test_a_message_id_cannot_add_headers(connection, new_table, message_id):
    with pytest.raises(ValueError, match="not a message id"):
        await JetStreamLog(connection).append(new_table(), b"x", 0, message_id)


async def test_a_cancelled_append_leaves_nothing_waiting(connection, new_table):
    log, table = JetStreamLog(connection), new_table()
    append = asyncio.create_task(log.append(table, b"x", 0, table.id))
    await asyncio.sleep(0)
    append.cancel()
    with pytest.raises(asyncio.CancelledError):
        await append
    await connection.inbox.settled()
    assert connection.inbox.waited_s == 0


async def test_a_lost_snapshot_is_told(own_server, own_connection, new_table, until, caplog):
    log, table = JetStreamLog(own_connection), new_table()
    log.snapshot(table, bytes(2 * 1024 * 1024), 1)
    own_server.kill()
    await until(lambda: not own_connection.is_connected)
    with caplog.at_level(logging.WARNING):
        log.snapshot(table, b"x", 1)
    assert own_connection.counters.snapshots_failed == 2
    assert f"snapshot of {table.subject} failed: not connected" in caplog.text


async def test_a_clock_that_would_be_forgotten_is_refused(connection, new_table):
    in_an_hour = connection.now_ms() + 3_600_000
    with pytest.raises(Refused, match="forgotten"):
        await JetStreamClocks(connection).set(new_table().id, 1, in_an_hour)


@pytest.mark.parametrize(
    "servers", [(), ("",), ("nats://h:x",), ("nats://h:99999",), ("nats://[::1",), ("h:1", "a:b:1")]
)
async def test_what_is_no_address_is_named_at_once(servers):
    with pytest.raises(Unavailable, match="is no address of NATS, such as nats://"):
        await connect(NatsSettings(servers))
    assert other_tasks() == set()


@pytest.mark.parametrize(
    "server",
    [
        "nats://table:very-secret@127.0.0.1:1",
        "table:very-secret@h:x",
        "nats://table:p/very-secret@h:1",
    ],
)
async def test_a_password_in_an_address_is_told_to_nobody(server):
    with pytest.raises(Unavailable) as told:
        await connect(NatsSettings((server,), connect_s=0.1))
    assert "NATS" in str(told.value)
    assert "very-secret" not in str(told.value)


async def test_without_a_server_one_clear_error_and_nothing_left():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(Unavailable, match=rf"no NATS at nats://127.0.0.1:{port} within 0.3 s"):
        await connect(NatsSettings((f"nats://127.0.0.1:{port}",), connect_s=0.3))
    assert other_tasks() == set()


async def test_a_close_ends_an_attempt_that_takes_its_cancelling_for_a_refusal(
    own_server, monkeypatch
):
    before, trying = other_tasks(), asyncio.Event()
    connection = await connect(NatsSettings((own_server.url,)))

    async def refuse(_server):
        trying.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ConnectionRefusedError from None

    monkeypatch.setattr(connection.wire, "_connect_to_server", refuse)
    own_server.kill()
    await trying.wait()
    await connection.close()
    assert other_tasks() == before


async def test_attempts_at_a_frozen_server_leave_no_connection(own_server, own_connection, until):
    attempts, tried = own_connection.wire._connect_to_server, []

    async def count(server):
        await attempts(server)
        tried.append(own_connection.wire._transport._io_writer)

    own_connection.wire._connect_to_server = count
    own_connection.wire.send(b"NONSENSE\r\n")
    await until(lambda: own_connection.counters.disconnects == 1)
    own_server.freeze()
    await until(lambda: len(tried) >= 3)
    assert all(writer.is_closing() for writer in tried[:-1])
    own_server.thaw()
    await until(lambda: own_connection.is_connected)


async def test_a_server_without_jetstream_is_told(own_server, own_connection):
    own_server.kill()
    with pytest.raises(Unavailable, match="did not answer within"):
        await ensure_streams(own_connection, within_s=0.5)


def test_a_server_that_does_not_start_says_why_and_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with (
        pytest.raises(RuntimeError, match=r"did not start:\n.*Parse error"),
        NatsServer(more="nonsense: {"),
    ):
        pytest.fail("it started")
    assert list(tmp_path.iterdir()) == []


async def test_nothing_is_left_after_a_close(nats_server, new_table):
    before = other_tasks()
    connection = await connect(NatsSettings((nats_server.url,)))
    await ensure_streams(connection)
    log, table = JetStreamLog(connection), new_table()

    async def on_due(_):
        pass

    following = await log.follow(Kind.TABLE, 0, lambda _: None)
    running = await JetStreamClocks(connection).due(on_due)
    await log.live(table, lambda _: None)
    await log.append(table, b"x", 0, table.id)
    await following.close()
    await running.close()
    await connection.close()
    assert other_tasks() == before
