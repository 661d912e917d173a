"""Nicknames, signing out, one's data and their deletion, and who may ask for them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from laelo_common.errors import Code, LaeloError
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import Gateway, Signing, gateway_of


class Cup:
    """What ties the accounts of these tests to championships."""

    def __init__(self) -> None:
        self.waiting: set[str] = set()
        self.playing: set[str] = set()
        self.forgotten: list[str] = []
        self.is_away = False

    def _check(self) -> None:
        if self.is_away:
            raise LaeloError(Code.TRY_LATER, "away")

    def forget_name(self, player: str) -> None:
        self.forgotten.append(player)

    async def leave_queue(self, player: str) -> None:
        self._check()
        self.waiting.discard(player)

    async def in_championship(self, player: str) -> bool:
        self._check()
        assert player not in self.waiting, "who waits may be called at any moment"
        return player in self.playing

    async def history(self, player: str) -> list[dict[str, Any]]:
        self._check()
        return [{"id": "01CUP", "place": [1, 1]}]


@pytest.fixture
def cup() -> Cup:
    return Cup()


@pytest.fixture
async def gateway(cup: Cup) -> AsyncIterator[Gateway]:
    async with gateway_of([], signing=Signing(ties=cup)) as gateway:
        yield gateway


@asynccontextmanager
async def signed_in(gateway: Gateway, subject: str, name: str = "") -> AsyncIterator[Browser]:
    browser = Browser(f"http://127.0.0.1:{gateway.port}")
    await browser.sign_in(subject)
    if name:
        assert (await browser.send("/api/account/name", {"name": name})).status_code == 200
    yield browser
    await browser.close()


@pytest.fixture
async def ana(gateway: Gateway) -> AsyncIterator[Browser]:
    async with signed_in(gateway, "ana") as browser:
        yield browser


def person_of(gateway: Gateway, subject: str) -> str:
    store: Any = gateway.accounts.api._office.store
    accounts = store.accounts.items()
    return next(str(p.id) for identity, p in accounts if identity.subject == subject)


async def test_no_two_people_have_names_that_look_alike(gateway: Gateway, ana: Browser) -> None:
    assert (await ana.send("/api/account/name", {"name": "José Luís"})).status_code == 200
    async with signed_in(gateway, "bia") as bia:
        for name in ("José Luís", "jose luis", "JOSE-LUIS", "J0sé Luls"):
            refused = await bia.send("/api/account/name", {"name": name})
            assert (refused.status_code, refused.json()["code"]) == (409, "NAME_TAKEN")
        assert (await bia.account())["nameless"]
        assert (await bia.send("/api/account/name", {"name": "José Luiz"})).status_code == 200
    # One's own may be written another way, and is free again when another one is taken.
    assert (await ana.send("/api/account/name", {"name": "JOSÉ LUÍS"})).status_code == 200
    assert (await ana.send("/api/account/name", {"name": "Zeca"})).status_code == 200
    async with signed_in(gateway, "carla", "Jose Luis") as carla:
        assert (await carla.account())["name"] == "Jose Luis"


@pytest.mark.parametrize("name", ["", "a", "Анна", "a" * 65, "admin", "A\u200bna", None, 7])
async def test_what_is_no_nickname_is_refused_in_words(ana: Browser, name: Any) -> None:
    refused = await ana.send("/api/account/name", {"name": name})
    assert refused.status_code == 400
    assert refused.json()["code"] in ("BAD_NICKNAME", "BAD_REQUEST")
    assert len(refused.json()["reason"]) > 10
    assert (await ana.account())["nameless"]


async def test_trying_many_names_is_slowed_down(ana: Browser) -> None:
    codes = [
        (await ana.send("/api/account/name", {"name": f"Ana {n}"})).status_code for n in range(12)
    ]
    assert codes[:10] == [200] * 10
    assert codes[-1] == 429


async def test_who_is_not_signed_in_is_told_to(gateway: Gateway) -> None:
    browser = Browser(f"http://127.0.0.1:{gateway.port}")
    for method, path in (
        ("POST", "/api/account/name"),
        ("DELETE", "/api/account"),
        ("GET", "/api/account/export"),
    ):
        answer = await browser.send(path, {"name": "Ana"}, method=method)
        assert (answer.status_code, answer.json()["code"]) == (401, "SIGN_IN")
    assert (await browser.send("/api/account/sign-out")).json()["signed_in"] is False
    await browser.close()


FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "http://["},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "https://evil.example", "sec-fetch-site": "same-origin"},
    {},
]


@pytest.mark.parametrize("headers", FOREIGN)
async def test_pages_of_others_change_nothing(ana: Browser, headers: dict[str, str]) -> None:
    await ana.send("/api/account/name", {"name": "Ana"})
    for method, path, body in (
        ("POST", "/api/account/name", {"name": "Hacked"}),
        ("POST", "/api/account/sign-out", {"everywhere": True}),
        ("DELETE", "/api/account", {}),
    ):
        answer = await ana.http.request(method, path, json=body, headers=headers)
        assert answer.status_code == 403
        assert "Origin" in answer.json()["reason"]
        assert "access-control-allow-origin" not in answer.headers
    assert (await ana.account())["name"] == "Ana"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_what_a_form_can_send_changes_nothing(ana: Browser, kind: str) -> None:
    headers = {"origin": ana.base, "content-type": kind}
    body = json.dumps({"everywhere": True})
    answer = await ana.http.post("/api/account/sign-out", content=body, headers=headers)
    assert answer.status_code == 415
    assert (await ana.account())["signed_in"]


async def test_a_page_of_the_site_may_leave_the_origin_to_the_browser(ana: Browser) -> None:
    headers = {"sec-fetch-site": "same-origin", "content-type": "application/json; charset=utf-8"}
    answer = await ana.http.post("/api/account/sign-out", content=b"", headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("body", [b"[]", b"{", b'{"name": "a\xff"}', b'{"name": "' + b"a" * 5000])
async def test_odd_bodies_are_refused(ana: Browser, body: bytes) -> None:
    headers = {"origin": ana.base, "content-type": "application/json"}
    answer = await ana.http.post("/api/account/name", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "BAD_REQUEST")


async def test_signing_out_ends_this_session_only(gateway: Gateway, ana: Browser) -> None:
    async with signed_in(gateway, "ana") as phone:
        stolen = ana.http.cookies["laelo_session"]
        answer = await ana.send("/api/account/sign-out")
        assert answer.json()["signed_in"] is False
        assert "laelo_session" not in ana.cookie
        ana.http.cookies.set("laelo_session", stolen, domain="127.0.0.1")
        assert (await ana.account())["signed_in"] is False, "the token is good no more"
        assert (await phone.account())["signed_in"]


async def test_signing_out_everywhere_ends_all_of_ones_sessions(
    gateway: Gateway, ana: Browser
) -> None:
    async with signed_in(gateway, "ana") as phone, signed_in(gateway, "bia") as bia:
        await ana.send("/api/account/sign-out", {"everywhere": True})
        assert (await phone.account())["signed_in"] is False
        assert (await bia.account())["signed_in"]


async def test_the_export_is_all_that_is_kept(gateway: Gateway, ana: Browser) -> None:
    await ana.send("/api/account/name", {"name": "Ana"})
    answer = await ana.http.get("/api/account/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="la-e-lo.json"'
    assert answer.headers["cache-control"] == "no-store"
    kept = answer.json()
    assert kept["account"]["subject"] == "ana"
    assert kept["account"]["name"] == "Ana"
    assert kept["account"]["id"] == person_of(gateway, "ana")
    assert kept["championships"] == [{"id": "01CUP", "place": [1, 1]}]
    assert ana.http.cookies["laelo_session"] not in answer.text


async def test_a_deleted_account_leaves_nothing_and_its_name_is_free(
    gateway: Gateway, cup: Cup, ana: Browser
) -> None:
    await ana.send("/api/account/name", {"name": "Ana"})
    before = person_of(gateway, "ana")
    cup.waiting.add(before)
    async with signed_in(gateway, "ana") as phone:
        answer = await ana.send("/api/account", method="DELETE")
        assert (answer.status_code, answer.json()["signed_in"]) == (200, False)
        assert cup.waiting == set()
        assert (await phone.account())["signed_in"] is False
    async with signed_in(gateway, "bia", "Ana"):
        pass
    await ana.sign_in("ana")
    assert (await ana.account())["nameless"], "who comes back is new"
    assert person_of(gateway, "ana") != before


async def test_who_is_in_a_championship_has_to_end_it_first(
    gateway: Gateway, cup: Cup, ana: Browser
) -> None:
    player = person_of(gateway, "ana")
    cup.playing.add(player)
    cup.forgotten.clear()
    answer = await ana.send("/api/account", method="DELETE")
    assert (answer.status_code, answer.json()["code"]) == (409, "IN_CHAMPIONSHIP")
    assert (await ana.account())["signed_in"]
    assert cup.forgotten == []
    cup.playing.clear()
    assert (await ana.send("/api/account", method="DELETE")).status_code == 200
    assert cup.forgotten == [player]


async def test_nothing_is_deleted_while_championships_cannot_be_asked(
    cup: Cup, ana: Browser
) -> None:
    cup.is_away = True
    answer = await ana.send("/api/account", method="DELETE")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert (await ana.account())["signed_in"]


async def test_while_the_store_is_away_everything_is_to_be_tried_later(
    gateway: Gateway, ana: Browser
) -> None:
    gateway.people.is_away = True
    for method, path in (
        ("POST", "/api/account/name"),
        ("POST", "/api/account/sign-out"),
        ("DELETE", "/api/account"),
        ("GET", "/api/account/export"),
    ):
        answer = await ana.send(path, {"name": "Ana"}, method=method)
        assert (answer.status_code, answer.json()["code"]) == (503, "TRY_LATER")
    stranger = Browser(ana.base)
    stranger.http.cookies.set("laelo_session", "x" * 43, domain="127.0.0.1")
    assert (await stranger.http.get("/api/account")).status_code == 503
    await stranger.close()
    assert (await ana.account())["signed_in"], "who was here lately is known all the same"
    gateway.people.is_away = False
    assert (await ana.send("/api/account/name", {"name": "Ana"})).status_code == 200
