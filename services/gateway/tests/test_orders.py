"""Who is shut out stays out, and everybody hears what is announced."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_common.errors import LaeloError
from laelo_gateway.accounts.words import LANGUAGES
from laelo_gateway.domain.commands import Person
from laelo_gateway.orders.desk import Orders
from laelo_gateway.orders.store import Announcement, Ban
from laelo_gateway.orders.words import FOR_EVER, shut_out
from laelo_gateway.testing.accounts import Browser
from laelo_gateway.testing.gateway import Gateway, Player
from laelo_gateway.testing.orders import MemoryOrders
from websockets.exceptions import ConnectionClosed

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
LONG = datetime(2999, 1, 1, tzinfo=UTC)
NEWS = Announcement("A1", "Paramos às 22h.", "Paramos a las 22.", "We stop at 22:00.", LONG)


def announced(frame: dict[str, Any]) -> bool:
    return bool(frame["t"] == "announcement")


async def close_code(player: Player) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        await player.next(lambda _: False)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
    st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=50),
    st.sampled_from([*LANGUAGES, "fr", ""]),
)
def test_why_and_until_when_is_told_in_every_language(
    until: datetime, reason: str, language: str
) -> None:
    text = shut_out(Ban(until, reason), language)
    assert reason in text
    assert f"{until - timedelta(hours=3):%H:%M}" in text
    assert f"{(until - timedelta(hours=3)).year}" in text
    assert "Recife" in text
    assert "Recife" not in shut_out(Ban(FOR_EVER, reason), language)


def test_the_three_languages_say_it_differently() -> None:
    ban = Ban(NOW, "insults")
    assert len({shut_out(ban, language) for language in LANGUAGES}) == 3


async def test_a_ban_ends_by_itself() -> None:
    now = [NOW]
    store = MemoryOrders()
    orders = Orders(store, lambda: now[0])
    store.ban("ana", Ban(NOW + timedelta(hours=1), "insults"))
    await orders.check()
    orders.admit(Person("bia", "Bia"), "pt")
    with pytest.raises(LaeloError, match="insults"):
        orders.admit(Person("ana", "Ana"), "pt")
    now[0] += timedelta(hours=1)
    orders.admit(Person("ana", "Ana"), "pt")


async def test_what_holds_is_known_while_the_store_is_away() -> None:
    store = MemoryOrders()
    orders = Orders(store)
    store.ban("ana", Ban(LONG, "insults"))
    store.announce(NEWS)
    await orders.check()
    store.is_away = True
    with pytest.raises(LaeloError):
        await orders.check()
    with pytest.raises(LaeloError, match="insults"):
        orders.admit(Person("ana", "Ana"), "pt")
    assert orders.announcement()


async def test_who_is_shut_out_is_told_and_leaves_everywhere(gateway: Gateway) -> None:
    here = await gateway.join(lang="es")
    there = await gateway.join(token=here.me["token"], lang="en")
    other = await gateway.join()
    gateway.book.ban(here.me["id"], Ban(LONG, "insults"))
    await gateway.house.orders.check()
    for player, word in ((here, "Motivo"), (there, "Reason")):
        told = await player.next(lambda frame: frame["t"] == "nack")
        assert told["d"]["code"] == "BANNED"
        assert f"{word}: insults" in told["d"]["reason"]
        assert await close_code(player) == 4004
    await other.send("ping", d={"client": 1})
    assert await other.next(lambda frame: frame["t"] == "pong")

    again = await gateway.connect()
    refused = await again.ask("hello", d={"proto": 1, "token": here.me["token"], "lang": "pt"})
    assert (refused["t"], refused["d"]["code"]) == ("nack", "BANNED")
    assert "fora do jogo" in refused["d"]["reason"]
    assert await close_code(again) == 4004

    gateway.book.ban(here.me["id"], None)
    await gateway.house.orders.check()
    back = await gateway.join(token=here.me["token"])
    assert back.me["id"] == here.me["id"]


async def test_an_account_is_shut_out_whatever_its_session(gateway: Gateway, ana: Browser) -> None:
    player = await gateway.connect(additional_headers={"cookie": ana.cookie})
    welcome = await player.ask("hello", d={"proto": 1})
    gateway.book.ban(welcome["d"]["me"]["id"], Ban(LONG, "two accounts"))
    await gateway.house.orders.check()
    assert await close_code(player) == 4004
    await ana.sign_in("ana")
    again = await gateway.connect(additional_headers={"cookie": ana.cookie})
    assert (await again.ask("hello", d={"proto": 1}))["d"]["code"] == "BANNED"


async def test_all_hear_of_an_announcement_also_who_comes_later(gateway: Gateway) -> None:
    here = await gateway.join()
    gateway.book.announce(NEWS)
    await gateway.house.orders.check()
    wanted = {"id": "A1", "pt": NEWS.pt, "es": NEWS.es, "en": NEWS.en}
    assert (await here.next(announced))["d"] == wanted
    later = await gateway.join()
    assert (await later.next(announced))["d"] == wanted
    await gateway.house.orders.check()  # it is told once
    gateway.book.announce(None)
    await gateway.house.orders.check()
    for player in (here, later):
        assert (await player.next(announced))["d"] == {"id": ""}
    assert (await gateway.join()).frames[-1]["t"] == "welcome"
