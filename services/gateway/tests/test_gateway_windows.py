"""Of a person's windows the newest has the seat, and the older one is told so."""

from typing import Any

import pytest
from laelo.table.v1 import table_pb2
from laelo_common.ids import new_id
from laelo_gateway.testing.gateway import Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.tables import Replica, replicas
from websockets.exceptions import ConnectionClosed

UNWATCH = table_pb2.KIND_UNWATCH


def addresses(started: list[Replica]) -> list[str]:
    return [replica.address for replica in started]


async def opened(gateway: Gateway, table: str, window: str = "w1", **options: Any) -> Player:
    host = await gateway.join(window=window)
    await host.ask("table.create", table=table, d={"options": options})
    return host


async def assert_taken(player: Player, table: str) -> None:
    """It is told, and then closed."""
    notice = await player.next(lambda frame: frame["t"] == "notice")
    assert (notice["d"], notice["table"]) == ({"kind": "taken"}, table)
    with pytest.raises(ConnectionClosed) as closed:
        await player.next(lambda _: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4003
    assert closed.value.rcvd.reason


async def test_a_newer_window_takes_the_seat(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        old = await opened(gateway, table_id)
        new = await gateway.join(token=old.me["token"], window="w2")
        assert (await new.ask("watch", table=table_id))["d"] == {"me": 0}
        await assert_taken(old, table_id)
        assert started[0].world.tables[table_id].windows[0] == "w2"
        assert (await new.ask("say", table=table_id, d={"phrase": "hello"}))["t"] == "ack"


async def test_it_is_told_through_another_gateway_too(table_id: str) -> None:
    async with (
        replicas(2) as started,
        gateway_of(addresses(started)) as one,
        gateway_of(addresses(started)) as two,
    ):
        two.people.people = one.people.people
        old = await opened(one, table_id)
        new = await two.join(token=old.me["token"], window="w2")
        await new.ask("watch", table=table_id)
        await assert_taken(old, table_id)


async def test_an_old_window_that_only_reconnects_does_not_take_it_back(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        old = await opened(gateway, table_id)
        await old.socket.close()
        new = await gateway.join(token=old.me["token"], window="w2")
        await new.ask("watch", table=table_id)
        back = await gateway.join(
            token=old.me["token"], window="w1", resume=[{"table": table_id, "seq": 1}]
        )
        await assert_taken(back, table_id)
        assert started[0].world.tables[table_id].windows[0] == "w2"
        await new.ask("say", table=table_id, d={"phrase": "hello"})


async def test_play_here_takes_it_back(table_id: str) -> None:
    """Also when the client says, as always, what it holds."""
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        old = await opened(gateway, table_id)
        new = await gateway.join(token=old.me["token"], window="w2")
        await new.ask("watch", table=table_id)
        await assert_taken(old, table_id)
        back = await gateway.join(
            token=old.me["token"], window="w1", resume=[{"table": table_id, "seq": 1}]
        )
        await back.ask("watch", table=table_id)
        await assert_taken(new, table_id)
        await back.ask("say", table=table_id, d={"phrase": "hello"})


async def test_the_same_window_comes_back_without_a_word(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        first = await opened(gateway, table_id)
        again = await gateway.join(
            token=first.me["token"], window="w1", resume=[{"table": table_id, "seq": 1}]
        )
        await again.ask("sync", table=table_id, seq=1)
        assert started[0].world.tables[table_id].seq == 1
        assert not [frame for frame in again.frames if frame["t"] == "notice"]


async def test_when_replicas_change_no_window_takes_the_seat_from_another(table_id: str) -> None:
    """Everything is watched again, by old and new windows alike: that must claim nothing."""
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        old = await opened(gateway, table_id)
        seq = started[0].world.tables[table_id].seq
        port = int(started[0].address.rpartition(":")[2])
        await started[0].stop()
        back = Replica(started[0].world)
        back.world.tables[table_id].windows[0] = "w2"
        await back.start(port)
        try:
            await assert_taken(old, table_id)
            assert back.world.tables[table_id].windows[0] == "w2"
            assert back.world.tables[table_id].seq == seq
        finally:
            await back.stop()


async def test_clients_without_windows_are_left_alone(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        first = await opened(gateway, table_id, window="")
        second = await gateway.join(token=first.me["token"])
        await second.ask("watch", table=table_id)
        await second.ask("say", table=table_id, d={"phrase": "hello"})
        await first.next(lambda frame: frame["t"] == "said")
        assert len(gateway.sockets) == 2


async def test_who_leaves_a_table_without_spectators_hears_just_that(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        host = await opened(gateway, table_id, spectators=False)
        guest = await gateway.join()
        await guest.ask("table.sit", table=table_id)
        await host.reach(2)
        assert (await guest.ask("table.leave", table=table_id))["t"] == "ack"
        await host.reach(3)
        await eventually(lambda: len([c for c in started[0].seen if c.kind == UNWATCH]) >= 1)
        # Whatever the table was asked for the guest is answered before this is.
        other = new_id()
        await guest.ask("watch", table=other)
        nacks = [frame["table"] for frame in guest.frames if frame["t"] == "nack"]
        assert nacks == [other]
        await eventually(lambda: {p for _, _, p in started[0].present} == {host.me["id"]})


async def test_who_is_kicked_out_of_a_table_without_spectators_is_told(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        host = await opened(gateway, table_id, spectators=False)
        guest = await gateway.join()
        await guest.ask("table.sit", table=table_id)
        await host.ask("table.kick", table=table_id, d={"seat": 1})
        nack = await guest.next(lambda frame: frame["t"] == "nack")
        assert (nack["d"]["code"], nack["table"]) == ("NOT_SEATED", table_id)
        assert "re" not in nack
