"""Who watches, what is said, and whether a deal was fair."""

from random import Random

from laelo.table.v1 import table_pb2
from playwright.sync_api import expect

from services.table.tests.kit import PEOPLE, Game

from . import views
from .conftest import Visits
from .page import Player
from .stage import GUEST, TABLE, Stage

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
    # Three at once: for the page all of it happens in one moment, on a slow machine as well.
    player.page.evaluate("{ const now = performance.now(); performance.now = () => now; }")
    for _ in range(4):
        player.by("say").click()
        player.by("say-hello").click()
    player.await_toast("Calma")


def test_the_proof_of_a_deal(alone: Visits) -> None:
    """Of a hand that the domain deals and plays, with the bytes that the page itself has added."""
    player = alone.new((390, 844))
    game = Game(Random(3)).open()
    game.must(game.ask(table_pb2.KIND_START, PEOPLE[0]))
    stage = Stage(player.context, GUEST, {})
    stage.on["watch"] = [views.seen(game, TABLE)]
    player.open(f"/t/{TABLE}")
    added = bytes.fromhex(stage.await_asked("deal.bytes", player.page)["bytes"])
    game.must(game.ask(table_pb2.KIND_ADD_BYTES, PEOPLE[0], hand=1, deal_bytes=added))
    while not game.state.hands:
        game.step()
    stage.tell(views.seen(game, TABLE))
    fair = player.by("fair")
    expect(fair).to_have_attribute("data-fair", "true")
    fair.click()
    expect(player.by("proof-sheet")).to_be_visible()
    player.picture("proof-phone")
    for check in ("seed", "added", "tiles"):
        expect(player.by(f"check-{check}")).to_contain_text("confere")
        expect(player.by(f"check-{check}")).not_to_contain_text("não confere")
    expect(player.by("proof-own")).to_have_attribute("data-in", "true")
    expect(player.by("proof-added")).to_contain_text(added.hex())
    assert len(player.by("proof-seed").inner_text()) == 64
    assert len(player.by("proof-promise").inner_text()) == 64
    expect(player.by("proof-order").locator("li")).to_have_count(4)
