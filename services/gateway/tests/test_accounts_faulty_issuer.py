"""Whatever an issuer gets wrong: nobody is signed in, and it is said why."""

from collections.abc import AsyncIterator, Callable
from typing import Any, NamedTuple

import pytest
from laelo_gateway.accounts import cached
from laelo_gateway.accounts.site import Site
from laelo_gateway.accounts.wiring import development
from laelo_gateway.testing import issuer as faults
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import PROXIES, Signing, gateway_of
from laelo_gateway.testing.issuer import FaultyIssuer

Claims = dict[str, Any]


class House(NamedTuple):
    browser: Browser
    issuer: FaultyIssuer


@pytest.fixture
async def house() -> AsyncIterator[House]:
    doors = development(Site(proxies=PROXIES), FaultyIssuer)
    assert isinstance(doors.issuer, FaultyIssuer)
    async with gateway_of([], signing=Signing(doors)) as gateway:
        browser = Browser(f"http://127.0.0.1:{gateway.port}")
        yield House(browser, doors.issuer)
        await browser.close()


def saying(**claims: Any) -> Callable[[Claims], Claims]:
    return lambda said: {**said, **claims}


def lacking(name: str) -> Callable[[Claims], Claims]:
    return lambda said: {key: value for key, value in said.items() if key != name}


def later(seconds: int) -> Callable[[Claims], Claims]:
    """The whole token as if it was made so much later."""
    return lambda said: {**said, "iat": said["iat"] + seconds, "exp": said["exp"] + seconds}


CLAIMS = [
    (saying(iss="http://issuer.localhost/other"), "of another issuer"),
    (saying(iss="http://issuer.localhost/dev/issuer/"), "of another issuer"),
    (lacking("iss"), "of another issuer"),
    (saying(aud="somebody-else"), "for another audience"),
    (saying(aud=["somebody-else", "else"]), "for another audience"),
    (lacking("aud"), "for another audience"),
    (saying(aud=["laelo-development", "else"]), "for another party"),
    (saying(azp="somebody-else"), "for another party"),
    (saying(nonce="another"), "(nonce)"),
    (saying(nonce=None), "(nonce)"),
    (lacking("nonce"), "(nonce)"),
    (later(-400), "has expired"),
    (lambda said: {**said, "exp": said["iat"] - 61}, "has expired"),
    (lacking("exp"), "when it was made"),
    (saying(exp="tomorrow"), "when it was made"),
    (saying(exp=True), "when it was made"),
    (saying(exp=10**400), "when it was made"),
    (saying(exp=float("inf")), "when it was made"),
    (saying(nbf=float("nan")), "when it was made"),
    (lacking("iat"), "when it was made"),
    (later(90), "not valid yet"),
    (lambda said: {**said, "nbf": said["iat"] + 90}, "not valid yet"),
    (lambda said: {**said, "iat": said["iat"] - 700}, "too old"),
    (lacking("sub"), "whom it is about"),
    (saying(sub=""), "whom it is about"),
    (saying(sub=7), "whom it is about"),
    (saying(sub="x" * 256), "whom it is about"),
]

SIGNATURES = [
    (faults.unsigned, "signed with 'none', which is not accepted"),
    (faults.with_public_key, "signed with 'HS256', which is not accepted"),
    (faults.with_weak_algorithm, "signed with 'RS512', which is not accepted"),
    (faults.with_other_key, "signature is wrong"),
    (faults.with_unknown_key, "key that the issuer does not show"),
    (faults.with_own_key, "key that the issuer does not show"),
    (faults.altered, "signature is wrong"),
    (faults.garbled, "no signed token"),
]


async def refused(house: House) -> str:
    """Try to sign in; what the page says."""
    answer = await house.browser.sign_in("ana")
    assert (await house.browser.account())["signed_in"] is False
    assert "laelo_session" not in house.browser.cookie
    assert answer.status_code == 403
    return answer.text.replace("&#x27;", "'")


@pytest.mark.parametrize(("change", "words"), CLAIMS)
async def test_a_token_that_says_something_wrong_is_refused(
    house: House, change: Callable[[Claims], Claims], words: str
) -> None:
    house.issuer.change = change
    assert words in await refused(house)
    house.issuer.change = lambda claims: claims
    assert (await house.browser.sign_in("ana")).status_code == 303


@pytest.mark.parametrize(("signs", "words"), SIGNATURES)
async def test_a_token_that_is_signed_wrongly_is_refused(
    house: House, signs: Callable[[FaultyIssuer, Claims], str], words: str
) -> None:
    house.issuer.signs = signs
    assert words in await refused(house)
    house.issuer.signs = None
    assert (await house.browser.sign_in("ana")).status_code == 303


@pytest.mark.parametrize(
    "change",
    [
        later(50),
        lambda said: {**said, "iat": said["iat"] - 30, "exp": said["iat"] - 30},
        saying(aud=["laelo-development"]),
        saying(azp="laelo-development", aud=["else", "laelo-development"]),
        saying(email="ana@example.org", name="Ana"),
    ],
)
async def test_clocks_may_differ_a_little_and_what_else_is_said_does_not_matter(
    house: House, change: Callable[[Claims], Claims]
) -> None:
    house.issuer.change = change
    assert (await house.browser.sign_in("ana")).status_code == 303


async def test_a_new_key_is_found_without_waiting(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached, "PAUSE_SECONDS", 0.0)
    assert (await house.browser.sign_in("ana")).status_code == 303
    house.issuer.rotate()
    assert (await house.browser.sign_in("bia")).status_code == 303
    assert house.issuer.asked_for_keys == 2


async def test_odd_keys_do_not_make_us_ask_again_and_again(house: House) -> None:
    house.issuer.signs = faults.with_unknown_key
    for _ in range(5):
        await refused(house)
    assert house.issuer.asked_for_keys == 1


async def test_known_keys_serve_through_an_outage(house: House) -> None:
    assert (await house.browser.sign_in("ana")).status_code == 303
    house.issuer.keys_are_out = True
    assert (await house.browser.sign_in("bia")).status_code == 303


async def test_without_any_keys_one_is_asked_to_come_later(house: House) -> None:
    house.issuer.keys_are_out = True
    answer = await house.browser.sign_in("ana")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "answers with 503" in answer.text
    house.issuer.keys_are_out = False
    assert (await house.browser.sign_in("ana")).status_code == 303


async def test_a_new_key_during_an_outage_is_not_taken_for_a_wrong_one(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached, "PAUSE_SECONDS", 0.0)
    assert (await house.browser.sign_in("ana")).status_code == 303
    house.issuer.rotate()
    house.issuer.keys_are_out = True
    assert (await house.browser.sign_in("ana")).status_code == 503
