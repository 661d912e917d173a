"""The rules: a page with addresses for each part, and a sheet over a game that goes on."""

import pytest
from playwright.sync_api import expect

from .conftest import Visits
from .page import Player
from .test_at_the_table import play_until
from .test_whole_match import play_a_turn

LANGUAGES = {"pt": ("pt-BR", "Regras"), "es": ("es-AR", "Reglas"), "en": ("en-GB", "Rules")}


def heading_in_view(player: Player, section: str) -> None:
    """The section's heading is at the top of what is seen, and has the focus."""
    heading = player.page.locator(f"#regras-{section} h2")
    expect(heading).to_be_in_viewport()
    expect(heading).to_be_focused()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_whole_in_every_language(visits: Visits, language: str) -> None:
    locale, title = LANGUAGES[language]
    player = visits.new((390, 844), locale)
    player.open("/regras")
    expect(player.page.get_by_role("heading", level=1)).to_have_text(title)
    expect(player.page.locator(".chapter")).to_have_count(15)
    player.picture(f"rules-{language}")


def test_each_section_and_each_rule_has_an_address(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.open("/regras/tranque")
    heading_in_view(player, "tranque")
    player.open("/regras/r28")
    told = player.page.locator('[data-rules~="28"]')
    expect(told).to_be_in_viewport()
    expect(told).to_contain_text("Buchuda de ré")


def test_every_rule_that_players_need_is_told(visits: Visits) -> None:
    player = visits.new()
    player.open("/regras")
    expect(player.page.locator(".chapter")).to_have_count(15)
    told = player.page.locator("[data-rules]").evaluate_all(
        "all => all.flatMap(one => one.dataset.rules.split(' ').filter(Boolean).map(Number))"
    )
    assert sorted(set(told)) == list(range(1, 45))


def test_contents_lead_on_and_back_leads_back(visits: Visits) -> None:
    player = visits.new((1280, 800))
    player.open()
    player.by("to-rules").click()
    player.by("to-rule-batida").click()
    heading_in_view(player, "batida")
    assert player.page.url.endswith("/regras/batida")
    player.by("to-rule-pontos").click()
    heading_in_view(player, "pontos")
    player.page.go_back()
    heading_in_view(player, "batida")
    player.page.go_back()
    player.page.go_back()
    expect(player.by("quick")).to_be_visible()


def test_language_changes_in_place(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.open("/regras/batida")
    player.by("lang-es").click()
    expect(player.page.get_by_role("heading", level=1)).to_have_text("Reglas")


def test_the_sheet_leaves_the_game_where_it_is(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.play_bots()
    play_until(player, "play")
    table, held = player.page.url, player.tiles_in_hand()
    player.by("menu").click()
    player.by("open-rules").click()
    expect(player.by("rules-sheet")).to_be_visible()
    player.by("to-rule-partida").click()
    heading_in_view(player, "partida")
    player.picture("rules-sheet-phone")
    player.page.keyboard.press("Escape")
    expect(player.by("rules-sheet")).to_have_count(0)
    assert player.page.url == table
    assert player.tiles_in_hand() == held
    play_a_turn(player, "play")
