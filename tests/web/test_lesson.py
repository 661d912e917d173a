"""The first match with hints: offered once, true at each turn, left at any time."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import Visits
from .page import Player
from .test_at_the_table import play_until
from .test_whole_match import play_a_turn

SIZES = {"small": (320, 568), "landscape": (844, 390), "desktop": (1280, 800)}
LANGUAGES = {"small": "pt-BR", "landscape": "es-AR", "desktop": "en-GB"}
TASKS = {
    "play": {"open_double", "open_any", "one_fits", "some_fit", "last"},
    "pass": {"pass"},
    "choose": {"choose"},
}


def begin(player: Player) -> None:
    """From the home page to the first match with hints."""
    player.open()
    player.by("learn").click()
    expect(player.by("lesson")).to_be_visible()


def test_a_whole_match_is_hinted(visits: Visits) -> None:
    player = visits.new((390, 844))
    begin(player)
    topics: list[str] = []
    while not {"partner", "fit"} <= set(topics):
        what = player.await_something_to_do()
        assert what != "match-end"
        if what == "hand-end":
            player.await_next_hand()
            continue
        lesson = player.by("lesson")
        assert lesson.get_attribute("data-task") in TASKS[what]
        expect(player.by("lesson-line")).not_to_be_empty()
        topic = lesson.get_attribute("data-topic")
        if topic and topic not in topics:
            topics.append(topic)
            player.picture(f"lesson-{topic}")
        play_a_turn(player, what)
    assert topics[0] in {"partner", "must_pass"}
    player.play_on()
    player.await_match_end()
    expect(player.by("lesson-done")).to_be_visible()
    player.picture("lesson-done")
    player.by("lesson-rules").click()
    expect(player.page).to_have_url(re.compile("/regras$"))
    player.open()
    expect(player.by("quick")).to_be_visible()
    expect(player.by("learn")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_card_tells_one_thing_and_goes(visits: Visits, size: str) -> None:
    player = visits.new(SIZES[size], LANGUAGES[size])
    begin(player)
    play_until(player, "play")
    card = player.by("lesson-card")
    expect(card).to_be_visible()
    player.picture(f"lesson-card-{size}")
    told = card.locator("p").inner_text()
    expect(player.by("live")).to_contain_text(told)
    player.by("lesson-ok").click()
    expect(card).to_have_count(0)
    player.by("lesson-again").click()
    expect(card.locator("p")).to_have_text(told)


def test_hints_stop_and_the_match_goes_on(visits: Visits) -> None:
    player = visits.new((390, 844))
    begin(player)
    play_until(player, "play")
    player.page.reload()
    expect(player.by("lesson")).to_be_visible()
    held = player.tiles_in_hand()
    player.by("lesson-stop").click()
    expect(player.by("lesson")).to_have_count(0)
    assert player.tiles_in_hand() == held
    play_a_turn(player, "play")
    expect(player.by("lesson")).to_have_count(0)


def test_who_declines_is_not_asked_again(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.open()
    player.by("learn-no").click()
    expect(player.by("learn")).to_have_count(0)
    player.page.reload()
    expect(player.by("quick")).to_be_visible()
    expect(player.by("learn")).to_have_count(0)
    player.open("/regras")
    player.by("learn").click()
    expect(player.by("lesson")).to_be_visible()
