"""One person's way through a championship, from the card on the home page to the ranking.

Nothing is staged: a whole platform with its clocks at a tenth, one Chromium and seven bots.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from .conftest import RESULTS, Visits
from .house import NAMES, House
from .page import Player
from .test_at_the_table import play_until
from .test_whole_match import play_a_turn
from .way import Way

PHONE, DESKTOP = (390, 844), (1280, 800)
NAME = "Anna das Pedras"
POINTS = {1: 8, 2: 4, 3: 2, 4: 1}
"""What the places of eight people are worth (R39)."""

OVER = ("out", "champion")
WHILE_OTHERS_PLAY = 240_000
"""How long the matches of bots may take, in milliseconds."""

BOOKED = "async () => 'own' in await (await fetch('/api/ranking')).json()"


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    try:
        yield house
    finally:
        house.close()


@pytest.fixture
def visits(browser: Browser, house: House) -> Iterator[Visits]:
    RESULTS.mkdir(parents=True, exist_ok=True)
    visits = Visits(browser, house.url)
    yield visits
    assert visits.close() == []


def test_the_way_of_one_person(house: House, visits: Visits) -> None:
    way = Way(house, visits.new(PHONE))
    house.come(6)
    sign_up(way)
    join(way)
    practise(way)
    lobby = way.player.beside(f"{house.url}/campeonato")
    be_called(way, lobby)
    while way.play_a_match() not in OVER:
        answer_the_next_call(way, lobby)
    lobby.page.close()
    see_who_was_who(way)
    see_the_ranking(way)
    go_back(way)
    house.see_through()
    assert way.ear.leaks({*NAMES, *house.ids}) == []
    for locale in ("es-AR", "en-GB"):
        look_at_a_desktop(way, visits.new(DESKTOP, locale), locale[:2])


def sign_up(way: Way) -> None:
    """From the card to an account with a nickname."""
    player = way.player
    player.open()
    card = player.by("cup")
    expect(card.get_by_test_id("queue-count")).to_have_attribute("data-count", "6")
    card.scroll_into_view_if_needed()
    way.picture("home", whole=True)
    card.get_by_test_id("sign-in").click()
    player.page.locator('[name="subject"]').fill("anna")
    way.picture("sign-in")
    player.page.get_by_role("button", name="Sign in").click()
    expect(player.page).to_have_url(re.compile("/campeonato$"))
    expect(player.by("dev-banner")).to_be_visible()
    player.by("cup-name").click()
    player.by("account-name").fill(NAME)
    way.picture("nickname")
    player.by("account-name-save").click()
    expect(player.page).to_have_url(re.compile("/campeonato$"))


def join(way: Way) -> None:
    """Into the queue, as the seventh."""
    player = way.player
    expect(player.by("queue-join")).to_be_visible()
    way.picture("lobby", whole=True)
    player.by("queue-join").click()
    expect(player.by("queue-joined")).to_have_attribute("data-ahead", "6")
    expect(player.by("queue-count")).to_have_attribute("data-count", "7")
    way.picture("joined", whole=True)


def practise(way: Way) -> None:
    """A table with bots while the queue fills up."""
    player = way.player
    player.by("practise").click()
    play_until(player, "play")
    way.picture("practice")
    play_a_turn(player, "play")


def be_called(way: Way, lobby: Player) -> None:
    """The eighth comes: the call is loud in both windows, one answers, and both are at rest."""
    player = way.player
    expect(lobby.by("queue-joined")).to_have_attribute("data-ahead", "6")
    way.house.come(1)
    # Where the machine is so slow that the wait is over before one looks, the call is there.
    expect(lobby.by("queue-clock").or_(lobby.by("call")).first).to_be_visible()
    way.picture("about-to-start", lobby, whole=True)
    for tab in (player, lobby):
        expect(tab.by("call")).to_be_visible()
        expect(tab.page).to_have_title(re.compile("Sua partida"))
        expect(tab.by("call").locator(".digits")).to_have_text(re.compile(r"^\d+$"))
        expect(tab.by("call-ready")).to_be_focused()
    expect(player.by("call")).to_contain_text("O treino fica para depois.")
    way.picture("called")
    way.picture("called-beside", lobby)
    for tab in (player, lobby):
        way.nobody_is_known(tab)
    way.answer()
    expect(lobby.by("call")).to_have_count(0)
    expect(lobby.by("call-strip")).to_be_visible()
    expect(lobby.page).not_to_have_title(re.compile("Sua partida"))
    lobby.by("cup-bracket").click()
    expect(lobby.by("own-team")).to_have_attribute("data-standing", "plays")
    way.picture("bracket-while-playing", lobby, whole=True)
    way.nobody_is_known(lobby)


def answer_the_next_call(way: Way, lobby: Player) -> None:
    """Called again, in both windows."""
    for tab in (way.player, lobby):
        expect(tab.by("call")).to_be_visible(timeout=WHILE_OTHERS_PLAY)
        way.nobody_is_known(tab)
    way.picture("called-again")
    way.answer()


def see_who_was_who(way: Way) -> None:
    """The team is placed: its names are shown, and when it is over all names and the draw."""
    player = way.player
    player.by("after-bracket").click()
    own = player.by("own-team")
    expect(own).to_have_attribute("data-standing", re.compile("|".join(OVER)))
    mine = way.ear.brackets()[-1]["mine"]["team"]
    expect(player.by(f"placed-{mine}")).to_contain_text(NAME)
    way.picture("revealed", whole=True)
    bracket = player.page.locator('[data-testid="bracket"][data-stage="over"]')
    expect(bracket).to_be_visible(timeout=WHILE_OTHERS_PLAY)
    team = way.ear.brackets()[-1]["teams"][mine - 1]
    best, worst = team["place"]
    assert best == worst
    assert team["points"] == POINTS[best]
    for name in (NAME, *NAMES):
        expect(player.page.locator(".places")).to_contain_text(name)
    expect(player.by("draw")).to_have_attribute("data-kept", "true")
    way.picture("over", whole=True)
    player.by("tab-F").click()
    way.picture("final", whole=True)


def see_the_ranking(way: Way) -> None:
    """The points of the place stand in this week's ranking."""
    player = way.player
    bracket = way.ear.brackets()[-1]
    points = bracket["teams"][bracket["mine"]["team"] - 1]["points"]
    player.await_promise(BOOKED)
    player.by("to-championships").click()
    expect(player.by("queue-join")).to_be_visible()
    expect(player.by("taken-out")).to_have_count(0)
    way.picture("lobby-after", whole=True)
    player.by("to-ranking").click()
    row = player.by("own-row")
    expect(row).to_contain_text(NAME)
    expect(row.locator(".points")).to_have_text(str(points))
    expect(player.by("ranking").locator("tbody tr")).to_have_count(8)
    way.picture("ranking")


def go_back(way: Way) -> None:
    """Back the way one came."""
    player = way.player
    championship = way.ear.brackets()[-1]["id"]
    player.page.go_back()
    expect(player.page).to_have_url(re.compile("/campeonato$"))
    expect(player.by("queue-join")).to_be_visible()
    player.page.go_back()
    expect(player.page).to_have_url(re.compile(f"/campeonato/{championship}$"))
    expect(player.by("own-team")).to_be_visible()
    player.page.go_back()
    expect(player.page).to_have_url(re.compile("/t/"))
    expect(player.page.locator(".loading")).to_have_count(0)
    way.picture("back-at-the-table")
    player.page.go_forward()
    expect(player.by("own-team")).to_be_visible()
    player.by("to-home").click()
    expect(player.by("top").locator("li")).to_have_count(3)
    expect(player.by("resume")).to_have_count(0)
    way.picture("home-after", whole=True)


def look_at_a_desktop(way: Way, desktop: Player, language: str) -> None:
    """The same person at a large screen, in another language."""
    desktop.context.add_cookies(way.player.context.cookies())  # type: ignore[arg-type]
    desktop.open(f"/campeonato/{way.ear.brackets()[-1]['id']}")
    expect(desktop.page.locator("html")).to_have_attribute("lang", re.compile(language))
    expect(desktop.by("tree")).to_be_visible()
    expect(desktop.by("own-team")).to_be_visible()
    way.picture(f"desktop-bracket-{language}", desktop, whole=True)
    desktop.open("/ranking")
    expect(desktop.by("own-row")).to_contain_text(NAME)
    way.picture(f"desktop-ranking-{language}", desktop)
