"""Who watches, what is said, and whether a deal was fair."""

from playwright.sync_api import expect

from .conftest import Visits
from .lines import HeldLine
from .page import Player
from .test_at_the_table import play_until

PHRASES = 8


def at_one_table(visits: Visits) -> tuple[Player, Player]:
    """Two people at a table who are about to play with two bots."""
    host, guest = visits.new((1280, 800)), visits.new((390, 844), "es-AR")
    host.open()
    host.call_oneself("Anna")
    guest.join(host.open_table(), 2)
    host.by("start").click()
    expect(guest.page.locator(".hand-tile")).to_have_count(6)
    return host, guest


def test_watchers_are_counted_and_see_no_hand(visits: Visits) -> None:
    host, guest = at_one_table(visits)
    watcher = visits.new((844, 390), "en-GB")
    watcher.page.goto(host.page.url)
    expect(watcher.by("board")).to_be_visible()
    expect(watcher.by("hand")).to_have_count(0)
    for player in (host, guest):
        expect(player.by("watchers")).to_contain_text("1")
    watcher.picture("watcher-landscape")
    watcher.page.close()
    expect(host.by("watchers")).to_have_count(0)


def test_a_table_without_an_audience(visits: Visits) -> None:
    host, stranger = visits.new((1280, 800)), visits.new((390, 844))
    host.open()
    code = host.open_table("spectators-no")
    expect(host.by("options")).to_contain_text("sem plateia")
    stranger.open(f"/m/{code}")
    expect(stranger.by("seats-only")).to_be_visible()
    expect(stranger.by("options")).to_contain_text("sem plateia")
    stranger.picture("seats-only-phone")
    stranger.by("sit-any").click()
    expect(stranger.by("get-up")).to_be_visible()


def test_phrases_are_heard_unless_muted(visits: Visits) -> None:
    host, guest = at_one_table(visits)
    guest.by("say").click()
    expect(guest.by("say-sheet").locator(".phrases button")).to_have_count(PHRASES)
    guest.picture("say-phone")
    guest.by("say-well_played").click()
    expect(host.by("talk")).to_contain_text("Boa jogada!")
    expect(guest.by("bubble-2")).to_contain_text("¡Buena jugada!")
    host.picture("said-desktop")
    host.by("say").click()
    host.by("mute-2").check()
    host.by("sheet-close").click()
    guest.by("say").click()
    guest.by("say-thanks").click()
    expect(guest.by("bubble-2")).to_contain_text("¡Gracias!")
    host.by("say").click()
    host.by("say-hello").click()
    expect(host.by("talk")).to_contain_text("Oi, pessoal!")
    expect(guest.by("bubble-0")).to_contain_text("¡Hola a todos!")
    expect(host.by("talk")).not_to_contain_text("Obrigado!")


def test_who_speaks_too_fast_is_told(visits: Visits) -> None:
    player = visits.new()
    player.play_bots()
    # Three at once; on a slow machine the next ones may be in time.
    for _ in range(20):
        player.by("say").click()
        player.by("say-hello").click()
        if player.page.evaluate("window.toasts.length"):
            break
    player.await_toast("Calma")


def test_the_proof_of_a_deal(visits: Visits) -> None:
    player = visits.new((390, 844))
    # A page that was slow to open may have come too late to add to the first deal.
    line = HeldLine(player.page, lambda end: end.get("added"))
    player.play_bots()
    play_until(player, "hand-end")
    while not line.holds:
        player.await_next_hand()
        play_until(player, "hand-end")
    fair = player.by("fair")
    expect(fair).to_have_attribute("data-fair", "true")
    fair.click()
    expect(player.by("proof-sheet")).to_be_visible()
    player.picture("proof-phone")
    for check in ("seed", "added", "tiles"):
        expect(player.by(f"check-{check}")).to_contain_text("confere")
        expect(player.by(f"check-{check}")).not_to_contain_text("não confere")
    expect(player.by("proof-own")).to_have_attribute("data-in", "true")
    assert len(player.by("proof-seed").inner_text()) == 64
    assert len(player.by("proof-promise").inner_text()) == 64
    expect(player.by("proof-order").locator("li")).to_have_count(4)
