"""Bot accounts: made and revoked on a page, known by their mark, and never in championships."""

import html
import re

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.errors import Code, LaeloError
from laelo_gateway.bots.store import MOST
from laelo_gateway.championships.hall import Hall
from laelo_gateway.domain.account_name import account_name
from laelo_gateway.domain.bot_name import MARK, bot_name, is_bot
from laelo_gateway.domain.nickname import LONGEST, BadNickname, nickname
from laelo_gateway.people import BOT_TOKEN
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import Gateway
from websockets.exceptions import ConnectionClosed

PATH = "/auth/bots"


@given(st.text(max_size=30))
def test_no_person_can_bear_the_name_of_a_bot(text: str) -> None:
    for name in (nickname, account_name):
        try:
            assert not is_bot(name(text))
            assert not is_bot(name(text + MARK))
        except BadNickname:
            pass
    try:
        made = bot_name(text)
    except BadNickname:
        return
    assert is_bot(made)
    assert len(made) <= LONGEST


async def form(browser: Browser, *, origin: bool = True, **fields: str) -> httpx.Response:
    headers = {"origin": browser.base} if origin else {}
    return await browser.http.post(PATH, data=fields, headers=headers)


async def make(browser: Browser, name: str) -> str:
    """A new bot's token."""
    answer = await form(browser, name=name)
    assert answer.status_code == 200, answer.text
    found = re.search(rf"<code>({BOT_TOKEN}[\w-]+)</code>", answer.text)
    assert found is not None
    return found[1]


def bots_of(page: str) -> dict[str, str]:
    """Ids by name, as the page shows them."""
    rows = re.findall(r"<b>([^<]+)</b><button name=\"revoke\" value=\"(\w+)\"", page)
    return {html.unescape(name): bot for name, bot in rows}


async def test_a_bot_comes_in_under_its_marked_name(gateway: Gateway, ana: Browser) -> None:
    token = await make(ana, "Rex")
    bot = await gateway.join(token=token, name="Ana")
    assert (bot.me["name"], bot.me.get("token")) == ("Rex [bot]", None)
    again = await gateway.join(token=token)
    assert again.me["id"] == bot.me["id"]


async def test_a_token_is_shown_once(ana: Browser) -> None:
    token = await make(ana, "Rex")
    page = (await ana.http.get(PATH)).text
    assert list(bots_of(page)) == ["Rex [bot]"]
    assert token not in page
    assert BOT_TOKEN not in page


async def test_a_revoked_bot_is_gone_at_once_and_comes_no_more(
    gateway: Gateway, ana: Browser
) -> None:
    token = await make(ana, "Rex")
    bot = await gateway.join(token=token)
    other = await gateway.join()
    page = (await ana.http.get(PATH)).text
    assert (await form(ana, revoke=bots_of(page)["Rex [bot]"])).status_code == 200
    with pytest.raises(ConnectionClosed) as closed:
        await bot.next(lambda _: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4001
    late = await gateway.connect()
    answer = await late.ask("hello", d={"proto": 1, "token": token})
    assert (answer["t"], answer["d"]["code"]) == ("nack", "SIGN_IN")
    await other.send("ping", d={"client": 1})
    assert (await other.next(lambda frame: frame["t"] == "pong"))["d"]["client"] == 1


async def test_a_bot_that_was_revoked_elsewhere_is_found_out(
    gateway: Gateway, ana: Browser
) -> None:
    bot = await gateway.join(token=await make(ana, "Rex"))
    await gateway.bots.check()
    await bot.send("ping", d={"client": 1})
    await bot.next(lambda frame: frame["t"] == "pong")
    gateway.people.people.clear()
    store = gateway.bots._store
    assert await store.living([bot.me["id"]]) == {bot.me["id"]}
    store.owners.clear()  # type: ignore[attr-defined]
    await gateway.bots.check()
    with pytest.raises(ConnectionClosed):
        await bot.next(lambda _: False)


async def test_one_has_so_many_bots(ana: Browser) -> None:
    for number in range(MOST):
        await make(ana, f"Rex {number}")
    answer = await form(ana, name="One More")
    assert (answer.status_code, f"{MOST} bots are the most" in answer.text) == (400, True)


@pytest.mark.parametrize("name", ["", "x", "Rex [bot]", "fifteen letters", "admin"])
async def test_names_that_cannot_be_are_refused(ana: Browser, name: str) -> None:
    assert (await form(ana, name=name)).status_code == 400
    assert bots_of((await ana.http.get(PATH)).text) == {}


async def test_only_ones_own_page_makes_and_revokes_ones_own(
    gateway: Gateway, ana: Browser
) -> None:
    assert (await form(ana, origin=False, name="Rex")).status_code == 400
    await make(ana, "Rex")
    bot = bots_of((await ana.http.get(PATH)).text)["Rex [bot]"]
    bia = Browser(ana.base)
    try:
        assert (await form(bia, name="Rex")).status_code == 401
        assert "/auth/sign-in" in (await bia.http.get(PATH)).text
        await bia.sign_in("bia")
        assert (await form(bia, revoke=bot)).status_code == 400
        assert bots_of((await bia.http.get(PATH)).text) == {}
    finally:
        await bia.close()
    assert bot in bots_of((await ana.http.get(PATH)).text).values()


async def test_a_bot_waits_for_no_championship(gateway: Gateway, ana: Browser) -> None:
    await make(ana, "Rex")
    (bot,) = gateway.people.people.values()
    assert is_bot(bot.name)
    with pytest.raises(LaeloError) as refused:
        Hall._known(bot, joins=True)
    assert refused.value.code is Code.SIGN_IN


@pytest.mark.parametrize(
    ("language", "title"), [("pt", "Seus bots"), ("es", "Tus bots"), ("en", "Your bots")]
)
async def test_the_page_speaks_three_languages(ana: Browser, language: str, title: str) -> None:
    answer = await ana.http.get(PATH, headers={"accept-language": language})
    assert f"<h1>{title}</h1>" in answer.text
    assert (await ana.http.get(f"{PATH}/style.css")).headers["content-type"].startswith("text/css")
