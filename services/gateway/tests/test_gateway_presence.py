"""The table service knows who is there: neither more nor fewer, whatever breaks."""

import json
import random

from laelo.table.v1 import table_pb2
from laelo_common.hashing import home_order
from laelo_gateway.testing.gateway import Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.tables import Replica, replicas


def addresses(started: list[Replica]) -> list[str]:
    return [replica.address for replica in started]


def home_first(table: str, started: list[Replica]) -> list[Replica]:
    named = {replica.address: replica for replica in started}
    return [named[address] for address in home_order(table, frozenset(named))]


def present(replica: Replica, table: str) -> set[str]:
    return {player for name, _, player in replica.present if name == table}


async def opened(gateway: Gateway, table: str, **options: object) -> Player:
    host = await gateway.join()
    await host.ask("table.create", table=table, d={"options": options})
    return host


async def test_a_person_is_there_from_the_first_socket_to_the_last(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        host = await opened(gateway, table_id)
        guest = await gateway.join()
        again = await gateway.join(token=guest.me["token"])
        for one in (guest, again):
            await one.ask("watch", table=table_id)
        both = {host.me["id"], guest.me["id"]}
        await eventually(lambda: present(started[0], table_id) == both)
        await guest.socket.close()
        # Told in order on one stream: had the person been taken for gone, it would be seen now.
        await host.ask("say", table=table_id, d={"phrase": "hello"})
        await eventually(lambda: len(gateway.sockets) == 2)
        await host.ask("say", table=table_id, d={"phrase": "hello"})
        assert present(started[0], table_id) == both
        await again.ask("unwatch", table=table_id)
        await eventually(lambda: present(started[0], table_id) == {host.me["id"]})
        await host.socket.close()
        await eventually(lambda: not started[0].present)
        assert not started[0].watchers[table_id]


async def test_random_comings_and_goings_end_in_the_truth(table_id: str) -> None:
    rng = random.Random(7)
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        host = await opened(gateway, table_id)
        people = [await gateway.join() for _ in range(3)]
        open_now: list[Player] = []
        for _ in range(60):
            if open_now and rng.random() < 0.45:
                await open_now.pop(rng.randrange(len(open_now))).socket.close()
            else:
                who = rng.choice(people)
                player = await gateway.join(token=who.me["token"])
                await player.send("watch", table=table_id)
                open_now.append(player)
        truth = {player.me["id"] for player in open_now} | {host.me["id"]}
        await eventually(lambda: present(started[0], table_id) == truth)


async def test_after_the_stream_came_back_all_is_told_again(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        host = await opened(gateway, table_id)
        guest = await gateway.join()
        await guest.ask("watch", table=table_id)
        port = int(started[0].address.rpartition(":")[2])
        await started[0].stop()
        await host.socket.close()
        await eventually(lambda: len(gateway.sockets) == 1)
        back = Replica(started[0].world)
        await back.start(port)
        try:
            await eventually(lambda: present(back, table_id) == {guest.me["id"]})
        finally:
            await back.stop()


async def test_nobody_is_left_at_a_replica_that_stood_in(table_id: str) -> None:
    """The home was silent for a while, so others were asked to show the table, too."""
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        host = await opened(gateway, table_id)
        home, other = home_first(table_id, started)
        home.is_silent = True
        guest = await gateway.join()
        await guest.ask("watch", table=table_id)
        assert guest.me["id"] in present(other, table_id)
        home.is_silent = False
        for player in (guest, host):
            await player.socket.close()
        await eventually(lambda: not home.present and not other.present)


async def test_who_left_before_the_answer_is_not_brought_back(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        await opened(gateway, table_id)
        home, other = home_first(table_id, started)
        home.is_silent = True
        guest = await gateway.join()
        await guest.send("watch", table=table_id)
        watching = [table_pb2.KIND_WATCH]
        await eventually(
            lambda: [c.kind for c in home.seen if c.player == guest.me["id"]] == watching
        )
        await guest.socket.close()
        # The question goes on to the other replica, which thinks that somebody came.
        await eventually(lambda: any(c.player == guest.me["id"] for c in other.seen))
        await eventually(lambda: guest.me["id"] not in present(other, table_id))


async def test_a_closed_table_is_told_and_then_forgotten(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        host = await opened(gateway, table_id)
        guest = await gateway.join()
        await guest.ask("watch", table=table_id)
        closed = await host.ask("table.close", table=table_id)
        assert closed["t"] == "event"
        await guest.reach(2)
        await eventually(lambda: len(gateway.house.hub) == 0 and not started[0].present)
        # A ping that still names it does not wake it; who looks on purpose sees it once more.
        part = {"client": 1, "have": [{"table": table_id, "seq": 1}]}
        await guest.socket.send(json.dumps({"t": "ping", "d": part}))
        await guest.next(lambda frame: frame["t"] == "pong")
        assert len(gateway.house.hub) == 0
        assert (await guest.ask("watch", table=table_id))["t"] == "snapshot"
        await eventually(lambda: len(gateway.house.hub) == 0 and not started[0].present)
        assert (await guest.ask("table.sit", table=table_id))["d"]["code"] == "TABLE_CLOSED"
