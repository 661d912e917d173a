"""Ways to a table: by its code, or to any that waits."""

import asyncio
from typing import Any

import httpx
import pytest
from laelo.table.v1 import table_pb2
from laelo_common.ids import new_id
from laelo_gateway import quick
from laelo_gateway.limits import Limits
from laelo_gateway.testing.gateway import Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.tables import Replica, code_of, replicas


def addresses(started: list[Replica]) -> list[str]:
    return [replica.address for replica in started]


async def opened(gateway: Gateway, table: str, seats: int = 1, **options: Any) -> list[Player]:
    players = [await gateway.join() for _ in range(seats)]
    await players[0].ask("table.create", table=table, d={"options": options})
    for player in players[1:]:
        await player.ask("table.sit", table=table)
    return players


async def get(gateway: Gateway, code: str, address: str = "") -> httpx.Response:
    headers = {"x-forwarded-for": address} if address else {}
    async with httpx.AsyncClient(trust_env=False) as browser:
        return await browser.get(
            f"http://127.0.0.1:{gateway.port}/api/tables/{code}", headers=headers
        )


async def test_a_code_is_found_however_it_is_written(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        await opened(gateway, table_id, move_seconds=30, level="random")
        code = code_of(table_id)
        player = await gateway.join()
        written = f" {code[:3].lower()} - {code[3:]}"
        answer = await player.ask("table.find", d={"code": written})
        found = {"table": table_id, "free": 3, "options": {"move_seconds": 30, "level": "random"}}
        assert (answer["t"], answer["d"]) == ("ack", {"found": found})
        shown = await get(gateway, written.replace(" ", "%20"))
        assert (shown.status_code, shown.json()) == (200, found)
        assert shown.headers["cache-control"] == "no-store"


async def test_what_is_no_code_is_explained() -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player = await gateway.join()
        answer = await player.ask("table.find", d={"code": "O0I1"})
        assert answer["d"]["code"] == "BAD_REQUEST"
        assert "without O and I" in answer["d"]["reason"]
        shown = await get(gateway, "O0I1")
        assert (shown.status_code, shown.json()) == (400, answer["d"])


async def test_unknown_closed_and_full_private_codes_answer_alike() -> None:
    full, closed, public = new_id(), new_id(), new_id()
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        seated = await opened(gateway, full, seats=4)
        await (await opened(gateway, closed))[0].ask("table.close", table=closed)
        await opened(gateway, public, seats=4, public=True)
        stranger = await gateway.join()
        for code in (code_of(full), code_of(closed), "ZZZZZ9"):
            answer = await stranger.ask("table.find", d={"code": code})
            shown = await get(gateway, code)
            assert shown.status_code == 404
            assert shown.json() == answer["d"]
            reason = answer["d"]["reason"].replace(code, "…")
            assert (answer["d"]["code"], reason) == (
                "UNKNOWN_TABLE",
                "there is no table with the code …, or no free seat at it",
            )
        assert (await get(gateway, code_of(public))).json()["free"] == 0
        # Who sits there finds it, with and without a look at it from here.
        watching, away = seated[1], seated[2]
        assert (await watching.ask("table.find", d={"code": code_of(full)}))["t"] == "ack"
        await away.ask("unwatch", table=full)
        assert (await away.ask("table.find", d={"code": code_of(full)}))["t"] == "ack"
        await eventually(lambda: away.me["id"] not in {p for _, _, p in started[0].present})
        gone = code_of(full)
        for player in seated:
            await player.socket.close()
        back = await gateway.join(token=away.me["token"])
        assert (await back.ask("table.find", d={"code": gone}))["d"]["found"]["table"] == full
        await eventually(lambda: not started[0].watchers[full])


async def test_lookups_are_limited_by_address_and_person(table_id: str) -> None:
    limits = Limits(code_rate=0.001, code_burst=30)
    async with replicas(1) as started, gateway_of(addresses(started), limits=limits) as gateway:
        await opened(gateway, table_id)
        codes = [code_of(table_id)] * 31
        there = [await get(gateway, code, "10.0.0.1") for code in codes]
        assert [answer.status_code for answer in there] == [200] * 30 + [429]
        assert there[-1].json()["code"] == "TOO_FAST"
        assert there[-1].headers["retry-after"]
        assert (await get(gateway, codes[0], "10.0.0.2, 10.0.0.1")).status_code == 429
        assert (await get(gateway, codes[0], "10.0.0.1, 10.0.0.2")).status_code == 200
        player = await gateway.join()
        answers = [await player.ask("table.find", d={"code": codes[0]}) for _ in range(25)]
        assert answers[0]["t"] == "ack"
        assert answers[-1]["d"]["code"] == "TOO_FAST"


async def test_without_tables_a_lookup_is_to_be_tried_later() -> None:
    async with gateway_of([]) as gateway:
        player = await gateway.join()
        assert (await player.ask("table.find", d={"code": "ABCDEF"}))["d"]["code"] == "TRY_LATER"
        assert (await get(gateway, "ABCDEF")).status_code == 503
        assert (await player.ask("table.quick", table=new_id()))["d"]["code"] == "TRY_LATER"


async def test_quick_play_goes_where_somebody_waits(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        [host] = await opened(gateway, table_id, public=True)
        player = await gateway.join(window="w7")
        answer = await player.ask("table.quick", table=new_id())
        assert answer["d"]["found"] == {"table": table_id, "free": 2, "options": {"public": True}}
        assert answer["d"]["seat"] == 1
        assert (await player.ask("watch", table=table_id))["d"] == {"me": 1}
        await host.reach(2)
        assert started[0].world.tables[table_id].windows == ["", "w7", "", ""]


async def test_quick_play_opens_a_table_that_starts_in_time(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player = await gateway.join()
        answer = await player.ask("table.quick", table=table_id)
        options = started[0].world.tables[table_id].options
        assert answer["d"]["found"]["table"] == table_id
        assert answer["d"]["seat"] == 0
        assert (options.public, options.spectators, options.start_seconds) == (True, True, 8)


async def test_quick_play_tries_three_tables_and_then_opens_one(table_id: str) -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        full = [new_id() for _ in range(4)]
        for name in full:
            await opened(gateway, name, seats=4)
        started[0].world.outdated = full
        player = await gateway.join()
        answer = await player.ask("table.quick", table=table_id)
        assert answer["d"]["found"]["table"] == table_id
        sits = [c for c in started[0].seen if c.player == player.me["id"]]
        # First of all at its own, where an earlier try may have sat down.
        assert [c.table for c in sits] == [table_id, *full[:3], table_id]
        assert [c.kind for c in sits] == [table_pb2.KIND_SIT] * 4 + [table_pb2.KIND_OPEN]


async def test_quick_play_asked_again_is_one_seat() -> None:
    """The same frame, twice at once and once more from a new connection."""
    waiting, own = new_id(), new_id()
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        await opened(gateway, waiting, public=True)
        player = await gateway.join()
        for _ in range(2):
            await player.send("table.quick", table=own, id="quick")
        first, second = await player.answer("quick"), await player.answer("quick")
        back = await gateway.join(token=player.me["token"])
        third = await back.ask("table.quick", table=own, id="quick")
        assert {a["d"]["found"]["table"] for a in (first, second, third)} == {waiting}
        assert started[0].world.tables[waiting].players.count(player.me["id"]) == 1
        assert own not in started[0].world.tables


async def test_quick_play_asked_again_of_another_gateway_finds_the_table_that_was_opened() -> None:
    """It is full by now, and somebody waits elsewhere."""
    own, elsewhere = new_id(), new_id()
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player = await gateway.join()
        first = await player.ask("table.quick", table=own, id="quick")
        for _ in range(3):
            await (await gateway.join()).ask("table.sit", table=own)
        await opened(gateway, elsewhere, public=True)
        gateway.house.quick._searches.clear()
        again = await player.ask("table.quick", table=own, id="quick")
        assert first["d"]["found"]["table"] == again["d"]["found"]["table"] == own
        assert again["d"]["seat"] == 0
        assert player.me["id"] not in started[0].world.tables[elsewhere].players


async def test_quick_play_that_failed_goes_on_where_it_was() -> None:
    """A seat may have been taken though nobody heard the answer."""
    waiting, own = new_id(), new_id()
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        await opened(gateway, waiting, public=True)
        player = await gateway.join()
        started[0].world.refuse[table_pb2.KIND_SIT] = ("TRY_LATER", "the log is out of reach")
        failed = await player.ask("table.quick", table=own, id="quick")
        assert failed["d"]["code"] == "TRY_LATER"
        started[0].world.refuse.clear()
        await opened(gateway, new_id(), public=True)
        answer = await player.ask("table.quick", table=own, id="quick")
        assert answer["d"]["found"]["table"] == waiting


async def test_quick_play_does_not_wait_for_a_list(
    table_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list that does not come leaves time enough to be at a table within 10 s."""
    monkeypatch.setattr(quick, "LIST_SECONDS", 0.05)

    async def never(*_: object) -> table_pb2.ListWaitingResponse:
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(Replica, "ListWaiting", never)
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player = await gateway.join()
        answer = await player.ask("table.quick", table=table_id)
        assert answer["d"]["found"]["table"] == table_id
    assert quick.LIST_SECONDS + quick.START_SECONDS < 10


async def test_nobody_opens_tables_without_end() -> None:
    async with replicas(1) as started, gateway_of(addresses(started)) as gateway:
        player = await gateway.join()
        answers = [await player.ask("table.quick", table=new_id()) for _ in range(8)]
        refused = [a["d"]["code"] for a in answers if a["t"] == "nack"]
        assert answers[0]["t"] == "ack"
        assert refused
        assert set(refused) == {"TOO_FAST"}


async def test_new_guests_of_one_address_are_limited_and_old_ones_are_not() -> None:
    limits = Limits(guest_rate=0.001, guest_burst=3)
    here, there = {"X-Forwarded-For": "10.0.0.1"}, {"X-Forwarded-For": "10.0.0.2"}

    async def hello(gateway: Gateway, headers: dict[str, str], **hello: Any) -> dict[str, Any]:
        player = await gateway.connect(additional_headers=headers)
        return await player.ask("hello", d={"proto": 1, **hello})

    async with gateway_of([], limits=limits) as gateway:
        made = [await hello(gateway, here) for _ in range(4)]
        assert [frame["t"] for frame in made] == ["welcome"] * 3 + ["nack"]
        assert made[3]["d"]["code"] == "TOO_FAST"
        token = made[0]["d"]["me"]["token"]
        back = [await hello(gateway, here, token=token) for _ in range(20)]
        assert {frame["t"] for frame in back} == {"welcome"}
        assert (await hello(gateway, here, token="no such token"))["t"] == "nack"
        assert (await hello(gateway, there))["t"] == "welcome"


async def test_all_connections_of_a_person_share_one_allowance() -> None:
    limits = Limits(rate=0.001, burst=20)
    async with gateway_of([], limits=limits) as gateway:
        one = await gateway.join()
        two = await gateway.join(token=one.me["token"])
        ping = '{"t":"ping","d":{"client":1}}'
        for _ in range(15):
            await one.socket.send(ping)
            await two.socket.send(ping)
        nack = await two.next(lambda frame: frame["t"] == "nack")
        assert nack["d"]["code"] == "TOO_FAST"
        other = await gateway.join()
        await other.socket.send(ping)
        assert await other.next(lambda frame: frame["t"] == "pong")


async def test_a_new_page_is_told_to_clients_of_the_old_one(tmp_path: Any) -> None:
    (tmp_path / "index.html").write_text("old")
    version = tmp_path / "version.json"
    version.write_text('{"build": "one"}')
    async with gateway_of([], dist=tmp_path) as gateway:
        old, bot = await gateway.join(build="one"), await gateway.join()
        builds = gateway.house.builds
        assert not builds.look()
        version.write_text('{"build": ')
        assert not builds.look()
        version.write_text('{"build": "two"}')
        assert builds.look()
        assert not builds.look()
        new = await gateway.join(build="two")
        gateway.sockets.say_new_build(builds.name)
        assert (await old.next(lambda f: f["t"] == "notice"))["d"] == {"kind": "new_build"}
        for other in (bot, new):
            await other.socket.send('{"t":"ping","d":{"client":1}}')
            await other.next(lambda frame: frame["t"] == "pong")
            assert not [frame for frame in other.frames if frame["t"] == "notice"]


async def test_frames_without_a_number_are_passed_on(table_id: str) -> None:
    async with replicas(2) as started, gateway_of(addresses(started)) as gateway:
        players = await opened(gateway, table_id, seats=3)
        watcher = await gateway.join()
        await watcher.ask("watch", table=table_id)
        counted = await watcher.next(lambda frame: frame["t"] == "watching")
        assert counted["d"]["count"] == 4
        said = await players[1].ask("say", table=table_id, d={"phrase": "well_played"})
        assert said["t"] == "ack"
        for player in (*players, watcher):
            frame = next((f for f in player.frames if f["t"] == "said"), None) or (
                await player.next(lambda f: f["t"] == "said")
            )
            assert frame["d"] == {"seat": 1, "phrase": "well_played"}
        await players[0].ask("play", table=table_id, d={"tile": [3, 4], "turn": 1, "fence": 1})
        for player in (*players, watcher):
            await player.reach(4)
