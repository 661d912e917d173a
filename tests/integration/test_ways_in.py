"""How people come to a table, are there, and are gone: all services, two gateways."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest
from laelo_common.ids import new_id
from laelo_gateway.testing.gateway import Player
from laelo_tools.platform import Options, Platform
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

pytestmark = pytest.mark.integration

Frame = dict[str, Any]


class House:
    """All services, and people who come to either gateway."""

    def __init__(self, platform: Platform, stack: AsyncExitStack) -> None:
        self.platform = platform
        self._stack = stack

    async def join(self, gateway: int = 1, **hello: Any) -> Player:
        """Somebody who is welcome; the database may be ready a moment after the gateway."""
        url = f"ws://{self.platform.addresses[f'gateway-{gateway}']}/ws"
        socket = await self._stack.enter_async_context(connect(url, proxy=None, max_queue=None))
        player = Player(socket)
        while (answer := await player.ask("hello", d={"proto": 1, **hello}))["t"] == "nack":
            assert answer["d"]["code"] == "TRY_LATER"
        player.me = answer["d"]["me"]
        return player

    async def get(self, code: str) -> httpx.Response:
        """Look a code up over HTTP."""
        async with httpx.AsyncClient(trust_env=False) as browser:
            return await browser.get(f"{self.platform.url}/api/tables/{code}")


@asynccontextmanager
async def house(**table: str) -> AsyncIterator[House]:
    env = {"table": {f"LAELO_TABLE_{name}": value for name, value in table.items()}}
    options = Options(port=0, pause_ms=100, bot_delay_ms="0", gateways=2, env=env)
    async with Platform(options) as platform, AsyncExitStack() as stack:
        yield House(platform, stack)


async def seat_event(player: Player, seat: int, **who: Any) -> Frame:
    """The next event that shows a seat like this."""

    def shows(frame: Frame) -> bool:
        return frame["t"] == "event" and any(
            event["k"] == "seat"
            and event["seat"] == seat
            and all(event["who"].get(name, False) == value for name, value in who.items())
            for event in frame["d"]["events"]
        )

    return await player.next(shows)


async def test_a_table_is_found_by_its_code_until_it_is_closed() -> None:
    async with house() as here:
        host, table = await here.join(), new_id()
        created = await host.ask(
            "table.create", table=table, d={"options": {"move_seconds": 30, "level": "random"}}
        )
        code = created["d"]["code"]
        guest = await here.join(gateway=2)
        found = await guest.ask("table.find", d={"code": f"{code[:3].lower()}-{code[3:]} "})
        assert found["d"]["found"] == (await here.get(code)).json()
        assert found["d"]["found"]["table"] == table
        assert found["d"]["found"]["free"] == 3
        assert found["d"]["found"]["options"]["move_seconds"] == 30
        assert (await guest.ask("table.sit", table=table, d={"seat": 2}))["d"]["me"] == 2
        assert (await here.get(code)).json()["free"] == 2
        closed = await host.ask("table.close", table=table)
        assert closed["t"] == "event"
        await guest.next(lambda f: f["t"] == "event" and f["d"]["events"][-1]["k"] == "closed")
        unknown = await guest.ask("table.find", d={"code": "ZZZZZ9"})
        gone = await guest.ask("table.find", d={"code": code})
        assert gone["d"]["reason"].replace(code, "") == unknown["d"]["reason"].replace("ZZZZZ9", "")
        assert (await here.get(code)).status_code == 404
        assert (await guest.ask("table.sit", table=table))["d"]["code"] == "TABLE_CLOSED"


async def test_quick_play_brings_people_together_and_begins_by_itself() -> None:
    async with house() as here:
        loop = asyncio.get_running_loop()
        one, two = await here.join(window="a"), await here.join(gateway=2, window="b")
        began = loop.time()
        first = await one.ask("table.quick", table=new_id())
        table = first["d"]["found"]["table"]
        await one.ask("watch", table=table)
        while (second := await two.ask("table.quick", table=new_id()))["t"] == "nack":
            assert second["d"]["code"] == "TRY_LATER"
        assert (second["d"]["found"]["table"], second["d"]["seat"]) == (table, 1)
        assert (await two.ask("watch", table=table))["d"]["me"] == 1
        for player in (one, two):
            await player.next(
                lambda f: f["t"] == "event" and any(e["k"] == "dealt" for e in f["d"]["events"])
            )
        assert loop.time() - began < 10.0


async def test_who_is_gone_is_replaced_and_comes_back() -> None:
    """Gone for a second here; the seat is kept, a bot stands in, and the person is back at once."""
    async with house(BOT_AFTER_SECONDS="1") as here:
        host, table = await here.join(window="a"), new_id()
        await host.ask("table.create", table=table)
        guest = await here.join(gateway=2, window="b")
        await guest.ask("table.sit", table=table, d={"seat": 1})
        other_tab = await here.join(gateway=2, window="b", token=guest.me["token"])
        await other_tab.ask("watch", table=table)
        await host.ask("table.start", table=table)
        await guest.socket.close()
        await other_tab.ask("sync", table=table, seq=1)
        early = [e for f in host.frames if f["t"] == "event" for e in f["d"]["events"]]
        assert not any(e["k"] == "seat" and e["who"].get("gone") for e in early)
        await other_tab.socket.close()
        await seat_event(host, 1, gone=True)
        answer = await host.ask("seat.bot", table=table, d={"seat": 1})
        assert answer["t"] == "event", answer
        back = await here.join(window="b", token=guest.me["token"])
        snapshot = await back.ask("watch", table=table)
        assert snapshot["d"]["me"] == 1
        assert not snapshot["d"]["seats"][1].get("gone")
        assert not snapshot["d"]["seats"][1].get("stand_in")
        await seat_event(host, 1, gone=False)


async def test_the_newer_window_has_the_seat_at_another_gateway_too() -> None:
    async with house() as here:
        old, table = await here.join(window="a"), new_id()
        fence = (await old.ask("table.create", table=table))["d"]["fence"]
        new = await here.join(gateway=2, window="b", token=old.me["token"])
        snapshot = await new.ask("watch", table=table)
        assert snapshot["d"]["me"] == 0
        assert snapshot["d"]["fence"] > fence
        notice = await old.next(lambda frame: frame["t"] == "notice")
        assert notice["d"]["kind"] == "taken"
        with pytest.raises(ConnectionClosed) as closed:
            await old.next(lambda _: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4003
        assert (await new.ask("say", table=table, d={"phrase": "hello"}))["t"] == "ack"
        await new.next(lambda frame: frame["t"] == "said")


async def test_spectators_are_counted_and_the_kicked_are_told() -> None:
    async with house() as here:
        host, table = await here.join(window="a"), new_id()
        await host.ask("table.create", table=table)
        guest, watcher = await here.join(gateway=2), await here.join()
        await guest.ask("table.sit", table=table, d={"seat": 3})
        await watcher.ask("watch", table=table)
        await host.next(lambda f: f["t"] == "watching" and f["d"]["count"] == 1)
        swapped = await host.ask("table.swap", table=table, d={"seats": [0, 3]})
        assert swapped["t"] in ("event", "ack"), swapped
        await guest.next(lambda f: f["t"] == "snapshot" and f["d"].get("me") == 0)
        await host.next(lambda f: f["t"] == "snapshot" and f["d"].get("me") == 3)
        kicked = await host.ask("table.kick", table=table, d={"seat": 0})
        assert kicked["t"] == "event", kicked
        await guest.next(lambda f: f["t"] == "snapshot" and "me" not in f["d"])
        await host.next(lambda f: f["t"] == "watching" and f["d"]["count"] == 2)


async def test_who_leaves_a_table_without_spectators_sees_no_more_of_it() -> None:
    async with house() as here:
        host, table = await here.join(), new_id()
        options = {"options": {"spectators": False}}
        await host.ask("table.create", table=table, d=options)
        guest = await here.join(gateway=2)
        assert (await guest.ask("table.sit", table=table, d={"seat": 1}))["d"]["me"] == 1
        assert (await guest.ask("table.leave", table=table))["t"] == "ack"
        await seat_event(host, 1, kind="empty")
        assert (await guest.ask("watch", table=table))["d"]["code"] == "NOT_SEATED"
        # The database may have come late, so that the hello was said more than once.
        nacks = [f for f in guest.frames if f["t"] == "nack" and f["d"]["code"] != "TRY_LATER"]
        assert [frame.get("re") for frame in nacks] == [guest.frames[-1]["re"]]
