"""A match against three bots, played to its end by what is on the page."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import Visits
from .lines import HeldLine
from .page import ENDS, FITTING, Player

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}
LANGUAGES = {"pt": "pt-BR", "es": "es-AR", "en": "en-GB"}


def play_a_turn(player: Player, what: str) -> None:
    """Do what the page asks for, and wait until it is done."""
    turn = player.turn()
    if what == "pass":
        player.by("pass").click()
    elif what == "choose":
        player.by("choose-me").click()
    else:
        player.lay(player.page.locator(FITTING).first)
    player.await_next_turn(turn)


def play_a_hand(player: Player, name: str) -> set[str]:
    """Play to the end of the hand; all that the page asked for."""
    met: set[str] = set()
    while True:
        what = player.await_something_to_do()
        if what not in met:
            player.picture(f"{name}-{what}")
        met.add(what)
        if what in ENDS:
            return met
        play_a_turn(player, what)


@pytest.mark.parametrize(
    ("device", "language"), [("phone", "pt"), ("phone", "es"), ("desktop", "en")]
)
def test_a_match_against_three_bots(visits: Visits, device: str, language: str) -> None:
    player = visits.new(SIZES[device], LANGUAGES[language])
    # Held, so that it is seen however short the pause is; the other hands play by themselves.
    line = HeldLine(player.page)
    player.open()
    player.picture(f"{device}-{language}-home")
    player.play_bots()
    expect(player.page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))
    assert {"play", "hand-end"} <= play_a_hand(player, f"{device}-{language}")
    line.let_go()
    player.play_on()
    player.await_match_end()
    player.picture(f"{device}-{language}-match-end")
    expect(player.by("fair")).to_have_attribute("data-fair", "true")
    scores = [int(player.by(f"score-{side}").inner_text()) for side in ("us", "them")]
    assert max(scores) >= 6
    assert min(scores) < 6
    if device == "desktop":
        lines = player.by("talk").locator("li").all_inner_texts()
        assert any(re.search(r"Double|!|All ", line) for line in lines)


def test_the_next_match_at_the_same_table(visits: Visits) -> None:
    player = visits.new()
    player.play_bots()
    player.play_on()
    player.await_match_end()
    player.by("next-match").click()
    expect(player.by("match-end")).to_be_hidden()
    expect(player.by("score-us")).to_have_text("0")
    expect(player.by("score-them")).to_have_text("0")
    assert player.await_something_to_do() in {"play", "pass", "hand-end", "choose"}
