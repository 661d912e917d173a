"""Settings that go with an account: merged, checked, exported and deleted with it."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laelo_gateway.accounts.api import SETTINGS
from laelo_gateway.accounts.preferences import Merge, Preferences
from laelo_gateway.testing.accounts import Browser, MemoryAccounts
from laelo_gateway.testing.gateway import Gateway, MemoryPeople

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "web" / "src" / "state" / "settings.ts").read_text()
OF_THE_DEVICE = {"voiceName", "name"}
WHERE = "/api/account/settings"

SWITCHES = ("dim", "confirm", "colours", "sounds", "voice", "motion", "letters", "forced")
documents = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.booleans() for name in SWITCHES},
        "tiles": st.sampled_from(["small", "normal", "large"]),
        "theme": st.sampled_from(["auto", "light", "dark"]),
        "lang": st.sampled_from(["pt", "es", "en", None]),
    },
)


@given(documents, documents)
def test_what_is_sent_is_what_is_kept(changed: dict[str, Any], otherwise: dict[str, Any]) -> None:
    text = msgspec.json.encode({"changed": changed, "otherwise": otherwise})
    merge = msgspec.json.decode(text, type=Merge)
    assert merge.changed.kept() == changed
    assert merge.otherwise.kept() == otherwise


def test_it_is_all_that_the_page_can_set_but_what_belongs_to_the_device() -> None:
    shape = PAGE.split("export interface Settings {")[1].split("\n}")[0]
    names = set(re.findall(r"readonly (\w+):", shape))
    assert names - OF_THE_DEVICE == set(Preferences.__struct_fields__)


@given(st.lists(st.tuples(documents, documents), max_size=5))
async def test_the_newest_change_holds_and_gaps_are_filled_once(
    told: list[tuple[dict[str, Any], dict[str, Any]]],
) -> None:
    store = MemoryAccounts(MemoryPeople())
    expected: dict[str, Any] = {}
    for changed, otherwise in told:
        for name, value in otherwise.items():
            expected.setdefault(name, value)
        expected.update(changed)
        assert await store.merge_settings("ana", changed, otherwise) == expected


async def test_a_second_device_finds_what_the_first_one_set(gateway: Gateway, ana: Browser) -> None:
    begun = await ana.send(WHERE, {"otherwise": {"theme": "dark", "motion": False}})
    assert (begun.status_code, begun.json()) == (200, {"theme": "dark", "motion": False})
    assert begun.headers["cache-control"] == "no-store"
    phone = Browser(ana.base)
    await phone.sign_in("ana")
    met = await phone.send(WHERE, {"otherwise": {"theme": "light", "tiles": "large"}})
    assert met.json() == {"theme": "dark", "motion": False, "tiles": "large"}
    await phone.send(WHERE, {"changed": {"theme": "auto", "lang": None}})
    await phone.close()
    now = (await ana.send(WHERE)).json()
    assert now == {"theme": "auto", "motion": False, "tiles": "large", "lang": None}


async def test_they_are_exported_and_go_with_the_account(ana: Browser) -> None:
    await ana.send(WHERE, {"changed": {"dim": False}})
    exported = (await ana.http.get("/api/account/export")).json()
    assert exported["account"]["settings"] == {"dim": False}
    await ana.send("/api/account", method="DELETE")
    await ana.sign_in("ana")
    assert (await ana.send(WHERE)).json() == {}


ODD: list[Any] = [
    {"changed": {"dim": "yes"}},
    {"changed": {"theme": "pink"}},
    {"changed": {"tiles": None}},
    {"otherwise": {"lang": "fr"}},
    {"changed": []},
    {"changed": {"dim": True, "far": "too long" * 600}},
]


@pytest.mark.parametrize("body", ODD)
async def test_what_is_no_setting_is_refused(ana: Browser, body: Any) -> None:
    refused = await ana.send(WHERE, body)
    assert (refused.status_code, refused.json()["code"]) == (400, "BAD_REQUEST")
    assert (await ana.send(WHERE)).json() == {}


async def test_what_only_another_version_knows_is_left_out(ana: Browser) -> None:
    told = await ana.send(WHERE, {"changed": {"dim": True, "glitter": 7}})
    assert told.json() == {"dim": True}


async def test_only_who_is_signed_in_has_any(gateway: Gateway) -> None:
    guest = Browser(f"http://127.0.0.1:{gateway.port}")
    refused = await guest.send(WHERE, {"changed": {"dim": True}})
    assert (refused.status_code, refused.json()["code"]) == (401, "SIGN_IN")
    await guest.close()


async def test_telling_them_without_end_is_slowed_down(ana: Browser) -> None:
    codes = [(await ana.send(WHERE)).status_code for _ in range(int(SETTINGS[1]) + 3)]
    assert codes[0] == 200
    assert codes[-1] == 429


async def test_while_the_store_is_away_they_are_to_be_told_later(
    gateway: Gateway, ana: Browser
) -> None:
    gateway.people.is_away = True
    refused = await ana.send(WHERE, {"changed": {"dim": True}})
    assert (refused.status_code, refused.json()["code"]) == (503, "TRY_LATER")
