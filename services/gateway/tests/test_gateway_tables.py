"""Commands, frames and answers over real sockets and real gRPC."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.errors import Code
from laelo_common.hashing import home_order
from laelo_common.ids import new_id
from laelo_common.metrics import Counter, Metrics
from laelo_common.telemetry import Telemetry
from laelo_gateway.adapters.addresses import Addresses
from laelo_gateway.testing.gateway import Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.tables import Replica, replicas

PLAY: dict[str, Any] = {"tile": [3, 4], "end": "left", "turn": 1, "fence": 1}


def addresses(started: list[Replica]) -> list[str]:
    return [replica.address for replica in started]


def by_home(table: str, started: list[Replica]) -> list[Replica]:
    """The replicas in the order in which they are asked about the table."""
    named = {replica.address: replica for replica in started}
    return [named[address] for address in home_order(table, frozenset(named))]


async def seated(gateway: Gateway, table: str, number: int = 4) -> list[Player]:
    """So many players at a new table."""
    players = [await gateway.join() for _ in range(number)]
    await players[0].ask("table.create", table=table)
    for player in players[1:]:
        await player.ask("table.sit", table=table)
    for player in players:
        await player.ask("sync", table=table, seq=number)
    return players


def assert_dense(player: Player, first: int, last: int) -> None:
    """Each event from `first` to `last` came once, in order."""
    assert [seq for seq in player.events() if seq >= first] == list(range(first, last + 1))


async def test_a_move_reaches_all_four_and_answers_its_sender(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)
        answer = await players[2].ask("play", table=table_id, d=PLAY)
        assert (answer["t"], answer["seq"]) == ("event", 5)
        for player in players:
            await player.reach(5)
            assert_dense(player, 5, 5)
        others = [player.frames[-1] for player in players if player is not players[2]]
        assert all("re" not in frame for frame in others)


async def test_each_seat_gets_the_frame_meant_for_it(table_id: str) -> None:
    """Seat seq mod 4 is on turn: it alone sees the frame for it, spectators never do."""
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)
        watcher, tab = await gateway.join(), await gateway.join(token=players[1].me["token"])
        for other in (watcher, tab):
            await other.ask("watch", table=table_id)
        for seq in range(5, 9):
            await players[0].ask("play", table=table_id, d=PLAY)
            for seat, player in [*enumerate(players), (1, tab), (4, watcher)]:
                await player.reach(seq)
                events = player.frames[-1]["d"]["events"]
                assert events[0]["what"] == ("yours" if seat == seq % 4 else "theirs")


async def test_a_command_sent_twice_is_done_once_and_answered_both_times(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        first, second = await seated(gateway, table_id, 2)
        await first.ask("play", table=table_id, d=PLAY, id="same")
        again = await first.ask("play", table=table_id, d=PLAY, id="same")
        assert (again["t"], again["table"]) == ("ack", table_id)
        other = await second.ask("play", table=table_id, d=PLAY, id="same")
        assert other["t"] == "event"
        assert started[0].world.tables[table_id].seq == 4


async def test_a_refusal_is_passed_on_word_for_word(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player, _ = await seated(gateway, table_id, 2)
        started[0].world.refuse[table_pb2.KIND_PLAY] = ("STALE_TURN", "that turn is over")
        answer = await player.ask("play", table=table_id, d=PLAY)
        assert answer["t"] == "nack"
        assert answer["d"] == {"code": "STALE_TURN", "reason": "that turn is over"}
        assert (answer["table"], answer["seq"]) == (table_id, 2)


async def test_an_unknown_table_is_not_watched(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player = await gateway.join()
        answer = await player.ask("watch", table=table_id)
        assert answer["d"]["code"] == "UNKNOWN_TABLE"
        assert len(gateway.house.hub) == 0


async def test_who_watches_no_more_costs_nothing_more(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id, 2)
        assert (await players[0].ask("unwatch", table=table_id))["t"] == "ack"
        await players[1].socket.close()
        await eventually(lambda: len(gateway.house.hub) == 0)
        await eventually(lambda: not started[0].watchers[table_id])


async def test_a_silent_home_is_passed_over_with_the_same_command(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)
        home, other = by_home(table_id, started)
        home.is_silent = True
        answer = await players[0].ask("play", table=table_id, d=PLAY, id="once")
        assert (answer["t"], answer["seq"]) in (("ack", 5), ("event", 5))
        sent = f"{players[0].me['id']}-once"
        assert all(any(c.command == sent for c in replica.seen) for replica in (home, other))
        for player in players:
            await player.reach(5)
            assert_dense(player, 5, 5)


async def test_where_a_replica_fails_another_is_asked_with_the_same_command(table_id: str) -> None:
    """An older release may not know an event that a newer one has stored."""
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)
        home, other = by_home(table_id, started)
        home.is_lost = True
        answer = await players[0].ask("play", table=table_id, d=PLAY, id="once")
        assert (answer["t"], answer["seq"]) in (("ack", 5), ("event", 5))
        late = await gateway.join()
        assert (await late.ask("watch", table=table_id))["t"] == "snapshot"
        other.is_lost = True
        refused = await players[0].ask("play", table=table_id, d=PLAY, id="twice")
        assert refused["d"]["code"] == Code.INTERNAL


async def test_a_killed_home_loses_and_doubles_nothing(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)
        home, _ = by_home(table_id, started)
        for seq in range(5, 40):
            if seq == 20:
                home.is_silent = True
                sent = [await player.send("play", table=table_id, d=PLAY) for player in players]
                await eventually(lambda: any(c.kind == table_pb2.KIND_PLAY for c in home.seen))
                await home.stop()
                for player, re in zip(players, sent, strict=True):
                    await player.answer(re)
            else:
                await players[seq % 4].ask("play", table=table_id, d=PLAY)
        last = started[0].world.tables[table_id].seq
        assert last == 4 + 34 + 4
        for player in players:
            await player.reach(last)
            assert_dense(player, 5, last)


async def test_a_home_that_comes_back_is_watched_again(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)
        home, other = by_home(table_id, started)
        port = int(home.address.rpartition(":")[2])
        await home.stop()
        await eventually(lambda: table_id in other.watchers and other.watchers[table_id])
        back = Replica(home.world)
        await back.start(port)
        try:
            await eventually(lambda: back.watchers.get(table_id))
            await eventually(lambda: not other.watchers[table_id])
            for _ in range(3):
                await players[0].ask("play", table=table_id, d=PLAY)
            for player in players:
                await player.reach(7)
                assert_dense(player, 5, 7)
        finally:
            await back.stop()


async def test_a_replica_that_serves_no_more_is_left_before_it_dies(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        await seated(gateway, table_id)
        home, other = by_home(table_id, started)
        await home.serve(False)
        await eventually(lambda: gateway.link.ready == {other.address})
        await eventually(lambda: other.watchers.get(table_id))


async def test_without_any_replica_a_command_is_answered_try_later(table_id: str) -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.join()
        answer = await player.ask("table.create", table=table_id)
        assert answer["d"]["code"] == Code.TRY_LATER
        assert len(gateway.house.hub) == 0


async def test_watchers_hear_that_their_table_is_lost_and_back(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player, _ = await seated(gateway, table_id, 2)
        port = int(started[0].address.rpartition(":")[2])
        await started[0].stop()
        answer = await player.ask("play", table=table_id, d=PLAY)
        assert answer["d"]["code"] == Code.TRY_LATER
        back = Replica(started[0].world)
        await back.start(port)
        try:
            await eventually(lambda: back.watchers.get(table_id))
            await player.ask("play", table=table_id, d=PLAY)
            await player.reach(3)
            assert_dense(player, 3, 3)
        finally:
            await back.stop()


async def test_lost_pushes_are_found_by_the_check(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id, 2)
        started[0].loses_pushes = True
        assert (await players[0].ask("play", table=table_id, d=PLAY))["t"] == "ack"
        started[0].loses_pushes = False
        for _ in range(2):
            gateway.house.hub.check()
        for player in players:
            await player.reach(3)
            assert_dense(player, 3, 3)


async def test_a_gap_in_the_pushes_is_closed_at_once(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id, 2)
        started[0].loses_pushes = True
        await players[0].ask("play", table=table_id, d=PLAY)
        started[0].loses_pushes = False
        await players[0].send("play", table=table_id, d=PLAY)
        for player in players:
            await player.reach(4)
            assert_dense(player, 3, 4)


async def test_a_client_that_lacks_frames_gets_them_after_its_ping(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player, other = await seated(gateway, table_id, 2)
        for _ in range(3):
            await other.ask("play", table=table_id, d=PLAY)
        await player.reach(5)
        for connection in gateway.sockets._open:
            for held in connection.tables.values():
                held.marked = held.seq
        player.frames.clear()
        have = [{"table": table_id, "seq": 2}]
        await player.socket.send(json.dumps({"t": "ping", "d": {"client": 7.5, "have": have}}))
        pong = await player.next(lambda frame: frame["t"] == "pong")
        assert pong["d"] == {"client": 7.5}
        await player.reach(5)
        assert_dense(player, 3, 5)


async def test_resume_brings_what_was_missed(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player, other = await seated(gateway, table_id, 2)
        await player.socket.close()
        for _ in range(3):
            await other.ask("play", table=table_id, d=PLAY)
        back = await gateway.join(token=player.me["token"], resume=[{"table": table_id, "seq": 2}])
        await back.reach(5)
        assert back.events() == [3, 4, 5]


async def test_who_takes_a_seat_in_one_tab_sees_it_in_the_other(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        host = await gateway.join()
        await host.ask("table.create", table=table_id)
        one = await gateway.join()
        two = await gateway.join(token=one.me["token"])
        assert (await two.ask("watch", table=table_id))["d"] == {}
        await one.ask("table.sit", table=table_id)
        snapshot = await two.next(lambda frame: frame["t"] == "snapshot")
        assert snapshot["d"] == {"me": 1}


async def test_one_client_watches_only_so_many_tables() -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player, host = await gateway.join(), await gateway.join()
        tables, ninth = [new_id() for _ in range(8)], new_id()
        for table in tables:
            assert (await player.ask("table.create", table=table))["t"] == "snapshot"
        await host.ask("table.create", table=ninth)
        for kind, table in (("watch", ninth), ("table.sit", ninth), ("table.create", new_id())):
            answer = await player.ask(kind, table=table)
            assert (answer["t"], answer["table"]) == ("nack", table), kind
            assert answer["d"]["code"] == Code.BAD_REQUEST
            assert "unwatch" in answer["d"]["reason"]
        assert set(started[0].world.tables) == {*tables, ninth}
        assert len(gateway.house.hub) == 9
        assert (await player.ask("table.sit", table=tables[7]))["t"] != "nack", "watched already"
        await player.ask("unwatch", table=tables[0])
        assert (await player.ask("table.sit", table=ninth))["t"] == "snapshot"


@pytest.mark.parametrize("rounds", [30])
async def test_commands_of_all_at_once_reach_all_in_order(table_id: str, rounds: int) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await seated(gateway, table_id)

        async def move(player: Player) -> None:
            for _ in range(rounds):
                await player.ask("play", table=table_id, d=PLAY)

        await asyncio.gather(*(move(player) for player in players))
        last = 4 + 4 * rounds
        for player in players:
            await player.reach(last)
            assert_dense(player, 5, last)


async def test_call_by_call_it_means_the_same(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started), unary=True) as gateway:
        players = await seated(gateway, table_id)
        for seq in range(5, 12):
            answer = await players[seq % 4].ask("play", table=table_id, d=PLAY)
            assert (answer["t"], answer["seq"]) == ("ack", seq)
        for seat, player in enumerate(players):
            # Each viewer's stream has its own pace: where they overtake one another, a
            # snapshot stands for the events between.
            await player.reach(11)
            shown = [f["seq"] for f in player.frames if f["t"] in ("event", "snapshot")]
            assert shown == sorted(shown)
            assert len(player.events()) == len(set(player.events()))
            own = [f["seq"] for f in player.frames if '"yours"' in json.dumps(f)]
            assert all(seq % 4 == seat for seq in own)


class Traces:
    """An exporter that makes spans with one traceparent."""

    recorded = dropped = Counter()

    def __init__(self) -> None:
        self.begun: list[Begun] = []

    def begin(
        self, name: str, parent: str, links: Sequence[str], attributes: Mapping[str, Any]
    ) -> "Begun":
        assert (name, parent, links) == ("gateway.command", "", ())
        assert attributes == {"frame": "CreateFrame"}
        self.begun.append(Begun())
        return self.begun[-1]

    def export(self, metrics: Metrics) -> None:
        pass

    def stop(self) -> None:
        pass


class Begun:
    """A span that notes whether it was ended."""

    traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    def __init__(self) -> None:
        self.ends: list[str] = []

    def end(self, fault: str = "") -> None:
        self.ends.append(fault)


@pytest.mark.parametrize(("ratio", "trace"), [(1.0, Begun.traceparent), (0.0, "")])
async def test_whether_a_command_is_traced_is_decided_here(
    table_id: str, ratio: float, trace: str
) -> None:
    traces = Traces()
    telemetry = Telemetry(traces, ratio)
    async with (
        replicas(1) as started,
        gateway_of(addresses(started), telemetry=telemetry) as gateway,
    ):
        player = await gateway.join()
        await player.ask("table.create", table=table_id)
        assert started[0].seen[0].trace == trace
    assert [span.ends for span in traces.begun] == ([[""]] if trace else [])


async def test_a_name_that_cannot_be_resolved_keeps_its_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Addresses(["127.0.0.1:7"])
    assert await found.resolve() == {"127.0.0.1:7"}

    async def fails(*_: object) -> frozenset[str]:
        raise OSError("no such name")

    monkeypatch.setattr("laelo_gateway.adapters.addresses._lookup", fails)
    assert await found.resolve() == {"127.0.0.1:7"}


@pytest.mark.parametrize("name", ["host", "host:", ":7", "host:port"])
def test_what_is_no_address_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        Addresses([name])
