"""A championship's match again: there from the bracket and back, and nobody named too early."""

from playwright.sync_api import expect

from . import views
from .conftest import Visits
from .page import Player
from .stage import ANNA, CHAMPIONSHIP, TABLE, Stage, bracket

PHONE, DESKTOP = (390, 844), (1280, 800)
AGAIN = f"/partida/{TABLE}/1"
OVER = {"W1-1": {"teams": [1, 2], "table": TABLE, "winner": 1, "scores": [6, 4]}}
OTHERS = sorted(set(views.NAMES.values()) - {"Anna"})
SAYS = "names => names.filter((name) => document.documentElement.outerHTML.includes(name))"


def come(alone: Visits, size: tuple[int, int], is_revealed: bool) -> Player:
    """One of those who played it, at the bracket."""
    player = alone.new(size)
    past = views.replayed_in_a_championship(is_revealed)
    told = {**past, "table": TABLE, "championship": CHAMPIONSHIP}
    stage = Stage(player.context, ANNA, {f"/api/replays/{TABLE}/1?hand=1": told})
    stage.on["bracket.watch"] = [bracket(OVER, mine={"team": 1, "animal": "bode"})]
    player.open(f"/campeonato/{CHAMPIONSHIP}")
    return player


def test_animals_are_animals_until_they_may_be_named(alone: Visits) -> None:
    player = come(alone, PHONE, is_revealed=False)
    player.by("path").get_by_test_id("again-W1-1").click()
    expect(player.by("track")).to_be_visible()
    assert player.page.url.partition("?")[0].endswith(AGAIN)
    expect(player.by("held-1")).to_be_visible()
    for animal in ("Arraia", "Asa-branca", "Bem-te-vi"):
        expect(player.page.locator(".seats")).to_contain_text(animal)
    player.by("last").click()
    player.by("menu").click()
    expect(player.by("moves")).to_be_visible()
    assert player.page.evaluate(SAYS, list(views.NAMES.values())) == []


def test_who_was_who_stands_beside_the_animal_afterwards(alone: Visits) -> None:
    player = come(alone, DESKTOP, is_revealed=True)
    player.by("tree").get_by_test_id("again-W1-1").click()
    expect(player.page.locator(".seats")).to_contain_text("Zé Ramalho, Asa-branca")
    assert player.page.evaluate(SAYS, OTHERS) == OTHERS


def test_from_the_bracket_to_the_match_and_back(alone: Visits) -> None:
    player = come(alone, PHONE, is_revealed=False)
    player.by("tab-W1").click()
    player.by("again-W1-1").click()
    expect(player.by("track")).to_be_visible()
    player.by("menu").click()
    player.by("to-bracket").click()
    expect(player.by("bracket")).to_be_visible()
    player.page.go_back()
    expect(player.by("track")).to_be_visible()
    player.page.go_back()
    expect(player.by("own-team")).to_be_visible()
