"""The whole way of a sign-in, through a real gateway and its own strict issuer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from laelo_gateway.accounts.development import DevelopmentIssuer
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.wiring import development
from laelo_gateway.limits import Limits
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import PROXIES, Gateway, Signing, gateway_of


@asynccontextmanager
async def browser_of(gateway: Gateway) -> AsyncIterator[Browser]:
    browser = Browser(f"http://127.0.0.1:{gateway.port}")
    try:
        yield browser
    finally:
        await browser.close()


@pytest.fixture
async def gateway() -> AsyncIterator[Gateway]:
    async with gateway_of([]) as gateway:
        yield gateway


@pytest.fixture
async def browser(gateway: Gateway) -> AsyncIterator[Browser]:
    async with browser_of(gateway) as browser:
        yield browser


async def test_somebody_signs_in_and_chooses_a_nickname(browser: Browser) -> None:
    assert await browser.account() == {
        "signed_in": False,
        "name": "",
        "nameless": False,
        "provider": "development",
    }
    done = await browser.sign_in("ana", back="/ranking?week=2026-01-05")
    assert (done.status_code, done.headers["location"]) == (303, "/ranking?week=2026-01-05")
    assert done.headers["cache-control"] == "no-store"
    account = await browser.account()
    assert (account["signed_in"], account["nameless"]) == (True, True)
    named = await browser.send("/api/account/name", {"name": "  Ana   Lúcia "})
    assert named.json() == {
        "signed_in": True,
        "name": "Ana Lúcia",
        "nameless": False,
        "provider": "development",
    }
    assert await browser.account() == named.json()


async def test_the_same_person_is_found_again_from_another_browser(
    gateway: Gateway, browser: Browser
) -> None:
    await browser.sign_in("ana")
    await browser.send("/api/account/name", {"name": "Ana"})
    async with browser_of(gateway) as other:
        await other.sign_in("ana")
        assert (await other.account())["name"] == "Ana"
        await other.sign_in("bia")
        assert (await other.account())["nameless"]
    assert (await browser.account())["name"] == "Ana"


async def test_cookies_are_out_of_reach_of_scripts_and_other_sites(browser: Browser) -> None:
    begun = await browser.http.get("/auth/sign-in")
    done = await browser.sign_in("ana")
    for answer in (begun, done):
        for cookie in answer.headers.get_list("set-cookie"):
            assert "HttpOnly" in cookie
            assert "samesite=lax" in cookie.lower()
            assert "Path=/" in cookie
            assert "Domain" not in cookie
            assert "Secure" not in cookie, "this gateway is reached by http"
    kept = {cookie.name: cookie for cookie in browser.http.cookies.jar}
    assert list(kept) == ["laelo_session"], "the sign-in's own cookie goes when it is over"


async def test_over_https_cookies_are_secure_and_of_this_host_only() -> None:
    doors = development(Site("https://domino.example", PROXIES))
    async with gateway_of([], signing=Signing(doors)) as gateway, browser_of(gateway) as browser:
        begun = await browser.http.get("/auth/sign-in")
        [cookie] = begun.headers.get_list("set-cookie")
        assert cookie.startswith("__Host-laelo_sign_in=")
        assert "; Secure" in cookie
        assert (
            "redirect_uri=https%3A%2F%2Fdomino.example%2Fauth%2Fcallback"
            in (begun.headers["location"])
        )
        name = gateway.accounts.sessions._cookies.session_name
        assert name == "__Host-laelo_session"


async def test_a_session_never_goes_on_under_a_token_that_was_there_before(
    gateway: Gateway, browser: Browser
) -> None:
    """Neither one that an attacker made up, nor an attacker's own valid one."""
    browser.http.cookies.set("laelo_session", "made-up", domain="127.0.0.1", path="/")
    async with browser_of(gateway) as attacker:
        await attacker.sign_in("mallory")
        planted = attacker.http.cookies["laelo_session"]
        await browser.sign_in("ana")
        first = browser.http.cookies["laelo_session"]
        assert first not in ("made-up", planted)
        browser.http.cookies.set("laelo_session", planted, domain="127.0.0.1", path="/")
        browser.http.cookies.delete("laelo_session", domain="127.0.0.1", path="/")
        browser.http.cookies.set("laelo_session", planted, domain="127.0.0.1", path="/")
        await browser.sign_in("ana")
        assert browser.cookie.count("laelo_session") == 1
        assert browser.http.cookies["laelo_session"] not in ("made-up", planted, first)
        await browser.send("/api/account/name", {"name": "Ana"})
        assert (await attacker.account())["signed_in"] is False


async def test_a_sign_in_is_finished_only_by_the_browser_that_began_it(
    gateway: Gateway, browser: Browser
) -> None:
    """Else one could be signed in as somebody else without noticing it."""
    attackers_link = await browser.authorize("mallory")
    async with browser_of(gateway) as victim:
        refused = await victim.http.get(attackers_link)
        assert refused.status_code == 400
        assert "começou em outro navegador" in refused.text
        await victim.http.get("/auth/sign-in")
        refused = await victim.http.get(attackers_link)
        assert (refused.status_code, "(state)" in refused.text) == (400, True)
        assert (await victim.account())["signed_in"] is False


async def test_a_callback_is_good_once(browser: Browser) -> None:
    link = await browser.authorize("ana")
    assert (await browser.http.get(link)).status_code == 303
    again = await browser.http.get(link)
    assert (again.status_code, "/auth/sign-in" in again.text) == (400, True)
    assert (await browser.account())["signed_in"] is True


async def test_a_sealed_sign_in_cannot_be_changed(browser: Browser) -> None:
    link = await browser.authorize("ana")
    sealed = browser.http.cookies["laelo_sign_in"]
    flipped = ("A" if sealed[5] != "A" else "B").join((sealed[:5], sealed[6:]))
    browser.http.cookies.clear()
    browser.http.cookies.set("laelo_sign_in", flipped, domain="127.0.0.1")
    assert (await browser.http.get(link)).status_code == 400


async def test_a_sign_in_that_takes_too_long_has_to_begin_again() -> None:
    class Clock(DevelopmentIssuer):
        ahead = 0.0

        def __init__(self, client, **options) -> None:
            super().__init__(client, **options)
            now = self.clock
            self.clock = lambda: now() + self.ahead

    doors = development(Site(), Clock)
    async with gateway_of([], signing=Signing(doors)) as gateway, browser_of(gateway) as browser:
        link = await browser.authorize("ana")
        Clock.ahead = 601.0
        assert (await browser.http.get(link)).status_code == 400
        await browser.sign_in("ana")
        assert (await browser.account())["signed_in"]


async def test_who_cancels_is_told_so_and_stays_a_guest(browser: Browser) -> None:
    link = await browser.authorize("", deny="yes")
    answer = await browser.http.get(link, headers={"accept-language": "en-GB,en;q=0.8"})
    assert "it was cancelled" in answer.text
    assert '<html lang="en">' in answer.text
    assert (await browser.account())["signed_in"] is False


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "/\\evil.example", "/\tx", "x", "/auth/x"]
)
async def test_nobody_is_sent_to_another_site_after_signing_in(browser: Browser, back: str) -> None:
    assert (await browser.sign_in("ana", back)).headers["location"] == "/"


@pytest.mark.parametrize("answer", ["error=server_error", "", "code=guessed", "code=x&iss=other"])
async def test_what_the_issuer_answers_oddly_is_a_refusal(browser: Browser, answer: str) -> None:
    _, fields = await browser.issuer_page()
    refused = await browser.http.get(f"/auth/callback?state={fields['state']}&{answer}")
    assert refused.status_code == 403
    assert "Não conseguimos confirmar" in refused.text


async def test_reasons_are_shown_as_text(browser: Browser) -> None:
    _, fields = await browser.issuer_page()
    query = {"state": fields["state"], "error": "<script>alert(1)</script>"}
    refused = await browser.http.get("/auth/callback", params=query)
    assert "<script>" not in refused.text
    assert "&lt;script&gt;" in refused.text


async def test_sign_ins_are_limited_by_address() -> None:
    limits = Limits(sign_in_rate=0.001, sign_in_burst=3)
    async with gateway_of([], limits=limits) as gateway, browser_of(gateway) as browser:
        headers = {"x-forwarded-for": "10.0.0.1"}
        codes = [
            (await browser.http.get("/auth/sign-in", headers=headers)).status_code for _ in range(5)
        ]
        assert codes == [303, 303, 303, 429, 429]
        assert (await browser.http.get("/auth/sign-in")).status_code == 303


async def test_without_a_provider_nobody_can_sign_in() -> None:
    doors = development(Site())._replace(provider=None, issuer=None)
    async with gateway_of([], signing=Signing(doors)) as gateway, browser_of(gateway) as browser:
        assert (await browser.account())["provider"] is None
        assert (await browser.http.get("/auth/sign-in")).status_code == 404
        assert (await browser.http.get("/auth/callback?code=x&state=y")).status_code == 400
        assert (await browser.http.get("/dev/issuer/keys")).status_code != 200


async def test_an_outage_of_the_store_is_said_on_a_page(gateway: Gateway, browser: Browser) -> None:
    link = await browser.authorize("ana")
    gateway.people.is_away = True
    answer = await browser.http.get(link)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "Tente de novo daqui a pouco" in answer.text
    gateway.people.is_away = False
    await browser.sign_in("ana")
    assert (await browser.account())["signed_in"]


async def test_pages_of_the_flow_keep_the_strict_headers(browser: Browser) -> None:
    await browser.http.get("/auth/sign-in")
    address, _ = await browser.issuer_page()
    for path in ("/auth/sign-in", "/auth/callback", address, "/api/account"):
        answer = await browser.http.get(path)
        assert "form-action 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
