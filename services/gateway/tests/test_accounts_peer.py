"""The same flow with an issuer that others wrote, over real HTTP."""

import importlib
import re
import warnings
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from laelo_common.settings import Secret
from laelo_gateway.accounts.pending import Seal
from laelo_gateway.accounts.provider import Provider, Registration
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.wiring import Doors
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import PROXIES, Signing, gateway_of

with warnings.catch_warnings():
    # It uses parts of Authlib against which Authlib warns, whatever was said about warnings.
    importlib.import_module("authlib.deprecate")
    warnings.simplefilter("ignore")
    mock: Any = importlib.import_module("oidc_provider_mock")

pytestmark = [
    pytest.mark.integration,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture
def issuer(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    with mock.run_server_in_thread(require_nonce=True) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
async def browser(issuer: str) -> AsyncIterator[Browser]:
    known_as = Registration("google", issuer, "laelo", Secret("hush"), local=True)
    provider = Provider(known_as, httpx.AsyncClient(trust_env=False))
    doors = Doors(Site(proxies=PROXIES), provider, Seal(b"hush"))
    async with gateway_of([], signing=Signing(doors)) as gateway:
        browser = Browser(f"http://127.0.0.1:{gateway.port}")
        yield browser
        await browser.close()


async def callback(browser: Browser, subject: str) -> str:
    begun = await browser.http.get("/auth/sign-in", params={"back": "/campeonato"})
    sent = await browser.http.post(begun.headers["location"], data={"sub": subject})
    return sent.headers["location"]


async def test_somebody_signs_in_and_is_found_again(browser: Browser) -> None:
    done = await browser.http.get(await callback(browser, "ana@example.org"))
    assert (done.status_code, done.headers["location"]) == (303, "/campeonato")
    account = await browser.account()
    assert (account["signed_in"], account["provider"]) == (True, "google")
    await browser.send("/api/account/name", {"name": "Ana"})
    await browser.send("/api/account/sign-out")
    assert (await browser.account())["signed_in"] is False
    await browser.http.get(await callback(browser, "ana@example.org"))
    assert (await browser.account())["name"] == "Ana"


async def test_nothing_but_the_identity_is_asked_for(browser: Browser, issuer: str) -> None:
    begun = await browser.http.get("/auth/sign-in")
    address = urlsplit(begun.headers["location"])
    assert f"{address.scheme}://{address.netloc}" == issuer
    assert re.findall(r"scope=([^&]*)", address.query) == ["openid"]


async def test_a_code_of_somebody_elses_sign_in_is_refused(browser: Browser) -> None:
    """The nonce holds what PKCE would, which this issuer does not check."""
    stolen = dict(httpx.URL(await callback(browser, "mallory")).params)["code"]
    own = dict(httpx.URL(await callback(browser, "ana")).params)
    answer = await browser.http.get(
        "/auth/callback", params={"code": stolen, "state": own["state"]}
    )
    assert answer.status_code == 403
    assert "(nonce)" in answer.text
