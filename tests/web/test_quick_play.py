"""Quick play: with people if somebody waits, with bots if not, and never a long wait."""

from playwright.sync_api import expect

from .conftest import Visits

WITHIN_MS = 10_000


def test_alone_one_plays_with_bots_soon(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.open()
    player.by("quick").click()
    expect(player.by("starts-in")).to_contain_text("Começa em")
    player.picture("quick-phone")
    expect(player.page.locator(".hand-tile")).to_have_count(6, timeout=WITHIN_MS)


def test_two_who_look_for_a_table_find_each_other(visits: Visits) -> None:
    first, second = visits.new(), visits.new((390, 844), "en-GB")
    for player in (first, second):
        player.open()
    first.by("quick").click()
    expect(first.by("starts-in")).to_be_visible()
    second.by("quick").click()
    expect(second.page.locator(".table-page")).to_be_visible()
    assert second.page.url == first.page.url
    for player in (first, second):
        expect(player.page.locator(".hand-tile")).to_have_count(6, timeout=WITHIN_MS)


def test_there_is_a_way_out(visits: Visits) -> None:
    player = visits.new((844, 390))
    player.open()
    player.by("quick").click()
    player.by("quit").click()
    expect(player.by("quick")).to_be_visible()
    expect(player.by("resume")).to_have_count(0)
