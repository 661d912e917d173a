"""The strict issuer itself: what it gives codes and tokens for, and to whom."""

import base64
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from laelo_gateway.accounts.development import PATH, Client, DevelopmentIssuer
from laelo_gateway.accounts.development.codes import LIFE_SECONDS
from laelo_gateway.accounts.provider import challenge

BACK = "http://play.example/auth/callback"
VERIFIER = "v" * 64


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def http(clock: Clock) -> AsyncIterator[httpx.AsyncClient]:
    client = Client("us", "a secret: with & odd+signs", lambda address, _: address == BACK)
    issuer = DevelopmentIssuer(client, clock=clock)
    async with issuer.http() as http:
        http.base_url = httpx.URL(f"http://issuer.localhost{PATH}/")
        yield http


def asked(**changes: Any) -> dict[str, Any]:
    usual = {
        "response_type": "code",
        "client_id": "us",
        "redirect_uri": BACK,
        "scope": "openid",
        "state": "s",
        "nonce": "n",
        "code_challenge": challenge(VERIFIER),
        "code_challenge_method": "S256",
    }
    return {key: value for key, value in {**usual, **changes}.items() if value is not None}


async def code_of(http: httpx.AsyncClient) -> str:
    sent = await http.post("authorize", data={**asked(), "subject": "ana"})
    [code] = parse_qs(urlsplit(sent.headers["location"]).query)["code"]
    return code


async def token(http: httpx.AsyncClient, code: str, **changes: Any) -> httpx.Response:
    pair = changes.pop("pair", "us:a+secret%3A+with+%26+odd%2Bsigns")
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "code_verifier": VERIFIER,
        **changes,
    }
    basic = "Basic " + base64.b64encode(pair.encode()).decode()
    return await http.post("token", data=form, headers={"authorization": basic})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"client_id": "them"}, "client is unknown"),
        ({"client_id": None}, "client is unknown"),
        ({"redirect_uri": BACK + "/"}, "not registered"),
        ({"redirect_uri": "http://evil.example/auth/callback"}, "not registered"),
        ({"redirect_uri": None}, "not registered"),
        ({"response_type": "token"}, "no code"),
        ({"scope": "email"}, "not for an identity"),
        ({"state": None}, "missing"),
        ({"nonce": ""}, "missing"),
        ({"code_challenge_method": "plain"}, "PKCE"),
        ({"code_challenge_method": None}, "PKCE"),
        ({"code_challenge": "short"}, "PKCE"),
        ({"code_challenge": None}, "PKCE"),
    ],
)
async def test_what_it_gives_no_code_for(
    http: httpx.AsyncClient, changes: dict[str, Any], words: str
) -> None:
    shown = await http.get("authorize", params=asked(**changes))
    sent = await http.post("authorize", data={**asked(**changes), "subject": "ana"})
    for answer in (shown, sent):
        assert answer.status_code == 400
        assert words in answer.text
        assert "location" not in answer.headers, "nobody is sent to an address that is not known"


@pytest.mark.parametrize("subject", ["", "   ", "x" * 65])
async def test_one_has_to_say_who_one_is(http: httpx.AsyncClient, subject: str) -> None:
    answer = await http.post("authorize", data={**asked(), "subject": subject})
    assert answer.status_code == 400


async def test_the_page_says_what_it_is_and_runs_no_script(http: httpx.AsyncClient) -> None:
    page = await http.get("authorize", params=asked(state='"><script>x</script>'))
    assert "Development sign-in: no password" in page.text
    assert "<script" not in page.text
    assert "style=" not in page.text
    assert (await http.get("style.css")).headers["content-type"].startswith("text/css")


async def test_a_code_is_good_once(http: httpx.AsyncClient) -> None:
    code = await code_of(http)
    first, second = await token(http, code), await token(http, code)
    assert first.status_code == 200
    assert first.headers["cache-control"] == "no-store"
    assert (second.status_code, second.json()) == (400, {"error": "invalid_grant"})


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "w" * 64}, "invalid_grant"),
        ({"code_verifier": ""}, "invalid_grant"),
        ({"redirect_uri": BACK + "?x"}, "invalid_grant"),
        ({"redirect_uri": ""}, "invalid_grant"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"pair": "us:wrong"}, "invalid_client"),
        ({"pair": "them:a+secret%3A+with+%26+odd%2Bsigns"}, "invalid_client"),
        ({"pair": ""}, "invalid_client"),
    ],
)
async def test_what_it_gives_no_token_for(
    http: httpx.AsyncClient, changes: dict[str, Any], error: str
) -> None:
    answer = await token(http, await code_of(http), **changes)
    assert answer.json() == {"error": error}
    assert answer.status_code == (401 if error == "invalid_client" else 400)


async def test_a_code_does_not_wait_for_ever(http: httpx.AsyncClient, clock: Clock) -> None:
    code = await code_of(http)
    clock.now += LIFE_SECONDS + 1
    assert (await token(http, code)).json() == {"error": "invalid_grant"}


async def test_private_keys_are_shown_to_nobody(http: httpx.AsyncClient) -> None:
    [key] = (await http.get("keys")).json()["keys"]
    assert set(key) == {"kty", "crv", "x", "y", "kid", "use"}
