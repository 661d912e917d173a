"""What each service does in the log works under its user; whatever it must not do is refused.

A refusal is the server's own word about one publication or subscription, so it is asked for that
alone: what comes behind it on the same connection has not been seen before it was said.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator

import pytest
from laelo.log.v1.log_pb2 import AnyCommit, Head
from laelo_common.ids import new_id
from laelo_common.log import (
    Aggregate,
    Connection,
    Due,
    JetStreamBoard,
    JetStreamClocks,
    JetStreamLives,
    JetStreamLog,
    Kind,
    NatsSettings,
    Recorded,
    Unavailable,
    append_once,
    connect,
    ensure_streams,
    prepare,
)
from laelo_common.log.refill import Refill
from laelo_common.testing.nats import NatsServer

from .log_users import SERVICES, connected, log_server, url_of

pytestmark = pytest.mark.integration

STREAMS = ("TBL", "TRN", "MMQ", "SNAP", "WAIT", "CLOCK")
WRITES = {
    "table": ["tbl.3.X.ev", "snap.tbl.X", "snap.code.X", "wait.X", "clk.set.X.1"],
    "matchmaking": ["mmq.main.ev", "snap.mmq.main"],
    "tournament": ["trn.X.ev"],
    "archive": [],
    "deploy": [],
}
READS = {
    "table": {"TBL": "tbl.3.X.ev", "SNAP": "snap.tbl.X", "WAIT": "wait.X"},
    "matchmaking": {"MMQ": "mmq.main.ev", "TRN": "trn.X.ev", "SNAP": "snap.mmq.main"},
    "tournament": {"TRN": "trn.X.ev", "TBL": "tbl.3.X.ev"},
    "archive": {"TBL": "tbl.3.X.ev", "TRN": "trn.X.ev", "MMQ": "mmq.main.ev"},
    "deploy": {"TBL": "tbl.3.X.ev", "TRN": "trn.X.ev", "MMQ": "mmq.main.ev", "SNAP": "snap.tbl.X"},
}
FOLLOWS = {
    "table": [],
    "matchmaking": ["MMQ", "TRN"],
    "tournament": ["TRN"],
    "archive": ["TBL", "TRN", "MMQ"],
    "deploy": ["TBL", "TRN", "MMQ"],
}
ALL_WRITES = sorted({subject for subjects in WRITES.values() for subject in subjects})
EVERYTHING = (">", "*.>", "tbl.>", "trn.>", "mmq.>", "snap.>", "clk.>", "live.>")
EVERYTHING_ASKED = ("_INBOX.>", "_INBOX.*.>", "$JS.>", "$SYS.>")


@pytest.fixture(scope="module")
def server() -> Iterator[NatsServer]:
    with log_server() as running:
        deploy = {"LAELO_DEPLOY_NATS_URL": url_of("deploy", running)}
        assert prepare.main(deploy) == prepare.OK
        assert prepare.main(deploy) == prepare.OK, "it may run any number of times"
        yield running


@pytest.fixture(params=[*SERVICES, "deploy"])
async def each(request: pytest.FixtureRequest, server: NatsServer) -> AsyncIterator["Asked"]:
    async with connected(request.param, server) as connection:
        yield Asked(request.param, connection)


class Asked:
    """A user, and what the server says to single publications and subscriptions."""

    def __init__(self, user: str, connection: Connection) -> None:
        self.user = user
        self._connection = connection

    async def may_publish(self, subject: str) -> bool:
        wire, refused = self._connection.wire, self._connection.counters.errors
        # An empty commit would be stored for ever: one that expects what cannot be is not.
        headers = b"Nats-Expected-Last-Subject-Sequence: 999999\r\n"
        wire.publish_frame(subject.encode(), b"", headers, b"{}")
        await self._connection.inbox.barrier()
        return self._connection.counters.errors == refused

    async def may_hear(self, subject: str) -> bool:
        refused = self._connection.counters.errors
        sid = self._connection.wire.listen(subject, lambda *_: None)
        await self._connection.inbox.barrier()
        self._connection.wire.forget(sid)
        return self._connection.counters.errors == refused


def commit(aggregate: Aggregate) -> bytes:
    head = Head(aggregate=aggregate.id, version=1, command=new_id())
    return AnyCommit(head=head).SerializeToString()


async def followed(log: JetStreamLog, kind: Kind, subjects: str | None = None) -> list[Recorded]:
    """All that is in a stream now."""
    found: list[Recorded] = []
    following = await log.follow(kind, 0, found.append, subjects)
    async with asyncio.timeout(10):
        await following.caught_up()
    await following.close()
    return found


async def stored(server: NatsServer, user: str, aggregate: Aggregate) -> Recorded:
    """One commit by the service whose aggregate it is."""
    async with connected(user, server) as connection:
        log = JetStreamLog(connection)
        await append_once(log, aggregate, commit(aggregate), 0)
        (found,) = await log.tail(aggregate, 0)
    return found


# --- what each needs -------------------------------------------------------------------------


async def test_the_table_service_keeps_its_tables(server: NatsServer) -> None:
    async with connected("table", server) as connection:
        log, table = JetStreamLog(connection), Aggregate(Kind.TABLE, new_id())
        one = await append_once(log, table, commit(table), 0)
        log.snapshot(table, b"state", one.sequence)
        await connection.inbox.settled()
        loaded = await log.load(table)
        assert loaded.snapshot is not None
        assert loaded.snapshot.sequence == one.sequence
        assert loaded.commits == []
        newest = await log.newest(table)
        assert newest is not None
        assert newest.sequence == one.sequence
        assert connection.counters.errors == 0


async def test_replicas_of_the_table_service_tell_each_other_of_commits(server: NatsServer) -> None:
    table = Aggregate(Kind.TABLE, new_id())
    told: asyncio.Queue[int] = asyncio.Queue()
    async with connected("table", server) as one, connected("table", server) as other:
        live = await JetStreamLog(other).live(table, told.put_nowait)
        stored = await append_once(JetStreamLog(one), table, commit(table), 0)
        async with asyncio.timeout(10):
            assert await told.get() == stored.sequence
        live.close()
        assert one.counters.errors == other.counters.errors == 0


async def test_the_table_service_keeps_codes_and_notices(server: NatsServer) -> None:
    async with connected("table", server) as connection:
        log, board, code = JetStreamLog(connection), JetStreamBoard(connection), new_id()
        assert await log.claim(code, b"table")
        assert not await log.claim(code, b"other")
        assert await log.claimed(code) == b"table"
        board.post("table", b"two seats")
        await connection.inbox.settled()
        assert await board.notices(10) == [b"two seats"]
        board.withdraw("table")
        await connection.inbox.settled()
        assert await board.notices(10) == []
        assert connection.counters.errors == 0


async def test_the_table_service_is_called_by_its_clocks(server: NatsServer) -> None:
    table = new_id()
    called: asyncio.Queue[Due] = asyncio.Queue()
    async with connected("table", server) as connection:
        clocks = JetStreamClocks(connection)
        await clocks.set(table, 1, round(time.time() * 1000) + 50)
        due = await clocks.due(called.put)
        async with asyncio.timeout(10):
            assert await called.get() == Due(table, 1)
        await due.close()
        assert connection.counters.errors == 0
        assert connection.counters.dues_failed == 0


async def test_matchmaking_keeps_the_queue_and_hears_of_championships(server: NatsServer) -> None:
    cup, queue = Aggregate(Kind.CHAMPIONSHIP, new_id()), Aggregate(Kind.QUEUE, new_id())
    begun = await stored(server, "tournament", cup)
    async with connected("matchmaking", server) as connection:
        log = JetStreamLog(connection)
        one = await append_once(log, queue, commit(queue), 0)
        log.snapshot(queue, b"state", one.sequence)
        await connection.inbox.settled()
        loaded = await log.load(queue)
        assert loaded.snapshot is not None
        assert loaded.snapshot.sequence == one.sequence
        assert [r.sequence for r in await followed(log, Kind.QUEUE, queue.subject)] == [
            one.sequence
        ]
        assert begun in await followed(log, Kind.CHAMPIONSHIP)
        assert await log.tail(cup, 0) == [begun]
        assert connection.counters.errors == 0


async def test_the_tournament_service_keeps_championships_and_reads_results(
    server: NatsServer,
) -> None:
    table = Aggregate(Kind.TABLE, new_id())
    played = await stored(server, "table", table)
    async with connected("tournament", server) as connection:
        log, cup = JetStreamLog(connection), Aggregate(Kind.CHAMPIONSHIP, new_id())
        one = await append_once(log, cup, commit(cup), 0)
        assert [r.sequence for r in await log.tail(cup, 0)] == [one.sequence]
        assert one.sequence in [r.sequence for r in await followed(log, Kind.CHAMPIONSHIP)]
        assert await log.tail(table, 0) == [played]
        (await log.live(table, lambda _: None)).close()
        assert connection.counters.errors == 0


@pytest.mark.parametrize("user", ["archive", "deploy"])
async def test_archive_and_operators_read_all_histories(server: NatsServer, user: str) -> None:
    table = Aggregate(Kind.TABLE, new_id())
    played = await stored(server, "table", table)
    await stored(server, "tournament", Aggregate(Kind.CHAMPIONSHIP, new_id()))
    await stored(server, "matchmaking", Aggregate(Kind.QUEUE, new_id()))
    async with connected(user, server) as connection:
        log = JetStreamLog(connection)
        assert played in await followed(log, Kind.TABLE)
        assert await followed(log, Kind.CHAMPIONSHIP)
        assert await followed(log, Kind.QUEUE)
        if user == "archive":
            for kind in Kind:
                assert (await JetStreamLives(connection).life(kind)).last > 0
        else:
            assert (await log.load(table)).commits == [played]
        assert connection.counters.errors == 0


async def test_a_lost_log_is_filled_from_its_copy() -> None:
    """As `laelo log restore` does it, on a server that has nothing."""
    with log_server() as lost:
        async with connected("restore", lost) as connection:
            await ensure_streams(connection)
            for kind in Kind:
                aggregate, refill = Aggregate(kind, new_id()), Refill(connection, kind)
                life = await refill.begin(first=7)
                assert life.first == 7
                await refill.store([Recorded(7, aggregate.subject, commit(aggregate), 0)])
                await refill.drop_snapshots()
                newest = await JetStreamLog(connection).newest(aggregate)
                assert newest is not None
                assert newest.sequence == 7
            assert await JetStreamLog(connection).claim("CODE", b"table")
            await JetStreamClocks(connection).set(new_id(), 1, round(time.time() * 1000) + 60_000)
            assert connection.counters.errors == 0


async def test_whoever_follows_may_say_that_it_keeps_up(each: Asked) -> None:
    for stream in FOLLOWS[each.user]:
        assert await each.may_publish(f"$JS.FC.{stream}.consumer.reply")


# --- what is refused -------------------------------------------------------------------------


async def test_nobody_writes_but_the_owner(each: Asked) -> None:
    allowed = {subject for subject in ALL_WRITES if await each.may_publish(subject)}
    assert allowed == set(WRITES[each.user])


async def test_only_the_table_service_tells_of_commits_and_nobody_calls_a_turn(each: Asked) -> None:
    assert await each.may_publish("live.3.X") is (each.user == "table")
    assert not await each.may_publish("clk.due.X.1")


async def test_nobody_ends_changes_or_takes_away_a_stream(each: Asked) -> None:
    verbs = ["DELETE", "PURGE", "MSG.DELETE", "SNAPSHOT", "RESTORE", "PEER.REMOVE"]
    verbs += ["LEADER.STEPDOWN"] + ([] if each.user == "deploy" else ["CREATE", "UPDATE"])
    for verb in verbs:
        for stream in STREAMS:
            subject = f"$JS.API.STREAM.{verb}.{stream}"
            assert not await each.may_publish(subject), subject
    for subject in ("$JS.API.STREAM.CREATE.MINE", "$JS.API.ACCOUNT.PURGE.LAELO"):
        assert not await each.may_publish(subject), subject


async def test_nobody_reads_what_is_not_theirs(each: Asked) -> None:
    """By none of the ways into a stream: direct get, message get, consumers old and new."""
    mine = READS[each.user]
    follows = FOLLOWS[each.user]
    for stream, subject in [("TBL", "tbl.3.X.ev"), ("TRN", "trn.X.ev"), ("MMQ", "mmq.main.ev")]:
        ways = [
            (f"$JS.API.STREAM.MSG.GET.{stream}", False),
            (f"$JS.API.DIRECT.GET.{stream}", stream in mine and each.user != "archive"),
            (f"$JS.API.CONSUMER.CREATE.{stream}", False),
            (f"$JS.API.CONSUMER.CREATE.{stream}.mine", False),
            (f"$JS.API.CONSUMER.CREATE.{stream}.mine.{subject}", stream in follows),
            (f"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.mine", False),
            (f"$JS.API.CONSUMER.MSG.NEXT.{stream}.mine", False),
        ]
        for way, wanted in ways:
            assert await each.may_publish(way) is wanted, way


async def test_snapshots_are_read_by_who_keeps_them(each: Asked) -> None:
    for subject in ("snap.tbl.X", "snap.mmq.main", "snap.trn.X"):
        wanted = each.user == "deploy" or READS[each.user].get("SNAP") == subject
        assert await each.may_publish(f"$JS.API.DIRECT.GET.SNAP.{subject}") is wanted, subject
    assert not await each.may_publish("$JS.API.DIRECT.GET.SNAP")


async def test_only_the_table_service_takes_due_clocks(each: Asked) -> None:
    is_table = each.user == "table"
    for subject in ("$JS.API.CONSUMER.MSG.NEXT.CLOCK.clock", "$JS.ACK.CLOCK.clock.1.1.1.1.1"):
        assert await each.may_publish(subject) is is_table, subject
    assert not await each.may_publish("$JS.API.CONSUMER.DELETE.CLOCK.clock")
    assert not await each.may_publish("$JS.API.CONSUMER.CREATE.CLOCK.mine.clk.due.>")


async def test_nobody_listens_to_more_than_told(each: Asked) -> None:
    for subject in (*EVERYTHING, *EVERYTHING_ASKED):
        assert not await each.may_hear(subject), subject
    assert await each.may_hear("live.*.*") is (each.user in ("table", "tournament"))


async def test_an_inbox_is_its_owners_alone(each: Asked) -> None:
    for other in (*SERVICES, "deploy", "restore"):
        mine = other == each.user
        assert await each.may_hear(f"_INBOX.{other}.x.*") is mine
        assert await each.may_publish(f"_INBOX.{other}.x.1") is mine


async def test_a_hidden_hand_is_not_read_by_direct_get(server: NatsServer) -> None:
    """What would be read if a right on `$JS.API.>` were given, tried with the real code."""
    table = Aggregate(Kind.TABLE, new_id())
    await stored(server, "table", table)
    async with connected("matchmaking", server, request_s=0.2) as connection:
        with pytest.raises(Unavailable):
            await JetStreamLog(connection).tail(table, 0)
        assert connection.counters.errors == 1


async def test_what_is_asked_here_would_find_a_right_too_many() -> None:
    """The same questions under an archive that may do what the operators of many systems give."""
    with log_server(
        lambda accounts: accounts.replace('"$JS.FC.MMQ.>"', '"$JS.API.>", "tbl.>"')
    ) as own:
        async with connected("archive", own) as connection:
            asked = Asked("archive", connection)
            for subject in ("$JS.API.STREAM.DELETE.TBL", "$JS.API.DIRECT.GET.TBL", "tbl.3.X.ev"):
                assert await asked.may_publish(subject), subject


# --- who comes at all ------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["", "table:wrong@", "gateway:secret-of-gateway@"])
async def test_nobody_else_comes_in(server: NatsServer, who: str) -> None:
    url = server.url.replace("nats://", f"nats://{who}")
    with pytest.raises(Unavailable):
        await connect(NatsSettings((url,), connect_s=0.5))


async def test_who_runs_the_servers_sees_nothing_of_the_game(server: NatsServer) -> None:
    table = Aggregate(Kind.TABLE, new_id())
    async with connected("sys", server, request_s=0.2) as connection:
        heard: list[bytes] = []
        connection.wire.listen("tbl.>", lambda subject, *_: heard.append(subject))
        await connection.inbox.barrier()
        await stored(server, "table", table)
        await connection.inbox.barrier()
        assert heard == []
        with pytest.raises(Unavailable):
            await JetStreamLog(connection).tail(table, 0)


def test_the_deploy_step_says_what_is_wrong(
    server: NatsServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prepare.main({}) == prepare.MISCONFIGURED
    assert "LAELO_DEPLOY_NATS_URL is not set" in capsys.readouterr().err
    table = {"LAELO_DEPLOY_NATS_URL": url_of("table", server), "LAELO_DEPLOY_WITHIN_SECONDS": ".3"}
    assert prepare.main(table) == prepare.FAILED
    said = capsys.readouterr().err
    assert "cannot be prepared" in said
    assert "secret-of-table" not in said
