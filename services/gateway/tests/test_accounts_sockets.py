"""Who is signed in plays as that person; who is not any more does not."""

import asyncio
from typing import Any

import pytest
from laelo_common.ids import new_id
from laelo_gateway.accounts import sessions
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import PATIENCE, Gateway, Player, eventually, gateway_of
from laelo_gateway.testing.tables import replicas


async def hello(
    gateway: Gateway, cookie: str, headers: dict[str, str] | None = None, **part: Any
) -> tuple[Player, dict[str, Any]]:
    player = await gateway.connect(additional_headers={"cookie": cookie, **(headers or {})})
    answer = await player.ask("hello", d={"proto": 1, **part})
    return player, answer["d"].get("me") or answer["d"]


async def is_open(player: Player) -> bool:
    """Whether the connection still answers: here, that hello was said already."""
    return bool((await player.ask("hello", d={"proto": 1}))["d"]["code"] == "BAD_FRAME")


async def close_code(player: Player) -> int | None:
    async with asyncio.timeout(PATIENCE):
        await player.socket.wait_closed()
    return player.socket.close_code


async def test_the_cookie_goes_before_a_guests_token(gateway: Gateway, ana: Browser) -> None:
    guest = await gateway.join(name="Visitante")
    _, nameless = await hello(gateway, ana.cookie, token=guest.me["token"])
    assert nameless == {"id": nameless["id"], "name": "", "guest": False, "nameless": True}
    await ana.send("/api/account/name", {"name": "Ana"})
    _, me = await hello(gateway, ana.cookie, token=guest.me["token"], name="Other")
    assert me == {"id": nameless["id"], "name": "Ana", "guest": False}
    _, back = await hello(gateway, "", token=guest.me["token"])
    assert back == {"id": guest.me["id"], "name": "Visitante"}


@pytest.mark.parametrize(
    "cookie",
    ["laelo_session=", "laelo_session=x", "laelo_session=é", "a=b", "=;;", "é", "x" * 4000],
)
async def test_with_a_cookie_that_is_none_one_is_a_guest(gateway: Gateway, cookie: str) -> None:
    _, me = await hello(gateway, cookie)
    assert me["token"]


async def test_a_guests_token_is_no_session_and_the_other_way_round(
    gateway: Gateway, ana: Browser
) -> None:
    guest = await gateway.join()
    _, me = await hello(gateway, f"laelo_session={guest.me['token']}")
    assert me["id"] != guest.me["id"]
    _, me = await hello(gateway, "", token=ana.http.cookies["laelo_session"])
    assert me["token"], "a new guest"


async def test_a_page_of_another_site_does_not_act_for_the_person(ana: Browser) -> None:
    """Also where pages of all sites may connect."""
    async with gateway_of([], origins=("*", "https://friend.example")) as open_to_all:
        base = f"http://127.0.0.1:{open_to_all.port}"
        browser = Browser(base)
        await browser.sign_in("ana")
        for origin, known in (
            ("https://evil.example", False),
            ("http://localhost:1", False),
            ("https://friend.example", True),
            (base, True),
        ):
            _, me = await hello(open_to_all, browser.cookie, {"origin": origin})
            assert (me.get("guest") is False) == known
        await browser.close()


async def test_without_a_nickname_one_looks_but_does_not_sit(ana: Browser) -> None:
    table = new_id()
    async with replicas(1) as started, gateway_of([started[0].address]) as gateway:
        browser = Browser(f"http://127.0.0.1:{gateway.port}")
        await browser.sign_in("ana")
        player, me = await hello(gateway, browser.cookie)
        for frame in ("table.create", "table.sit", "table.quick"):
            refused = await player.ask(frame, table=table)
            assert refused["d"]["code"] == "NAMELESS"
        assert (await player.ask("watch", table=table))["d"]["code"] == "UNKNOWN_TABLE"
        await browser.send("/api/account/name", {"name": "Ana"})
        assert (await player.ask("table.create", table=table))["t"] == "snapshot"
        opened = started[0].seen[-1]
        assert opened.player == me["id"]
        sat = [command for command in started[0].seen if command.player == me["id"]]
        assert not any(command.name or command.guest for command in sat), "as in the log"
        await browser.close()


async def test_signing_out_closes_the_sockets_of_that_session(
    gateway: Gateway, ana: Browser
) -> None:
    phone = Browser(ana.base)
    await phone.sign_in("ana")
    here, _ = await hello(gateway, ana.cookie)
    there, _ = await hello(gateway, phone.cookie)
    guest = await gateway.join()
    await ana.send("/api/account/sign-out")
    assert await close_code(here) == 4001
    assert await is_open(there)
    await phone.send("/api/account", method="DELETE")
    assert await close_code(there) == 4001
    assert await is_open(guest)
    await phone.close()


async def test_signing_in_anew_closes_the_sockets_of_the_session_before(
    gateway: Gateway, ana: Browser
) -> None:
    player, _ = await hello(gateway, ana.cookie)
    await ana.sign_in("bia")
    assert await close_code(player) == 4001


async def test_a_session_that_ended_elsewhere_ends_here_soon(
    gateway: Gateway,
    ana: Browser,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(sessions, "CHECK_SECONDS", 0.01)
    caplog.set_level("INFO", sessions.__name__)
    player, me = await hello(gateway, ana.cookie)
    task = asyncio.create_task(gateway.accounts.sessions.run())
    store: Any = gateway.accounts.api._office.store
    gateway.people.is_away = True
    await eventually(lambda: "sessions are not looked at" in caplog.text)
    gateway.people.is_away = False
    assert await is_open(player), "an outage ends nothing"
    await store.end_all(me["id"])
    assert await close_code(player) == 4001
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_nickname_chosen_elsewhere_is_shown_here_soon(
    gateway: Gateway, ana: Browser
) -> None:
    await hello(gateway, ana.cookie)
    [connection] = gateway.sockets._open
    store: Any = gateway.accounts.api._office.store
    assert await store.rename(connection.sender.person.id, "Ana", "ana")
    await gateway.accounts.sessions.check()
    assert connection.sender.person.name == "Ana"


async def test_who_was_here_comes_back_while_the_store_is_away(
    gateway: Gateway, ana: Browser
) -> None:
    player, me = await hello(gateway, ana.cookie)
    await player.socket.close()
    gateway.people.is_away = True
    _, again = await hello(gateway, ana.cookie)
    assert again == me
    _, unknown = await hello(gateway, "laelo_session=" + "x" * 43)
    assert unknown["code"] == "TRY_LATER", "not made a guest: the session may be good"


async def test_guests_do_not_get_the_names_of_accounts(gateway: Gateway, ana: Browser) -> None:
    early = await gateway.join(name="ANA")
    await ana.send("/api/account/name", {"name": "Ana"})
    for name in ("Ana", "ana", "Аna", "Á n a"):
        player = await gateway.connect()
        refused = await player.ask("hello", d={"proto": 1, "name": name})
        assert refused["d"]["code"] == "NAME_TAKEN"
        allowed = await player.ask("hello", d={"proto": 1, "name": "Anna"})
        assert allowed["d"]["me"]["name"] == "Anna"
    # Who had the name first is shown under another one as soon as another gateway meets them.
    gateway.house.people._known.clear()
    back = await gateway.join(token=early.me["token"], name="ANA", lang="es")
    assert back.me["id"] == early.me["id"]
    assert back.me["name"].startswith("Visita ")
