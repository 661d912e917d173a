"""How the gateway deals with an issuer: its description, its keys, its tokens."""

import base64
import json
import time
import urllib.parse
from typing import Any

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from laelo_common.errors import Code, LaeloError
from laelo_common.settings import Secret
from laelo_gateway.accounts import cached
from laelo_gateway.accounts.id_token import GOOGLE
from laelo_gateway.accounts.pending import Pending
from laelo_gateway.accounts.provider import Provider, Registration, challenge
from laelo_gateway.accounts.store import Identity

BACK = "https://play.example/auth/callback"
PENDING = Pending("state", "nonce", "verifier", "/", 0)
RSA = RSAKey.generate_key(2048, {"kid": "r"})
EC = ECKey.generate_key("P-256", {"kid": "e"})


class World:
    """An issuer that answers what a test wants, and remembers what it was asked."""

    def __init__(self, **metadata: Any) -> None:
        self.metadata = {
            "issuer": GOOGLE,
            "authorization_endpoint": "https://issuer.example/authorize?tenant=1",
            "token_endpoint": "https://issuer.example/token",
            "jwks_uri": "https://issuer.example/keys",
            **metadata,
        }
        self.keys: Any = [RSA.as_dict(private=False)]
        self.token_status = 200
        self.answer: dict[str, Any] = {}
        self.asked: list[httpx.Request] = []
        self.token: str | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if request.url.path.endswith("openid-configuration"):
            return httpx.Response(200, json=self.metadata)
        if request.url.path == "/keys":
            return httpx.Response(200, json={"keys": self.keys})
        token = self.token or signed()
        answer = self.answer or {"id_token": token, "access_token": "x"}
        return httpx.Response(self.token_status, json=answer)

    def provider(self, *, local: bool = False) -> Provider:
        known_as = Registration("google", GOOGLE, "us & co", Secret("hu:sh"), local)
        return Provider(known_as, httpx.AsyncClient(transport=httpx.MockTransport(self)))


def signed(key: RSAKey | ECKey = RSA, algorithm: str = "RS256", **changes: Any) -> str:
    now = int(time.time())
    claims = {"iss": GOOGLE, "aud": "us & co", "sub": "7", "nonce": "nonce", "iat": now}
    claims |= {"exp": now + 300, **changes}
    header = {"alg": algorithm, "kid": key.kid} if key.kid else {"alg": algorithm}
    return jwt.encode(header, claims, key, algorithms=[algorithm])


async def refusal(provider: Provider) -> LaeloError:
    with pytest.raises(LaeloError) as refused:
        await provider.identify("code", PENDING, BACK)
    return refused.value


async def test_what_a_browser_is_sent_away_with() -> None:
    address = urllib.parse.urlsplit(await World().provider().address(PENDING, BACK))
    assert dict(urllib.parse.parse_qsl(address.query)) == {
        "tenant": "1",
        "response_type": "code",
        "client_id": "us & co",
        "redirect_uri": BACK,
        "scope": "openid",
        "state": "state",
        "nonce": "nonce",
        "code_challenge": "iMnq5o6zALKXGivsnlom_0F5_WYda32GHkxlV7mq7hQ",
        "code_challenge_method": "S256",
        "prompt": "select_account",
    }


def test_the_challenge_is_that_of_the_standard() -> None:
    """RFC 7636, appendix B."""
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    assert challenge(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


@pytest.mark.parametrize("issuer", [GOOGLE, "accounts.google.com"])
async def test_google_spells_itself_in_two_ways_and_is_one(issuer: str) -> None:
    world = World()
    world.token = signed(iss=issuer)
    assert await world.provider().identify("code", PENDING, BACK) == Identity(GOOGLE, "7")


async def test_the_secret_goes_into_a_header() -> None:
    world = World()
    await world.provider().identify("code", PENDING, BACK)
    [exchange] = [request for request in world.asked if request.method == "POST"]
    assert exchange.headers["authorization"] == "Basic dXMrJTI2K2NvOmh1JTNBc2g="
    form = dict(urllib.parse.parse_qsl(exchange.content.decode()))
    assert form == {
        "grant_type": "authorization_code",
        "code": "code",
        "redirect_uri": BACK,
        "code_verifier": "verifier",
    }


async def test_the_secret_goes_into_the_form_of_who_wants_it_there() -> None:
    world = World(token_endpoint_auth_methods_supported=["client_secret_post"])
    await world.provider().identify("code", PENDING, BACK)
    [exchange] = [request for request in world.asked if request.method == "POST"]
    assert "authorization" not in exchange.headers
    form = dict(urllib.parse.parse_qsl(exchange.content.decode()))
    assert (form["client_id"], form["client_secret"]) == ("us & co", "hu:sh")


@pytest.mark.parametrize(
    "metadata",
    [
        {"issuer": "https://accounts.google.example"},
        {"issuer": None},
        {"token_endpoint": "http://issuer.example/token"},
        {"jwks_uri": None},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
async def test_an_issuer_that_describes_itself_wrongly_is_not_used(
    metadata: dict[str, Any],
) -> None:
    world = World()
    world.metadata |= metadata
    assert (await refusal(world.provider())).code is Code.TRY_LATER
    assert len(world.asked) == 1, "nothing was sent to where it said"


async def test_without_https_an_issuer_is_used_on_one_machine_only() -> None:
    insecure = {"token_endpoint": "http://issuer.example/token"}
    assert (await refusal(World(**insecure).provider())).code is Code.TRY_LATER
    assert await World(**insecure).provider(local=True).identify("code", PENDING, BACK)


@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (400, {"error": "invalid_grant"}, Code.SIGN_IN),
        (401, {"error": "invalid_client"}, Code.SIGN_IN),
        (200, {"access_token": "x"}, Code.SIGN_IN),
        (200, {"id_token": 7}, Code.SIGN_IN),
        (503, {"error": "busy"}, Code.TRY_LATER),
    ],
)
async def test_an_exchange_that_fails(status: int, answer: dict[str, Any], code: Code) -> None:
    world = World()
    world.token_status, world.answer = status, answer
    refused = await refusal(world.provider())
    assert refused.code is code
    assert "hu:sh" not in str(refused)


@pytest.mark.parametrize("keys", [None, "x", {}])
async def test_a_key_set_that_is_none_is_to_be_tried_later(keys: Any) -> None:
    world = World()
    world.keys = keys
    assert (await refusal(world.provider())).code is Code.TRY_LATER


async def test_keys_of_other_kinds_stand_in_nobodys_way() -> None:
    world = World()
    world.keys = [
        {"kty": "future", "kid": "f"},
        {"kty": "RSA", "kid": "broken", "n": "!"},
        "no key",
        {**OctKey.import_key(b"x" * 32).as_dict(), "kid": "r"},
        {**RSAKey.generate_key(2048).as_dict(private=False), "use": "enc", "kid": "r"},
        EC.as_dict(private=False),
        RSA.as_dict(private=False),
    ]
    provider = world.provider()
    assert await provider.identify("code", PENDING, BACK)
    world.token = signed(EC, "ES256")
    assert await provider.identify("code", PENDING, BACK)


async def test_a_token_without_a_key_id_needs_one_key_that_fits() -> None:
    nameless = RSAKey.import_key({k: v for k, v in RSA.as_dict(private=True).items() if k != "kid"})
    world = World()
    world.token = signed(nameless)
    assert await world.provider().identify("code", PENDING, BACK)
    world.keys = [RSA.as_dict(private=False), RSAKey.generate_key(2048).as_dict(private=False)]
    assert (await refusal(world.provider())).code is Code.SIGN_IN


async def test_a_key_id_that_is_no_text_is_refused() -> None:
    world = World()
    _, body, signature = signed().split(".")
    odd = base64.urlsafe_b64encode(json.dumps({"alg": "RS256", "kid": 7}).encode()).decode()
    world.token = f"{odd.rstrip('=')}.{body}.{signature}"
    assert (await refusal(world.provider())).code is Code.SIGN_IN


async def test_what_was_fetched_serves_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "PAUSE_SECONDS", 0.0)
    world = World()
    provider = world.provider()
    for _ in range(3):
        await provider.identify("code", PENDING, BACK)
    assert [request.url.path for request in world.asked].count("/keys") == 1
    assert len(world.asked) == 5
