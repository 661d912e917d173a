"""Of two windows of a person the newer one holds the seat, and both are told."""

from playwright.sync_api import expect

from .conftest import Visits
from .test_at_the_table import play_until
from .test_whole_match import play_a_turn


def test_a_newer_window_takes_the_seat(visits: Visits) -> None:
    player = visits.new((1280, 800))
    player.play_bots()
    play_until(player, "play")
    held = player.tiles_in_hand()
    newer = player.beside(player.page.url)
    newer.await_toast("Agora você joga nesta janela")
    newer.picture("window-newer")
    expect(player.by("ended-taken")).to_be_visible()
    player.picture("window-older")
    assert newer.await_something_to_do() == "play"
    assert newer.tiles_in_hand() == held
    play_a_turn(newer, "play")

    player.by("ended-action").click()
    expect(player.by("ended-taken")).to_be_hidden()
    expect(newer.by("ended-taken")).to_be_visible()
    assert player.await_something_to_do() in {"play", "pass", "choose", "hand-end"}


def test_a_window_that_is_loaded_again_is_no_newer_one(visits: Visits) -> None:
    player = visits.new((390, 844))
    player.play_bots()
    play_until(player, "play")
    player.page.reload()
    assert player.await_something_to_do() == "play"
    expect(player.by("toast")).to_be_empty()
    expect(player.by("ended-taken")).to_be_hidden()
