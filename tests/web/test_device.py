"""What a phone lends to the page, played by stand-ins: its way to share, its buzz."""

import re

from playwright.sync_api import expect

from . import views
from .conftest import Visits
from .page import Player
from .stage import ANNA, GUEST, TABLE, Stage, called, queue

PHONE = (390, 844)
PAST = f"/partida/{TABLE}/1"
SHARES = """
window.shared = [];
window.fails = null;
navigator.share = async (data) => {
    if (window.fails) throw new DOMException("", window.fails);
    window.shared.push(data.files ? data.files.map(({ name, type }) => `${name} ${type}`) : data);
};
navigator.canShare = () => true;
"""
BUZZES = """
window.buzzes = [];
navigator.vibrate = (pattern) => { window.buzzes.push(pattern); return true; };
"""


def at_the_lobby(alone: Visits, stand_in: str) -> Player:
    """The host of a table with two people."""
    player = alone.new(PHONE)
    player.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player.context.add_init_script(stand_in)
    stage = Stage(player.context, GUEST, {})
    stage.on["watch"] = [views.seen(views.lobby(2), TABLE)]
    player.open(f"/t/{TABLE}")
    return player


def test_a_link_is_shared_by_the_phone_itself_else_copied(alone: Visits) -> None:
    player = at_the_lobby(alone, SHARES)
    link = player.by("table-link").input_value()
    player.by("share").click()
    player.page.wait_for_function("() => window.shared.length === 1")
    assert player.page.evaluate("window.shared[0].url") == link
    player.page.evaluate("window.fails = 'AbortError'")
    player.by("share").click()
    player.page.evaluate("window.fails = 'NotAllowedError'")
    player.by("share").click()
    player.await_toast("Link copiado")
    told = player.page.evaluate("window.toasts.filter((text) => text.includes('copiado')).length")
    assert told == 1, "who changes their mind is not told"
    assert player.page.evaluate("navigator.clipboard.readText()") == link


def test_where_nothing_can_be_shared_no_button_says_so(alone: Visits) -> None:
    player = at_the_lobby(alone, "delete Navigator.prototype.share")
    expect(player.by("copy")).to_be_visible()
    expect(player.by("share")).to_have_count(0)


def test_a_hand_is_shared_as_text_and_as_picture(alone: Visits) -> None:
    player = alone.new(PHONE)
    player.context.add_init_script(SHARES)
    told = {**views.replayed(), "table": TABLE}
    Stage(player.context, GUEST, {f"/api/replays/{TABLE}/1?hand=1": told})
    player.open(PAST)
    player.by("menu").click()
    player.by("share-text").click()
    player.page.wait_for_function("() => window.shared.length === 1")
    text = player.page.evaluate("window.shared[0].text")
    assert text.endswith(f"{PAST}?mao=1")
    player.by("share-picture").click()
    player.page.wait_for_function("() => window.shared.length === 2")
    assert player.page.evaluate("window.shared[1]") == ["la-e-lo.png image/png"]
    player.by("copy-link").click()
    player.page.wait_for_function("() => window.shared.length === 3")
    assert player.page.evaluate("window.shared[2].url").endswith(f"{PAST}?mao=1")


def test_the_phone_buzzes_for_a_call_once_it_was_touched(alone: Visits) -> None:
    player = alone.new(PHONE)
    player.context.add_init_script(BUZZES)
    stage = Stage(player.context, ANNA, {})
    stage.on["queue.watch"] = [queue(7, ahead=6)]
    player.open()
    player.by("settings").click()
    player.by("sheet-close").click()
    expect(player.by("cup-waiting")).to_be_visible()
    stage.tell(called())
    player.page.wait_for_function("() => window.buzzes.length > 0")
    assert player.page.evaluate("window.buzzes[0]") == [200, 100, 200, 100, 200]
    player.by("call-quiet").click()
    expect(player.by("call")).to_have_count(0)
    expect(player.page).to_have_title(re.compile("^Lá e Lô"))


def test_the_invitation_is_there_to_be_photographed(alone: Visits) -> None:
    player = at_the_lobby(alone, "")
    expect(player.by("code")).to_have_text(re.compile("^[A-HJ-NP-Z2-9]{6}$"))
    code = player.page.locator(".qr")
    expect(code).to_have_accessible_name(re.compile(r"\w"))
    expect(code.locator("path")).to_have_attribute("d", re.compile("^M2 2h1v1h-1z"))
