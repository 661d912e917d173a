"""Quick play: with people if somebody waits, with bots if not, and always a way out."""

import pytest
from playwright.sync_api import expect

from . import views
from .conftest import Visits
from .page import Player
from .stage import GUEST, TABLE, Stage

OFTEN = 10
"""A table waits 8 s for more people; a machine may be slower than that, but not each time."""


def look_for_a_table(player: Player) -> None:
    """From the home page to a table, whoever sits there."""
    player.open()
    player.by("quick").click()
    expect(player.page.locator(".table-page")).to_be_visible()


def test_alone_one_plays_with_bots_soon(visits: Visits) -> None:
    player = visits.new((390, 844))
    look_for_a_table(player)
    expect(player.page.locator(".hand-tile")).to_have_count(6)


def test_two_who_look_for_a_table_find_each_other(visits: Visits) -> None:
    first, second = visits.new(), visits.new((390, 844), "en-GB")
    for _ in range(OFTEN):
        look_for_a_table(first)
        look_for_a_table(second)
        if second.page.url == first.page.url:
            break
    else:
        pytest.fail("they never met")
    for player in (first, second):
        expect(player.page.locator(".hand-tile")).to_have_count(6)


def test_there_is_a_way_out(alone: Visits) -> None:
    player = alone.new((390, 844))
    stage = Stage(player.context, GUEST, {})
    waits = views.seen(views.lobby(1), TABLE)
    waits["d"]["next_ms"] = 8_000
    stage.on["watch"] = [waits]
    player.open(f"/t/{TABLE}")
    expect(player.by("starts-in")).to_contain_text("Começa")
    player.picture("quick-phone")
    player.by("quit").click()
    expect(player.by("quick")).to_be_visible()
    expect(player.by("resume")).to_have_count(0)
    assert "table.leave" in stage.types()
